#include "query/current_evaluation.h"

namespace residue::query {
namespace {

constexpr std::string_view kEvaluation =
    "SELECT e.id, e.definitions, e.run_content = u.content, e.dataset_content = d.content,"
    " e.tier = 'text' OR e.claims_content = (SELECT CASE e.tier WHEN 'judge' THEN x.judged ELSE x.content END FROM "
    "attack_content x"
    "  WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id)"
    " FROM evaluation e JOIN run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id"
    " WHERE e.run_id = ?1 AND e.tier = ?2 AND e.protocol_id = ?3 AND e.judge_id = ?4";

}  // namespace

std::optional<CurrentEvaluation> current_evaluation(storage::Db& db, RunId run, Tier tier, ProtocolId protocol,
                                                    JudgeId judge) {
  storage::Statement find = db.prepare(kEvaluation);
  find.bind(run, tier_name(tier), tier == Tier::kText ? ProtocolId{} : protocol,
            tier == Tier::kJudge ? judge : JudgeId{});
  if (!find.step()) return std::nullopt;
  CurrentEvaluation result{find.id<EvaluationId>(0), {}};
  if (find.text(1) != kDefinitions) result.changed = "definitions of metrics have changed";
  if (find.integer(4) == 0) result.changed = "claims that the attack depends on have changed";
  if (find.integer(3) == 0) result.changed = "the dataset has changed";
  if (find.integer(2) == 0) result.changed = "the run has changed, or its evaluation was interrupted";
  return result;
}

}  // namespace residue::query
