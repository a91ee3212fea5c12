// Which records of a dataset are of one person, or say the same, as links and the absent attack ask: found out once for
// each view of it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "query/absent/absence.h"
#include "query/inputs/snapshot.h"
#include "query/link/linked_persons.h"
#include "query/place/people.h"
#include "storage/store.h"

namespace residue::query {

// When a view has grown, the next question finds it out again; references given out before are then invalid. The caller
// holds Store::hold_texts().
class WhoIsWho {
 public:
  // All views that are asked about must outlive this, and so must the store.
  explicit WhoIsWho(const storage::Store& store) : store_(store) {}

  // Whom the absent attack leaves out. Cost at first: a read of all originals.
  const Absence& absence(const DatasetView& dataset, const ProgressFunction& checkpoint);

  // Whom a hit is of, and who is who; nothing for synthetic runs.
  std::optional<People> people(const DatasetView& dataset, const RunView& run);
  std::optional<LinkedPersons> linked_persons(const DatasetView& dataset, const RunView& run);

 private:
  // By record (link/linked_persons.h).
  const std::vector<std::size_t>& equal_originals(const DatasetView& dataset);

  const storage::Store& store_;
  std::map<const DatasetView*, std::vector<std::size_t>> equal_originals_;
  std::map<const DatasetView*, std::pair<std::size_t, std::unique_ptr<Absence>>> absences_;  // of so many records
};

}  // namespace residue::query
