// What was computed and still says what was removed: index segments with its words, parts of metrics that it alone had.
#pragma once

#include <cstdint>
#include <functional>

#include "base/ids.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {

struct DerivedGone {
  std::uint64_t segments = 0;     // of an index, to be built again by the next evaluation
  std::uint64_t evaluations = 0;  // with a part that only removed records had, to be computed again
  std::uint64_t busy = 0;         // what of both had to stay, because its run is being evaluated
};

// Within a transaction for writing. Index segments stay where all that they hold is a text that is current: one that is
// kept for a rating, or for what an attacker is taken to know, may be an earlier wording. `free` says whether nobody
// evaluates a run, and sees to it that nobody does until the transaction is committed.
DerivedGone drop_derived(Db& db, const std::function<bool(RunId)>& free);

}  // namespace residue::storage
