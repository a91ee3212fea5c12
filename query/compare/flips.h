// Claims that one run gives away and another does not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/compare/paired_scores.h"
#include "query/report/leaks.h"

namespace residue::query {

struct Flip {
  std::string record;
  std::uint32_t n = 0;      // of the claim
  bool leaked = false;      // true: leaked in the second run and not in the first; false: the other way round
  std::uint8_t rating = 1;  // where it leaked: 1 same, 2 similar
  std::vector<std::string> categories;
};

struct Flips {
  std::uint64_t became_leaked = 0, became_private = 0;  // before the limit
  std::uint64_t leaked_in_both = 0;
  // Claims of records that have ratings on one side only: on the other they count as leaked, nobody knows if they did.
  std::uint64_t lost = 0;    // private in the first run, of records that failed or are missing in the second
  std::uint64_t gained = 0;  // private in the second run, of records that failed or are missing in the first
  std::vector<Flip> flips;   // those that became leaked first; then by rating, record and n
};

struct FlipInput {
  std::vector<Leak> a, b;                      // of both runs, in any order
  std::vector<ScoredRecord> rates_a, rates_b;  // `leak_rate`: which records have ratings, and of how many claims
  std::unordered_map<RecordId, std::string> keys;
};

// Claims of records that are rated in both runs. `limit`: of each kind; 0: all.
Flips find_flips(const FlipInput& input, std::size_t limit);

}  // namespace residue::query
