// Logarithms of ranks to the base 2 as whole numbers, the same on every machine: no library's rounding is in them.
//
// log2(n) is in units of 2^-32: the digits before the point are the position of n's highest bit; each of the 32 behind
// it comes of squaring what is left, a 64-bit number from 1 to 2 whose further digits are cut off, and asking whether
// that is 2 or more. What is cut off is less than a unit and a half.
#pragma once

#include <cstdint>
#include <vector>

namespace residue::query {

// Of n > 0.
std::int64_t log2_fixed(std::uint64_t n);

// Sums of logarithms, of which means over ranks are made. Memory: 8 bytes for each rank.
class LogRanks {
 public:
  // Of the ranks 1 to `most`; most > 0, and at most 2^26.
  explicit LogRanks(std::uint32_t most);

  // The mean of log2(r) over the ranks from `first` to `last`, both in 1 ... most, rounded to the nearest unit.
  [[nodiscard]] std::int64_t mean(std::uint32_t first, std::uint32_t last) const;
  // Over all ranks: (log2 most!) / most.
  [[nodiscard]] std::int64_t by_chance() const { return mean(1, static_cast<std::uint32_t>(sums_.size() - 1)); }

 private:
  std::vector<std::int64_t> sums_;  // by rank, of all up to it
};

}  // namespace residue::query
