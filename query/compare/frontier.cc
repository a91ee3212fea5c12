#include "query/compare/frontier.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/compare/pareto.h"

namespace residue::query {
namespace {

bool is_privacy(const MetricDefinition& metric) {
  return metric.direction == "higher = more private" || metric.direction == "higher = less private";
}
bool is_utility(const MetricDefinition& metric) { return metric.direction == "higher = more useful"; }

MetricId axis(std::string_view name, bool (*fits)(const MetricDefinition&), std::string_view kind) {
  std::vector<std::string> fitting;
  for (const MetricDefinition& metric : metric_definitions()) {
    if (!fits(metric) || metric.kind == Kind::kHistogram || metric.cuts == Cuts::kOnly) continue;
    if (metric.name == name) return metric.id;
    fitting.emplace_back(metric.name);
  }
  throw Error(Code::kUsage, fmt::format("{} is no metric of {}{}", name, kind, did_you_mean(name, fitting)),
              fmt::format("metrics of {}: {}", kind, fmt::join(fitting, ", ")));
}

std::optional<MetricValue> value_of(const ReportRun& run, MetricId id) {
  const auto found = run.metrics.find(id);
  if (found == run.metrics.end()) return std::nullopt;
  return found->second.all;
}

bool is_stale(const ReportRun& run, MetricId id) {
  const auto found = run.metrics.find(id);
  return found != run.metrics.end() && found->second.stale;
}

double oriented(MetricId id, double value) {
  return definition(id).direction == "higher = less private" ? -value : value;
}

}  // namespace

Frontier frontier_metrics(std::string_view privacy, std::string_view utility) {
  Frontier axes;
  axes.privacy = axis(privacy, is_privacy, "privacy");
  axes.utility = axis(utility, is_utility, "usefulness");
  return axes;
}

Frontier frontier_of(const Report& report, Frontier axes) {
  axes.runs.clear();
  std::vector<std::optional<ParetoPoint>> points;
  for (const ReportRun& run : report.runs) {
    FrontierRun one{run.run,
                    run.control,
                    is_stale(run, axes.privacy) || is_stale(run, axes.utility),
                    value_of(run, axes.privacy),
                    value_of(run, axes.utility),
                    {}};
    points.push_back(one.compared() ? std::optional(ParetoPoint{oriented(axes.privacy, *one.privacy->value),
                                                                oriented(axes.utility, *one.utility->value)})
                                    : std::nullopt);
    axes.runs.push_back(std::move(one));
  }
  const auto better = dominators(points);
  for (std::size_t i = 0; i < better.size(); ++i) {
    for (const std::size_t j : better[i]) axes.runs[i].dominated_by.push_back(axes.runs[j].run);
  }
  return axes;
}

}  // namespace residue::query
