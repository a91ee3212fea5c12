#include "verbs/runs/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace residue::verbs {
namespace {

RunField axis(const RunFields& fields, const std::string& name, const std::vector<RunFacts>& runs) {
  RunField field = fields.require("--plot", name);
  const auto is_number = [&](const RunFacts& run) {
    const RunValue value = value_of(field, run, nullptr);
    return std::holds_alternative<double>(value) || std::holds_alternative<RunTime>(value);
  };
  if (field.of_metric() || std::ranges::any_of(runs, is_number)) return field;
  throw Error(Code::kUsage, fmt::format("--plot: {} is no number in any run", name),
              "draw metrics, a parameter that is a number, seed, or made: --plot param.rate,linkage_rate");
}

Coordinate coordinate(const RunField& field, const RunFacts& run, const query::ReportRun* numbers) {
  const RunValue value = value_of(field, run, numbers);
  Coordinate one;
  if (const auto* time = std::get_if<RunTime>(&value)) one.value = static_cast<double>(time->ms);
  if (const auto* real = std::get_if<double>(&value)) one.value = *real;
  if (field.of_metric() && field.number == "value" && one.value) {
    const query::MetricValue* metric = metric_value(field, numbers);
    one.low = metric->low;
    one.high = metric->high;
  }
  return one;
}

std::string lacks(const RunField& field, const RunFacts& run, const query::ReportRun* numbers) {
  if (field.of_metric() && (numbers == nullptr || !numbers->evaluated)) return field.name + ": not evaluated";
  const bool text = !std::holds_alternative<std::monostate>(value_of(field, run, numbers));
  return field.name + (text ? ": no number" : ": no value");
}

}  // namespace

PlotFields plot_fields(const std::string& words, const std::vector<RunFacts>& runs) {
  const std::size_t comma = words.find(',');
  if (comma == std::string::npos || words.find(',', comma + 1) != std::string::npos) {
    throw Error(Code::kUsage, "--plot takes two names with a comma between: X,Y",
                "--plot param.rate,linkage_rate, --plot made,leak_rate, or two metrics");
  }
  const RunFields fields(runs);
  return {axis(fields, words.substr(0, comma), runs), axis(fields, words.substr(comma + 1), runs)};
}

Plot plot_of(const query::Report& report, const PlotFields& fields, const std::vector<RunFacts>& runs) {
  Plot plot{fields.x, fields.y, report.dataset, report.protocol, report.judge, {}, {}};
  for (const query::ReportRun& run : report.runs) {
    const auto facts = std::ranges::find(runs, run.run, &RunFacts::run);
    if (facts == runs.end()) continue;
    PlotPoint point{run.run, run.control, run.stale, coordinate(fields.x, *facts, &run),
                    coordinate(fields.y, *facts, &run)};
    // When a control was made says when the dataset was brought in.
    if (run.control && fields.x.of == RunField::Of::kMade) point.x = {};
    std::string why;
    for (const auto& [field, at] : {std::pair{&fields.x, &point.x}, std::pair{&fields.y, &point.y}}) {
      const bool level = run.control && field == &fields.x && !field->of_metric();
      if (!at->value && !level) why += (why.empty() ? "" : ", ") + lacks(*field, *facts, &run);
    }
    if (why.empty()) {
      plot.points.push_back(std::move(point));
    } else {
      plot.left_out[run.run] = why;
    }
  }
  return plot;
}

}  // namespace residue::verbs
