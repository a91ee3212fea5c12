#include "query/stored/current_evaluation.h"

#include <string_view>

#include "query/inputs/labels.h"
#include "storage/catalog/results/evaluation.h"

namespace residue::query {
namespace {

constexpr std::string_view kEvaluation = storage::sql::kEvaluationUpToDate;

}  // namespace

std::optional<CurrentEvaluation> current_evaluation(storage::Db& db, RunId run, Tier tier, ProtocolId protocol,
                                                    const Witness& witness) {
  storage::Statement find = db.prepare(kEvaluation);
  const bool outside = tier == Tier::kOutside;
  const bool has_witness = tier == Tier::kJudge || tier == Tier::kTask || tier == Tier::kVector || outside;
  find.bind(run, tier_name(tier), needs_attack(tier) || outside ? protocol : ProtocolId{},
            has_witness ? witness.column() : 0);
  if (!find.step()) return std::nullopt;
  CurrentEvaluation result{find.id<EvaluationId>(0), {}};
  if (find.text(1) != kDefinitions) result.changed = "definitions of metrics have changed";
  if (find.integer(4) == 0)
    result.changed = tier == Tier::kTask     ? "answers have changed"
                     : outside               ? "the control from outside, or what the attack depends on, has changed"
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
