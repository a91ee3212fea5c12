#include "query/report/judged_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/lookup.h"

namespace residue::query {

JudgedRun judged_run(storage::Db& db, const Lens& lens, std::string_view run) {
  require_one_release(lens);
  const RunId id = storage::find_run(db, lens.dataset_name, run);
  const auto evaluated = current_evaluation(db, id, Tier::kJudge, lens.protocol, lens.judge);
  if (!evaluated) {
    throw Error(Code::kNotFound,
                fmt::format("run {}/{} was not evaluated under {} by {}", lens.dataset_name, run, lens.spec.name(),
                            lens.judge_name),
                fmt::format("residue eval {}/{}", lens.dataset_name, run));
  }
  return {id, !evaluated->changed.empty()};
}

std::optional<EvaluationId> evaluation_of(storage::Db& db, const Lens& lens, RunId run, Tier tier) {
  const bool attack = tier == Tier::kLink || tier == Tier::kJudge;
  if (!attack && tier != Tier::kText) return std::nullopt;
  const auto found = current_evaluation(db, run, tier, attack ? lens.protocol : ProtocolId{},
                                        tier == Tier::kJudge ? lens.judge : JudgeId{});
  if (!found) return std::nullopt;
  return found->id;
}

}  // namespace residue::query
