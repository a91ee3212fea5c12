#include "cli/report/report_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

namespace residue::cli {

std::string answered_by(const query::Report& report) {
  if (!verbs::state_of(report).answered) return {};
  std::map<std::string, std::vector<std::string>> tasks;  // by model
  for (const auto& [task, model] : report.answerers) tasks[model].push_back(task);
  std::string words;
  for (const auto& [model, theirs] : tasks) {
    words += (words.empty() ? "tasks: answers of " : ", ") + model;
    if (tasks.size() > 1) words += fmt::format(" ({})", fmt::join(theirs, ", "));
  }
  return words;
}

std::string answered_by_others(const query::Report& report, const verbs::ReportState& state) {
  std::string words;
  for (const auto& [task, runs] : state.unanswered) {
    words += fmt::format("{}{} did not answer {} about {}: no value", words.empty() ? "" : "; ",
                         report.answerers.at(task), task, fmt::join(runs, ", "));
  }
  if (!state.other_models.empty())
    words += fmt::format("{}--model shows the answers of {}", words.empty() ? "" : "; ",
                         fmt::join(state.other_models, ", "));
  return words;
}

std::string embedders(const verbs::ReportState& state) {
  std::string words;
  for (const auto& [metric, models] : state.embedders) {
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

std::string unmeasured(const verbs::ReportState& state) {
  std::string words;
  for (const auto& [reason, names] : state.unmeasured) {
    words += fmt::format("{}not measured: {}: {}", words.empty() ? "" : "; ", fmt::join(names, ", "), reason);
  }
  return words;
}

std::string suspects(const query::Report& report, const verbs::ReportState& state) {
  if (state.blind) {
    return fmt::format(
        "the judge {} fails its test question (injection_suspect) in every text, also in the originals: it is the "
        "judge, "
        "not the texts{}",
        report.judge,
        state.always
            ? fmt::format("; it rates every claim {}, whatever the text: its numbers mean nothing", *state.always)
            : "");
  }
  std::string words;
  for (const verbs::Suspect& one : state.suspects) {
    words += fmt::format("{}{} {:.1f} %", words.empty() ? "" : ", ", one.run, one.share * 100);
  }
  return words.empty() ? words : "texts that lead their judge (injection_suspect): " + words;
}

}  // namespace residue::cli
