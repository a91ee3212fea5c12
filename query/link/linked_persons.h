// Whether the record that an attack found is of the person whom the attacker meant
// (the metric linkage_rate_person).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "query/inputs/snapshot.h"
#include "query/link/linking.h"
#include "storage/store.h"

namespace residue::query {

// By record: the first record whose original says the same, white space and case aside (what is read, text/as_read.h);
// itself, where there is none. Cost: a read of all originals.
std::vector<std::size_t> equal_originals(const storage::Store& store, const DatasetView& dataset);

// Of an aligned run. All that is given must outlive this.
class LinkedPersons {
 public:
  LinkedPersons(const DatasetView& dataset, const RunView& run, const std::vector<std::size_t>& equal_originals);

  // In units of 2^-32: 1 where the record found is of the same person or has an equal original; where a text is found
  // that the person (or such an original) was released with too, the person's share of the persons who have it; else 0,
  // as where nothing is linked, or a record that is gone since.
  [[nodiscard]] std::int64_t share(std::size_t record, const LinkView& link) const;

 private:
  struct Holders {
    std::vector<std::uint64_t> persons;  // each once, ascending
    std::vector<std::size_t> originals;  // as in equal_originals(), ascending
  };

  const DatasetView& dataset_;
  const RunView& run_;
  const std::vector<std::size_t>& equal_;
  std::unordered_map<TextId, Holders> holders_;  // of texts that several records were released with
};

}  // namespace residue::query
