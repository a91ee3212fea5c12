#include "query/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "query/evaluate/dataset_evaluation.h"
#include "query/judge/open_judge.h"
#include "query/metric/definitions.h"

namespace residue::query {
namespace {

std::vector<std::string> datasets_of(const std::vector<Target>& targets) {
  std::vector<std::string> names;
  for (const Target& target : targets) {
    if (std::find(names.begin(), names.end(), target.dataset) == names.end()) names.push_back(target.dataset);
  }
  return names;
}

// Judgments may be withdrawn while runs are evaluated. Runs that were scored with them are scored again, without asking
// anybody: the same prompts would be cut, and paid for, again.
void score_withdrawn(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& options,
                     EvalCounts& counts) {
  EvalCounts again;
  for (const std::string& dataset : datasets_of(targets)) {
    const auto judge = open_judge(store, options.judge, dataset, nullptr);
    DatasetEvaluation(store, dataset, targets, options, *judge, register_judge(store, *judge)).evaluate(again);
  }
  counts.unanswered = again.unanswered;
  counts.known_unanswered = again.known_unanswered;
}

}  // namespace

EvalCounts evaluate(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& options) {
  const auto session = std::make_shared<AskSession>();
  session->budget.max_calls = options.max_calls;
  session->budget.max_cost = options.max_cost;
  session->options.retry = options.retry;
  session->options.no_repeat = options.no_repeat;
  session->options.interrupted = options.interrupted;
  session->options.silence = options.silence;
  session->options.withdraw = options.withdraw;
  if (options.progress) {
    session->options.progress = [&](std::uint64_t done, std::optional<std::uint64_t> total) {
      options.progress(fmt::format("asking {}", options.judge), done, total);
    };
  }
  publish_definitions(store);
  EvalCounts counts;
  for (const std::string& dataset : those_refused_first(store, datasets_of(targets), options.judge)) {
    const auto judge = open_judge(store, options.judge, dataset, session);
    DatasetEvaluation(store, dataset, targets, options, *judge, register_judge(store, *judge)).evaluate(counts);
  }
  counts.asked = session->counts;
  if (counts.asked.withdrawn.judgments + counts.asked.withdrawn.checks > 0)
    score_withdrawn(store, targets, options, counts);
  return counts;
}

EvalPlan plan(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& options) {
  EvalPlan plan;
  for (const std::string& dataset : datasets_of(targets)) {
    const auto judge = open_judge(store, options.judge, dataset, nullptr);
    DatasetEvaluation(store, dataset, targets, options, *judge, register_judge(store, *judge)).plan(plan);
  }
  return plan;
}

}  // namespace residue::query
