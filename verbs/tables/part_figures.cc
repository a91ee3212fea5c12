#include "verbs/tables/part_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "query/report/report_values.h"
#include "verbs/tables/references.h"

namespace residue::verbs {
namespace {

// What a part is called in the answer; nothing: it belongs to another question.
std::optional<std::string> name_of(const PartQuestion& question, const std::string& part) {
  if (!question.prefix.empty()) {
    if (!part.starts_with(question.prefix)) return std::nullopt;
    return part.substr(question.prefix.size());
  }
  const bool other =
      std::ranges::any_of(question.others, [&](const std::string& prefix) { return part.starts_with(prefix); });
  return other ? std::nullopt : std::optional(part);
}

std::map<std::string, const query::MetricValue*> values_of(const query::ReportRun& run, const PartQuestion& question) {
  std::map<std::string, const query::MetricValue*> values;
  const query::ReportMetric* metric = metric_of(run, question.metric);
  if (metric == nullptr) return values;
  for (const auto& [part, value] : metric->cuts) {
    if (auto name = name_of(question, part)) values[*std::move(name)] = &value;
  }
  return values;
}

}  // namespace

std::string PartFigures::published_key(const std::string& name) const {
  return fmt::format("{}/{}{}", query::definition(of.metric).name, of.prefix, name);
}

PartFigures part_figures(const query::Report& report, const PartQuestion& question) {
  PartFigures figures{question, {}, {}};
  std::vector<const query::ReportRun*> runs;
  for (const query::ReportRun& run : report.runs) runs.push_back(&run);
  if (question.before != nullptr) {
    std::ranges::stable_sort(runs, [&](const auto* a, const auto* b) { return question.before(*a, *b); });
  }
  std::set<std::string> names;
  for (const query::ReportRun* run : runs) {
    if (!run->evaluated) continue;
    figures.runs.push_back({run, values_of(*run, question), {}});
    for (const auto& [name, value] : figures.runs.back().values) names.insert(name);
  }
  figures.names.assign(names.begin(), names.end());
  if (question.published.empty()) return figures;
  for (PartFigures::OfRun& one : figures.runs) {
    one.published = references_of(question.published, report, *one.run);
    std::erase_if(one.published, [&](const query::PublishedRow* row) {
      return std::ranges::none_of(
          figures.names, [&](const std::string& name) { return row->figures.contains(figures.published_key(name)); });
    });
  }
  return figures;
}

}  // namespace residue::verbs
