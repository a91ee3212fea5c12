// One text for many records (model/suspicion/one_for_many.h), asked of what was evaluated first: an evaluation that is
// up to date has seen which texts of the run failed.
#pragma once

#include <unordered_set>

#include "base/ids.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Whether the evaluation of the run's texts shows that none of them is suspected. False: nobody knows without the
// texts, or some are. The caller holds the catalog's snapshot. Cost: some sums; where texts failed, the records are
// counted.
bool nothing_suspected(storage::Db& db, const storage::Facts::Reader& texts, RunId run);

// load_run(), whose texts are read only where an evaluation does not tell.
RunView load_evaluated_run(storage::Store& store, const DatasetView& dataset, const RunHead& run);

// The same as model::one_for_many(), which reads the run's texts, but where it is known that there is nothing to find.
std::unordered_set<RecordId> suspected_texts(storage::Db& db, const storage::Facts::Reader& texts, RunId run);

}  // namespace residue::query
