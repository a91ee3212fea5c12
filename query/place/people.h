// Who is who among the candidates of an aligned run: whose tie sets are counted in persons, and who is another person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "query/inputs/snapshot.h"

namespace residue::query {

// Persons among some candidates. Two records are of one person where their persons are the same, or their originals
// say the same; so are, of a whole chain of such records, the first and the last.
struct Crowd {
  std::uint32_t persons = 0;
  bool own = false;  // the target's person, or its original, is among them

  friend bool operator==(const Crowd&, const Crowd&) = default;
};

class People {
 public:
  // `equal_originals` as of link/linked_persons.h. Both must outlive this. Immutable: for any number of threads.
  People(const DatasetView& dataset, const std::vector<std::size_t>& equal_originals);

  // `target`: a record's place in the view.
  [[nodiscard]] Crowd crowd(std::span<const CandidateId> candidates, std::size_t target) const;

  [[nodiscard]] bool same(CandidateId a, CandidateId b) const;
  // No more records than this are the same as this one, itself among them.
  [[nodiscard]] std::size_t same_at_most(CandidateId candidate) const;

 private:
  [[nodiscard]] std::size_t record_of(CandidateId candidate) const;

  const DatasetView& dataset_;
  const std::vector<std::size_t>& equal_;
  std::unordered_map<std::uint64_t, std::size_t> of_person_;  // records; of those who have several
  std::vector<std::uint32_t> of_original_;                    // by first record: how many originals say the same
};

}  // namespace residue::query
