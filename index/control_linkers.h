// Linkers that show what the numbers mean: `oracle` always finds the record, `random` knows nothing.
#pragma once

#include <cstdint>
#include <optional>
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
  std::vector<std::optional<Place>> places(std::span<const Query> queries, std::size_t candidates) const override;

 private:
  struct OnRing {
    std::uint64_t hash;
    std::uint32_t rank;

    friend auto operator<=>(const OnRing&, const OnRing&) = default;
  };
  // The first one at or after a query's record, as a position in ring_; its end: there is none before the ring begins
  // again.
  [[nodiscard]] std::vector<OnRing>::const_iterator first_for(const Query& query) const;

  CandidateTable candidates_;
  std::uint64_t seed_;
  std::vector<OnRing> ring_;
};

}  // namespace residue::index
