#include "model/limits/plateau.h"

#include <algorithm>
#include <cmath>

namespace residue::model {

// At least so many lengths from the longest on whose counts all are within `band` of the largest, and of which the
// longest has `growth` times the bytes of the shortest.
struct Plateau::Rule {
  std::size_t lengths;
  double growth, band;
  std::int64_t least;  // count: smaller ones are equal by chance too often
};

namespace {

constexpr double kAlike = 1.004;      // lengths that differ by less are one
constexpr std::size_t kOneInSo = 10;  // lengths a count may be smaller: texts that have few tokens for their bytes
constexpr std::size_t kMostSmaller = 25;

}  // namespace

void Plateau::add(std::uint64_t bytes, std::int64_t counted) {
  if (bytes == 0) return;
  most_ = std::max(most_, counted);
  Alike& alike = alike_[static_cast<std::int64_t>(std::log(static_cast<double>(bytes)) / std::log(kAlike))];
  alike.bytes = bytes;
  alike.counted[alike.seen++ % alike.counted.size()] = counted;
}

std::optional<std::int64_t> Plateau::floor() const {
  static constexpr std::array<Rule, 3> kRules = {{{3, 1.08, 0, 512}, {6, 1.03, 0, 128}, {8, 1.08, 0.02, 128}}};
  for (const Rule& rule : kRules) {
    if (const auto found = floor_by(rule)) return found;
  }
  return std::nullopt;
}

std::optional<std::int64_t> Plateau::floor_by(const Rule& rule) const {
  if (most_ < rule.least) return std::nullopt;
  const auto band = static_cast<std::int64_t>(rule.band * static_cast<double>(most_));
  std::size_t lengths = 0, smaller = 0;
  std::int64_t floor = most_;
  std::uint64_t longest = 0;
  for (const auto& [place, alike] : alike_) {
    bool at_cap = false;
    for (std::size_t i = 0; i < std::min(alike.seen, alike.counted.size()); ++i) {
      const std::int64_t counted = alike.counted[i];
      if (counted < most_ - band) {
        ++smaller;
      } else {
        at_cap = true;
        floor = std::min(floor, counted);
      }
    }
    if (smaller > kMostSmaller) break;
    if (!at_cap) continue;
    if (lengths++ == 0) longest = alike.bytes;
    const double growth = static_cast<double>(longest) / static_cast<double>(alike.bytes);
    if (lengths >= rule.lengths && growth >= rule.growth && smaller * kOneInSo <= lengths) return floor;
  }
  return std::nullopt;
}

}  // namespace residue::model
