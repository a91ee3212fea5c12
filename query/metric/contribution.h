// What one record adds to one metric, as integers: sums are exact, free of order, and can be taken back.
#pragma once

#include <cstdint>
#include <string>

#include "query/metric/metrics.h"

namespace residue::query {

// Failed and missing are lost: they count as leaked in the headline (the worst value for utility).
enum class State : std::uint8_t { kValue = 0, kFailed = 1, kMissing = 2, kNotApplicable = 3 };

// How the attack ended for a record.
enum class Outcome : std::uint8_t { kNone = 0, kRight = 1, kWrong = 2, kNotLinked = 3 };
inline constexpr std::size_t kOutcomes = 4;

inline constexpr std::int64_t kOne = std::int64_t{1} << 32;  // 1.0 in fixed point

// round(num / den * 2^32), halves up; den > 0. Exact for |num| < 2^30.
constexpr std::int64_t fixed(std::int64_t num, std::int64_t den) {
  const std::int64_t scaled = 2 * num * kOne + den;
  const std::int64_t quotient = scaled / (2 * den);
  return scaled % (2 * den) < 0 ? quotient - 1 : quotient;
}

// The nearest fixed-point number to a double in [-1, 1], halves away from zero.
std::int64_t fixed(double value);

struct Contribution {
  MetricId metric{};
  Outcome slice = Outcome::kNone;
  State state = State::kNotApplicable;
  std::int64_t num = 0;   // lost records: if everything missing leaked
  std::int64_t den = 0;   // 1 for means and shares, units for pooled rates, 0 where nothing is counted
  std::int64_t best = 0;  // lost records: if nothing missing leaked; otherwise = num
  std::string cut = {};   // the named part of the metric that this is of ("Age"); empty: the whole

  friend bool operator==(const Contribution&, const Contribution&) = default;
};

}  // namespace residue::query
