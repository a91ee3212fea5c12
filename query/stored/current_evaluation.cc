#include "query/stored/current_evaluation.h"

#include <string_view>

#include "query/inputs/labels.h"

namespace residue::query {
namespace {

constexpr std::string_view kEvaluation =
    "SELECT e.id, e.definitions, e.run_content = u.content, e.dataset_content = d.content,"
    " e.tier IN ('text', 'label') OR e.claims_content = CASE e.tier"
    "  WHEN 'task' THEN (SELECT a.content FROM answer_content a WHERE a.set_id = e.judge_id)"
    "  WHEN 'vector' THEN (SELECT v.content FROM vector_content v"
    "   WHERE v.run_id = e.run_id AND v.protocol_id = e.protocol_id AND v.embedder_id = e.judge_id)"
    "  WHEN 'judge' THEN (SELECT x.content FROM judged_content x"
    "   WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id AND x.judge_id = e.judge_id)"
    "  ELSE (SELECT x.content FROM attack_content x WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id) END"
    ", e.claims_content, d.id FROM evaluation e JOIN run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id"
    " WHERE e.run_id = ?1 AND e.tier = ?2 AND e.protocol_id = ?3 AND e.judge_id = ?4";

}  // namespace

std::optional<CurrentEvaluation> current_evaluation(storage::Db& db, RunId run, Tier tier, ProtocolId protocol,
                                                    const Witness& witness) {
  storage::Statement find = db.prepare(kEvaluation);
  const bool has_witness = tier == Tier::kJudge || tier == Tier::kTask || tier == Tier::kVector;
  find.bind(run, tier_name(tier), needs_attack(tier) ? protocol : ProtocolId{}, has_witness ? witness.column() : 0);
  if (!find.step()) return std::nullopt;
  CurrentEvaluation result{find.id<EvaluationId>(0), {}};
  if (find.text(1) != kDefinitions) result.changed = "definitions of metrics have changed";
  if (find.integer(4) == 0)
    result.changed = tier == Tier::kTask     ? "answers have changed"
                     : tier == Tier::kVector ? "claims or their vectors have changed"
                     : tier == Tier::kJudge  ? "claims that the attack depends on, or judgments of them, have changed"
                                             : "claims that the attack depends on have changed";
  if (tier == Tier::kLabel && find.text(5) != label_content(db, find.id<DatasetId>(6))) {
    result.changed = "labels have changed";
  }
  if (find.integer(3) == 0) result.changed = "the dataset has changed";
  if (find.integer(2) == 0) result.changed = "the run has changed, or its evaluation was interrupted";
  return result;
}

}  // namespace residue::query
