// The absent attack: the same attack on the release without the target. What it finds of a record, the release says of
// that person through others (METRICS.md section 9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "query/absent/near_originals.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Who is left out for whom. Of aligned runs, whose candidates are the records. Immutable: for any number of threads.
class Absence {
 public:
  // `equal_originals` as of link/linked_persons.h. All that is given must outlive this; the caller holds
  // Store::hold_texts(). Cost: a read of all originals. `checkpoint` is called between some hundred records.
  Absence(const storage::Store& store, const DatasetView& dataset, const std::vector<std::size_t>& equal_originals,
          const ProgressFunction& checkpoint = {});

  // The candidates of an attack on this record that are left out, ascending: its own, those of the same person, and
  // those whose original equals its own or is near to it.
  [[nodiscard]] std::vector<CandidateId> left_out(std::size_t record) const;

  // Of such a list, and those that an attack on the record of `found` leaves out: what the absent attack's own absent
  // attack leaves out where the absent attack found that one. Ascending.
  [[nodiscard]] std::vector<CandidateId> also_left_out(std::vector<CandidateId> left_out, CandidateId found) const;

 private:
  using Groups = std::unordered_map<std::uint64_t, std::vector<std::size_t>>;

  const DatasetView& dataset_;
  const std::vector<std::size_t>& equal_;
  Groups of_person_, of_original_;  // records
  NearOriginals near_;
  std::vector<std::vector<std::size_t>> known_near_;  // by record, what near_ says; empty: it would be too much to keep
};

// Of a list that left_out() gives: equal lists, equal fingerprints.
std::uint64_t fingerprint_of(const std::vector<CandidateId>& left_out);

}  // namespace residue::query
