#include "query/compare/paired.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>

#include "query/metric/metric_values.h"

namespace residue::query {
namespace {

__extension__ typedef __int128 Wide;  // Exact products of two sums.

Wide absolute(Wide value) { return value < 0 ? -value : value; }

struct Totals {
  std::int64_t num_a = 0, den_a = 0, num_b = 0, den_b = 0;
};

Totals totals_of(std::span<const PairedUnit> units) {
  Totals sum;
  for (const PairedUnit& unit : units) {
    sum.num_a += unit.num_a;
    sum.den_a += unit.den_a;
    sum.num_b += unit.num_b;
    sum.den_b += unit.den_b;
  }
  return sum;
}

bool same_denominators(std::span<const PairedUnit> units) {
  for (const PairedUnit& unit : units) {
    if (unit.den_a != unit.den_b) return false;
  }
  return true;
}

using Sums = numbers::ReplicateSums;

struct SampledSums {
  Sums num_a{}, den_a{}, num_b{}, den_b{};
};

double scale(bool fixed_point) { return fixed_point ? static_cast<double>(kOne) : 1.0; }

// How far a unit's difference of fixed-point numbers may be from the exact one, in units of 2^-32.
std::int64_t rounding(const PairedUnit& unit) { return (unit.den_a + unit.den_b) * kRoundedBy; }

// The least denominator of a fraction in [low, high] / 2^32, 0 <= low <= high: both ends have the same continued
// fraction up to its last term.
std::int64_t simplest_denominator(std::int64_t low, std::int64_t high) {
  std::array<std::int64_t, 64> terms{};  // 2^32 has at most 47
  std::size_t count = 0;
  std::int64_t low_den = kOne, high_den = kOne;
  while (true) {
    terms[count++] = low / low_den;
    const std::int64_t low_rest = low % low_den, high_rest = high % high_den;
    if (low_rest == 0) break;
    if (low / low_den != high / high_den) {
      ++terms[count - 1];
      break;
    }
    // 1 / (x - term): the ends change places.
    low = std::exchange(high_den, high_rest);
    high = std::exchange(low_den, low_rest);
    std::swap(low_den, high_den);
  }
  std::int64_t num = terms[count - 1], den = 1;
  for (std::size_t i = count - 1; i-- > 0;) {
    const std::int64_t next = terms[i] * num + den;
    den = num;
    num = next;
  }
  return den;
}

// The differences as multiples of the one fraction that all of them are multiples of within their rounding; nothing
// where there is none so simple that no other is as near. Fixed-point numerators over the same denominators.
std::optional<std::vector<std::int64_t>> in_steps(std::span<const PairedUnit> units,
                                                  const std::vector<std::int64_t>& differences) {
  std::int64_t common = 1;  // denominator
  std::int64_t most = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::int64_t error = rounding(units[i]);
    const std::int64_t size = std::abs(differences[i]);
    most = std::max(most, error);
    const std::int64_t den = simplest_denominator(std::max<std::int64_t>(0, size - error), size + error);
    // Two fractions of such denominators differ by more than the rounding does.
    if (Wide{den} * den * 2 * error >= kOne) return std::nullopt;
    common = std::lcm(common, den);
    if (Wide{common} * 4 * most >= kOne) return std::nullopt;
  }
  std::vector<std::int64_t> steps;
  steps.reserve(units.size());
  for (const std::int64_t difference : differences) {
    const Wide scaled = Wide{difference} * common + (difference < 0 ? -kOne / 2 : kOne / 2);
    steps.push_back(static_cast<std::int64_t>(scaled / kOne));
  }
  return steps;
}

double ratio(std::int64_t num, std::int64_t den) { return static_cast<double>(num) / static_cast<double>(den); }

UnitDifferences of_other_denominators(std::span<const PairedUnit> units, bool fixed_point) {
  const Totals sum = totals_of(units);
  const Wide num = Wide{sum.num_a} + sum.num_b;
  const Wide den = Wide{sum.den_a} + sum.den_b;
  const Wide error = fixed_point ? den * kRoundedBy : Wide{0};  // of `num`
  std::vector<Wide> wide, off;
  Wide magnitude = 0, slack = 0;
  for (const PairedUnit& unit : units) {
    const Wide changed = Wide{unit.den_b} - unit.den_a;
    wide.push_back((Wide{unit.num_b} - unit.num_a) * den - changed * num);
    off.push_back(fixed_point ? rounding(unit) * den + absolute(changed) * error : Wide{0});
    magnitude += absolute(wide.back());
    slack += 2 * off.back();
  }
  Wide divisor = 1;
  while ((magnitude + slack) / divisor >= (Wide{1} << 62)) divisor *= 2;
  UnitDifferences result;
  result.sizes.reserve(units.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const Wide size = absolute(wide[i]) <= off[i] ? 0 : wide[i] / divisor;
    result.sizes.push_back(static_cast<std::int64_t>(size));
  }
  result.slack = static_cast<std::int64_t>(slack / divisor);
  // What halving cut off: less than one of each size, twice, and one of the slack.
  if (divisor > 1) result.slack += 2 * static_cast<std::int64_t>(units.size()) + 1;
  return result;
}

}  // namespace

