#include "cli/report/report_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

namespace residue::cli {

std::string answerers(const query::Report& report) {
  std::set<std::string> shown, others;
  for (const query::ReportRun& run : report.runs) {
    for (const auto& [id, metric] : run.metrics) {
      if (query::definition(id).tier != query::Tier::kTask) continue;  // others are of an embedder's vectors
      if (!metric.model.empty()) shown.insert(metric.model);
      others.insert(metric.others.begin(), metric.others.end());
    }
  }
  for (const std::string& name : shown) others.erase(name);
  if (shown.empty()) return {};
  std::string words = fmt::format("tasks: answers of {}", fmt::join(shown, ", "));
  if (!others.empty()) words += fmt::format("; --model shows those of {}", fmt::join(others, ", "));
  return words;
}

std::string embedders(const query::Report& report) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> by_metric;  // embedder to runs
  for (const query::ReportRun& run : report.runs) {
    for (const auto& [id, metric] : run.metrics) {
      const query::Tier tier = query::definition(id).tier;
      if ((tier != query::Tier::kCorpus && tier != query::Tier::kVector) || metric.model.empty()) continue;
      by_metric[std::string(query::definition(id).name)][metric.model].insert(run.run);
    }
  }
  std::string words;
  for (const auto& [metric, models] : by_metric) {
    words += fmt::format("{}{} by vectors of ", words.empty() ? "" : "; ", metric);
    std::string each;
    for (const auto& [model, runs] : models) {
      each += (each.empty() ? "" : ", ") + model;
      if (models.size() > 1) each += fmt::format(" ({})", fmt::join(runs, ", "));
    }
    words += each + (models.size() > 1 ? ": not comparable" : "");
  }
  return words;
}

std::string unmeasured(const query::Report& report) {
  std::map<std::string, std::set<std::string>> metrics;  // by reason
  for (const query::ReportRun& run : report.runs) {
    for (const auto& [id, metric] : run.metrics) {
      if (query::definition(id).tier != query::Tier::kJudge || metric.reason.empty()) continue;
      metrics[metric.reason].emplace(query::definition(id).name);
    }
  }
  std::string words;
  for (const auto& [reason, names] : metrics) {
    words += fmt::format("{}not measured: {}: {}", words.empty() ? "" : "; ", fmt::join(names, ", "), reason);
  }
  return words;
}

}  // namespace residue::cli
