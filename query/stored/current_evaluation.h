// One evaluation by what it is of, and whether its numbers are those of what is stored now.
#pragma once

#include <optional>
#include <string>

#include "base/ids.h"
#include "query/metric/metrics.h"
#include "query/stored/witness.h"
#include "storage/store.h"

namespace residue::query {

struct CurrentEvaluation {
  EvaluationId id;
  std::string changed;  // what has changed since, in words; empty: nothing, it is up to date
};

// Nothing where there is none. Tiers text and task have no protocol, tiers text and link no witness: those are not
// looked at.
std::optional<CurrentEvaluation> current_evaluation(storage::Db& db, RunId run, Tier tier, ProtocolId protocol,
                                                    const Witness& witness);

}  // namespace residue::query
