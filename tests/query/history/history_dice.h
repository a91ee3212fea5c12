// The choices of a random history: the same seed, the same choices, on any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "base/hash.h"

namespace residue::query::testing {

// Few words, so that ties, equal texts and shared claims are common.
inline constexpr std::array kWords = {"Ann",      "nurse", "45",   "Köln", "lives",
                                      "diabetes", "naïve", "日本", "the",  "zebra"};

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed + 1) {}
  std::uint64_t below(std::uint64_t n) { return mix(++state_ * 0x9e3779b97f4a7c15ULL) % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  std::string words(std::uint64_t least, std::uint64_t most) {
    std::string text;
    const std::uint64_t count = least + below(most - least + 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      text += (i == 0 ? "" : " ") + std::string(kWords[below(kWords.size())]);
    }
    return text;
  }
  std::string text() { return one_in(8) ? "" : words(2, 5) + ". " + words(1, 4) + "."; }
  template <class Rows>
  void shuffle(Rows& rows) {
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[below(i)]);
  }
  template <class Map>
  auto pick(const Map& map) {
    return std::next(map.begin(), static_cast<std::ptrdiff_t>(below(map.size())));
  }

 private:
  std::uint64_t state_;
};

}  // namespace residue::query::testing
