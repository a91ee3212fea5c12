#include "query/paired.h"

#include <array>
#include <memory>

namespace residue::query {
namespace {

__extension__ typedef __int128 Wide;  // Exact products of two sums.

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

using Sums = std::array<std::int64_t, kReplicates>;

struct SampledSums {
  Sums num_a{}, den_a{}, num_b{}, den_b{};
};

double scale(bool fixed_point) { return fixed_point ? static_cast<double>(kOne) : 1.0; }

double ratio(std::int64_t num, std::int64_t den) { return static_cast<double>(num) / static_cast<double>(den); }

}  // namespace

PairedDelta paired_delta(std::span<const PairedUnit> units, bool fixed_point) {
  PairedDelta result;
  const Totals sum = totals_of(units);
  const double one = scale(fixed_point);
  if (sum.den_a != 0) result.a = ratio(sum.num_a, sum.den_a) / one;
  if (sum.den_b != 0) result.b = ratio(sum.num_b, sum.den_b) / one;
  if (!result.a || !result.b) return result;
  const bool same = same_denominators(units);
  // With one denominator the difference is one ratio, and exactly zero where the numerators agree.
  result.difference = same ? ratio(sum.num_b - sum.num_a, sum.den_a) / one : *result.b - *result.a;

  const auto sampled = std::make_unique<SampledSums>();
  Weights weights;
  for (const PairedUnit& unit : units) {
    draw_weights(unit.unit, weights);
    add_weighted(weights, unit.den_a, sampled->den_a);
    if (same) {
      add_weighted(weights, unit.num_b - unit.num_a, sampled->num_b);
    } else {
      add_weighted(weights, unit.num_a, sampled->num_a);
      add_weighted(weights, unit.num_b, sampled->num_b);
      add_weighted(weights, unit.den_b, sampled->den_b);
    }
  }
  std::vector<double> values;
  values.reserve(kReplicates);
  for (std::size_t b = 0; b < kReplicates; ++b) {
    if (sampled->den_a[b] == 0 || (!same && sampled->den_b[b] == 0)) continue;
    const double value =
        same ? ratio(sampled->num_b[b], sampled->den_a[b])
             : ratio(sampled->num_b[b], sampled->den_b[b]) - ratio(sampled->num_a[b], sampled->den_a[b]);
    values.push_back(value / one);
  }
  result.interval = percentile_interval(values);
  return result;
}

std::vector<std::int64_t> unit_differences(std::span<const PairedUnit> units) {
  std::vector<std::int64_t> differences;
  differences.reserve(units.size());
  if (same_denominators(units)) {
    for (const PairedUnit& unit : units) differences.push_back(unit.num_b - unit.num_a);
    return differences;
  }
  const Totals sum = totals_of(units);
  const Wide num = Wide{sum.num_a} + sum.num_b;
  const Wide den = Wide{sum.den_a} + sum.den_b;
  std::vector<Wide> wide;
  wide.reserve(units.size());
  Wide magnitude = 0;
  for (const PairedUnit& unit : units) {
    wide.push_back((Wide{unit.num_b} - unit.num_a) * den - (Wide{unit.den_b} - unit.den_a) * num);
    magnitude += wide.back() < 0 ? -wide.back() : wide.back();
  }
  Wide divisor = 1;
  while (magnitude / divisor >= (Wide{1} << 62)) divisor *= 2;
  for (const Wide value : wide) differences.push_back(static_cast<std::int64_t>(value / divisor));
  return differences;
}

}  // namespace residue::query