PairedDelta paired_delta(std::span<const PairedUnit> units, bool fixed_point, numbers::Interval range) {
  PairedDelta result;
  const Totals sum = totals_of(units);
  const double one = scale(fixed_point);
  if (sum.den_a != 0) result.a = ratio(sum.num_a, sum.den_a) / one;
  if (sum.den_b != 0) result.b = ratio(sum.num_b, sum.den_b) / one;
  if (!result.a || !result.b) return result;
  const bool same = same_denominators(units);
  // With one denominator the difference is one ratio, and exactly zero where the numerators agree.
  const double difference = same ? ratio(sum.num_b - sum.num_a, sum.den_a) / one : *result.b - *result.a;
  result.difference = told_difference(difference);

  const auto sampled = std::make_unique<SampledSums>();
  numbers::Weights weights;
  for (const PairedUnit& unit : units) {
    numbers::draw_weights(unit.unit, weights);
    numbers::add_weighted(weights, unit.den_a, sampled->den_a);
    if (same) {
      numbers::add_weighted(weights, unit.num_b - unit.num_a, sampled->num_b);
    } else {
      numbers::add_weighted(weights, unit.num_a, sampled->num_a);
      numbers::add_weighted(weights, unit.num_b, sampled->num_b);
      numbers::add_weighted(weights, unit.den_b, sampled->den_b);
    }
  }
  const auto persons = static_cast<std::int64_t>(
      std::ranges::count_if(units, [](const PairedUnit& unit) { return unit.den_a != 0 || unit.den_b != 0; }));
  const auto least = static_cast<std::int64_t>(std::llround(range.low * one));
  const auto greatest = static_cast<std::int64_t>(std::llround(range.high * one));
  std::vector<double> lows, highs;
  lows.reserve(numbers::kReplicates);
  highs.reserve(numbers::kReplicates);
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    const std::int64_t more_a = numbers::phantom_share(b, sum.den_a, persons);
    const std::int64_t more_b = same ? more_a : numbers::phantom_share(b, sum.den_b, persons);
    const std::int64_t den_a = sampled->den_a[b] + more_a, den_b = sampled->den_b[b] + more_b;
    if (den_a == 0 || (!same && den_b == 0)) continue;
    // The phantom has `from` in the baseline and `to` in the other run.
    const auto with = [&](std::int64_t from, std::int64_t to) {
      if (same) return ratio(sampled->num_b[b] + more_a * (to - from), den_a) / one;
      return (ratio(sampled->num_b[b] + more_b * to, den_b) - ratio(sampled->num_a[b] + more_a * from, den_a)) / one;
    };
    lows.push_back(with(greatest, least));
    highs.push_back(with(least, greatest));
  }
  if (!lows.empty()) {
    const numbers::Interval interval = numbers::phantom_interval(lows, highs, difference);
    result.interval = numbers::Interval{told_difference(interval.low), told_difference(interval.high)};
  }
  return result;
}

std::optional<double> detectable_difference(const PairedDelta& delta) {
  if (!delta.interval) return std::nullopt;
  constexpr double kInterval = 1.960, kFourOfFive = 0.842;  // quantiles of the normal distribution
  const double half = (delta.interval->high - delta.interval->low) / 2;
  return half * (kInterval + kFourOfFive) / kInterval;
}

UnitDifferences unit_differences(std::span<const PairedUnit> units, bool fixed_point) {
  if (!same_denominators(units)) return of_other_denominators(units, fixed_point);
  UnitDifferences result;
  result.sizes.reserve(units.size());
  for (const PairedUnit& unit : units) result.sizes.push_back(unit.num_b - unit.num_a);
  if (!fixed_point) return result;
  if (auto steps = in_steps(units, result.sizes)) return {*std::move(steps), 0};
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::int64_t error = rounding(units[i]);
    if (std::abs(result.sizes[i]) <= error) result.sizes[i] = 0;
    result.slack += 2 * error;  // of the sum that is looked at, and of the observed one
  }
  return result;
}

}  // namespace residue::query
