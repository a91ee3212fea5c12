#include "verbs/bring_in/ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/ask.h"
#include "ingest/ask/judge_guesses.h"
#include "ingest/ask/relevance.h"
#include "model/server/endpoint.h"
#include "model/tasks/task_asker.h"

namespace residue::verbs {
namespace {

using model::TaskKind;

struct Words {
  std::string_view task, texts;
  TaskKind kind;
};
constexpr std::string_view kCoherence = "coherence";
constexpr Words kTasks[] = {{"choice", "", TaskKind::kChoice},
                            {kCoherence, "medical", TaskKind::kCoherenceMedical},
                            {kCoherence, "chat", TaskKind::kCoherenceChat},
                            {"category", "", TaskKind::kCategory},
                            {"attributes", "", TaskKind::kAttributes},
                            {"utility", "", TaskKind::kUtility},
                            {"qa", "", TaskKind::kQuestions},
                            {"response", "", TaskKind::kRespond},
                            {"relevance", "", TaskKind::kRelevance},
                            {"same_entity", "", TaskKind::kSameEntity}};

std::string_view word_of(TaskKind kind) {
  const auto* row = std::ranges::find(kTasks, kind, &Words::kind);
  return row == std::end(kTasks) ? model::task_name(kind) : row->task;
}

bool judges(const AskOptions& options) { return options.task.kind == TaskKind::kSameEntity; }

std::vector<std::string> runs_of(storage::Store& store, const AskOptions& options) {
  const auto& [dataset, run] = options.target;
  if (judges(options)) return ingest::runs_to_judge(store, dataset, run, options.of);
  if (run) return {*run};
  std::vector<std::string> runs = ingest::runs_to_ask(store, dataset, options.task.kind);
  if (!runs.empty()) return runs;
  throw Error(Code::kNotFound,
              fmt::format("dataset {} has no run whose texts can be compared with the originals", dataset),
              fmt::format("residue ingest run {}/NAME FILE makes one", dataset));
}

ingest::AskPlan plan(storage::Store& store, const AskOptions& options, const std::vector<std::string>& runs,
                     const model::TaskAsker& asker) {
  const auto& [dataset, named] = options.target;
  ingest::AskPlan plan;
  if (options.task.kind == TaskKind::kRelevance) {
    ingest::plan_relevance(store, dataset, named, asker, plan);
    return plan;
  }
  for (const std::string& run : runs) {
    if (judges(options)) {
      ingest::plan_guesses(store, dataset, run, options.of, asker, plan);
    } else {
      ingest::plan_run(store, dataset, run, asker, plan);
    }
  }
  return plan;
}

ingest::IngestResult ask_all(storage::Store& store, const AskOptions& options, const std::vector<std::string>& runs,
                             model::TaskAsker& asker, model::TaskAsker* restorer) {
  const auto& [dataset, named] = options.target;
  const std::string& as = options.as.empty() ? options.with : options.as;
  const ingest::IngestOptions how = storing(options.asking, true);
  if (options.task.kind == TaskKind::kRelevance) {
    return ingest::judge_relevance(store, dataset, named, asker, as, how);
  }
  ingest::IngestResult sum;
  for (const std::string& run : runs) {
    ingest::IngestResult one = judges(options) ? ingest::judge_guesses(store, dataset, run, options.of, asker, how)
                                               : ingest::ask_run(store, dataset, run, asker, as, how, restorer);
    sum.counts += one.counts;
    sum.seconds += one.seconds;
    std::ranges::move(one.notes, std::back_inserter(sum.notes));
  }
  return sum;
}

}  // namespace

TaskKind task_of_words(std::string_view task, std::string_view texts) {
  if (task != kCoherence && !texts.empty()) {
    throw Error(Code::kUsage, fmt::format("--kind means nothing to --task {}", task), "leave it out");
  }
  for (const Words& row : kTasks) {
    if (row.task == task && row.texts == texts) return row.kind;
  }
  if (task == kCoherence) {
    throw Error(Code::kUsage, "--task coherence: of what kind are the texts?",
                "--kind medical (descriptions of patients) or --kind chat (conversations): each has its own scale");
  }
  std::vector<std::string_view> names;
  for (const Words& row : kTasks) {
    if (names.empty() || names.back() != row.task) names.push_back(row.task);
  }
  throw Error(Code::kUsage, "there is no such task", fmt::format("one of {}", fmt::join(names, ", ")));
}

void check(const AskOptions& options) {
  const std::string_view task = word_of(options.task.kind);
  if (!judges(options) && !options.of.empty()) {
    throw Error(Code::kUsage, fmt::format("--of means nothing to --task {}", task), "leave it out");
  }
  if (judges(options) && options.of.empty()) {
    throw Error(Code::kUsage, "--task same_entity: whose guesses?",
                "--of NAME, who answered the task attributes: residue ask --task attributes, or ingest answers");
  }
  if (judges(options) && !options.as.empty()) {
    throw Error(Code::kUsage, "--as means nothing to --task same_entity",
                fmt::format("the judged guesses are called \"{}\"", ingest::judged_name(options.of, options.with)));
  }
  if (options.task.kind != TaskKind::kRespond && !options.restore_with.empty()) {
    throw Error(Code::kUsage, fmt::format("--restore-with means nothing to --task {}", task), "leave it out");
  }
}

AskResult ask(storage::Store& store, const AskOptions& options) {
  check(options);
  const std::string& dataset = options.target.dataset;
  const std::vector<std::string> runs = runs_of(store, options);
  model::AskSession session = session_of(options.asking);
  model::TaskAsker asker(store, options.task, model::find_endpoint(store.db(), options.with), dataset, session);
  std::optional<model::TaskAsker> restorer;
  if (!options.restore_with.empty()) {
    restorer.emplace(store, model::TaskSetting{TaskKind::kRestore, {}, std::nullopt},
                     model::find_endpoint(store.db(), options.restore_with), dataset, session);
  }
  AskResult all;
  if (options.dry_run) {
    const ingest::AskPlan sum = plan(store, options, runs, asker);
    all.planned =
        sum_of(store.db(), dataset, {{asker.endpoint(), sum}}, restorer ? std::optional(sum.questions) : std::nullopt);
    return all;
  }
  all.result = ask_all(store, options, runs, asker, restorer ? &*restorer : nullptr);
  all.asked = session.counts;
  return all;
}

}  // namespace residue::verbs
