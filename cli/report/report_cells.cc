#include "cli/report/report_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "cli/print/numbers.h"

namespace residue::cli {

using query::MetricId;
using query::Report;

Cell units_cell(const query::MetricValue& value) { return value.units ? count_cell(*value.units) : Cell(); }

Cell count_cell(double count) {
  const double whole = std::round(count);
  return whole == count ? Cell(static_cast<std::int64_t>(whole)) : Cell(count);
}

std::string count_text(double count) {
  const double whole = std::round(count);
  if (whole == count) return fmt::format("{}", static_cast<std::int64_t>(whole));
  return count < 0.005 ? real_text(count) : fmt::format("{:.2f}", count);
}

std::string seeds_text(const query::MetricValue& value, const Report& report) {
  return value.seeds ? fmt::format(" ({} of {} seeds)", *value.seeds, report.seeds) : std::string();
}

std::string label(MetricId id) {
  const auto& metric = query::definition(id);
  const std::string_view arrow = metric.direction == "higher = more private"   ? "↑"
                                 : metric.direction == "higher = less private" ? "↓"
                                                                               : "";
  return fmt::format("{}{}", metric.name, arrow);
}

Cell answerers_cell(const query::ReportRun& run, const std::vector<query::MetricId>& metrics) {
  std::set<std::string> models;
  for (const query::MetricId id : metrics) {
    const query::ReportMetric* metric = metric_of(run, id);
    if (metric != nullptr && query::definition(id).tier == query::Tier::kTask && !metric->model.empty())
      models.insert(metric->model);
  }
  return models.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(models, ", ")));
}

Table with_sample(Table table, const Report& report, bool sampled) {
  if (sampled) {
    table.columns.push_back({"sample", Type::kInteger, ""});
    for (auto& row : table.rows) row.push_back(report.sample == 0 ? Cell() : cell(report.sample));
  }
  if (report.missing == query::MissingPolicy::kDrop) {
    table.columns.push_back({"missing_policy", Type::kText, "policy"});
    for (auto& row : table.rows) row.push_back(Cell("drop"));
  }
  return table;
}

}  // namespace residue::cli
