// The ages of a record moved by one number of years, however they are written: "34-year-old", "aged 34", "thirty-four".
//
// Ages that moved each by its own number would give themselves away: two written forms of one age stand for what both
// of them can be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/draws.h"

namespace residue::ingest {

class ShiftedAges {
 public:
  // One to four years up or down, by the draws of the scope.
  explicit ShiftedAges(const Draws& draws);

  // Says that `original` is going to be moved, before any is: of the steps that can be drawn one is taken under which
  // all ages of the record stay above nothing and keep their number of digits, where there is one.
  void expect(std::string_view original);

  // All numbers of an age moved, in digits or in words; fractions stay. An age that would lose or gain a digit moves
  // the other way. A later attempt is another step.
  std::string moved(std::string_view original, std::uint64_t attempt);

 private:
  [[nodiscard]] int step(std::uint64_t attempt);

  std::array<int, 8> steps_{};         // all of them, in the order in which they were drawn
  std::optional<std::size_t> chosen_;  // among them, as soon as an age was moved
  std::vector<std::string> expected_;
};

}  // namespace residue::ingest
