// Linkers that show what the numbers mean: `oracle` always finds the record, `random` knows nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"

namespace residue::index {

// The record's own candidate, with score 1; no hit where the run has none for it.
class OracleLinker final : public Linker {
 public:
  explicit OracleLinker(CandidateTable candidates);
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

 private:
  CandidateTable candidates_;
};

// A draw that appends do not disturb: candidates stand on a ring by the hash of their key; a record
// finds the one that follows the hash of its own key, then the next clockwise. Scores are 1, 1/2, 1/3 ... and mean
// nothing. A new candidate takes over only records of the arc it splits. Equal hashes stand in order of their keys.
class RandomLinker final : public Linker {
 public:
  RandomLinker(CandidateTable candidates, std::uint64_t seed);
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

 private:
  struct Place {
    std::uint64_t hash;
    std::uint32_t rank;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  CandidateTable candidates_;
  std::uint64_t seed_;
  std::vector<Place> ring_;
};

}  // namespace residue::index
