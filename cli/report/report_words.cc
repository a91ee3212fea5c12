#include "cli/report/report_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace residue::cli {

std::string answered_by(const query::Report& report) {
  const bool any = std::any_of(report.runs.begin(), report.runs.end(), [](const query::ReportRun& run) {
    return !run.unanswered.empty() || std::any_of(run.metrics.begin(), run.metrics.end(), [](const auto& metric) {
      return query::definition(metric.first).tier == query::Tier::kTask;
    });
  });
  if (!any) return {};
  std::map<std::string, std::vector<std::string>> tasks;  // by model
  for (const auto& [task, model] : report.answerers) tasks[model].push_back(task);
  std::string words;
  for (const auto& [model, theirs] : tasks) {
    words += (words.empty() ? "tasks: answers of " : ", ") + model;
    if (tasks.size() > 1) words += fmt::format(" ({})", fmt::join(theirs, ", "));
  }
  return words;
}

std::string answered_by_others(const query::Report& report) {
  std::set<std::string> others;
  std::map<std::string, std::set<std::string>> unanswered;  // runs, by task
  for (const query::ReportRun& run : report.runs) {
    for (const auto& [id, metric] : run.metrics) {
      if (query::definition(id).tier == query::Tier::kTask) others.insert(metric.others.begin(), metric.others.end());
    }
    for (const query::Unanswered& one : run.unanswered) {
      unanswered[one.task].insert(run.run);
      others.insert(one.others.begin(), one.others.end());
    }
  }
  std::string words;
  for (const auto& [task, runs] : unanswered) {
    words += fmt::format("{}{} did not answer {} about {}: no value", words.empty() ? "" : "; ",
                         report.answerers.at(task), task, fmt::join(runs, ", "));
  }
  if (!others.empty())
    words += fmt::format("{}--model shows the answers of {}", words.empty() ? "" : "; ", fmt::join(others, ", "));
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
