#include "query/people/intruder_rates.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "numbers/stats/bootstrap.h"
#include "query/metric/contribution.h"

namespace residue::query {
namespace {

using numbers::kReplicates;

std::int64_t in_fixed_point(double value) { return std::llround(value * static_cast<double>(kOne)); }

std::size_t units_of(const std::vector<SampledValues::One>& of) {
  std::set<std::uint64_t> units;
  for (const SampledValues::One& one : of) units.insert(one.unit);
  return units.size();
}

// Weighted sums of one stratum, replicate by replicate.
struct Resampled {
  numbers::ReplicateSums value{}, count{}, sampled{};  // of values; of those that count; of all
  std::int64_t n = 0, units = 0;
};

Resampled resampled(const std::vector<SampledValues::One>& of) {
  Resampled sums;
  numbers::Weights weights{};
  for (const SampledValues::One& one : of) {
    numbers::draw_weights(one.unit, weights);
    numbers::add_weighted(weights, in_fixed_point(one.value), sums.value);
    numbers::add_weighted(weights, one.counts ? 1 : 0, sums.count);
    numbers::add_weighted(weights, 1, sums.sampled);
  }
  sums.n = static_cast<std::int64_t>(of.size());
  sums.units = static_cast<std::int64_t>(units_of(of));
  return sums;
}

numbers::Interval alike(const std::vector<SampledValues::One>& counted, double value, double least) {
  const Resampled sums = resampled(counted);
  return numbers::ratio_interval({.num = sums.value,
                                  .den = sums.sampled,
                                  .total = sums.n,
                                  .units = sums.units,
                                  .least = in_fixed_point(least),
                                  .greatest = kOne,
                                  .one = static_cast<double>(kOne)},
                                 value);
}

std::vector<std::vector<SampledValues::One>> by_stratum(const SampledValues& values, std::size_t strata) {
  std::vector<std::vector<SampledValues::One>> of(strata);
  for (const SampledValues::One& one : values.all) {
    if (one.stratum < strata) of[one.stratum].push_back(one);
  }
  return of;
}

// Each stratum's mean is that of its own replicate, with a phantom that counts.
numbers::Interval stratified(const SampledValues& values, const std::vector<double>& shares, double value,
                             double least) {
  std::vector<double> lows(kReplicates), highs(kReplicates), counted(kReplicates);
  const auto strata = by_stratum(values, shares.size());
  for (std::size_t h = 0; h < shares.size(); ++h) {
    if (shares[h] == 0) continue;
    const Resampled sums = resampled(strata[h]);
    for (std::size_t b = 0; b < kReplicates; ++b) {
      const std::int64_t more = numbers::phantom_share(b, sums.n, sums.units);
      const double all = static_cast<double>(sums.sampled[b] + more), one = static_cast<double>(kOne);
      if (all == 0) continue;
      const double sum = static_cast<double>(sums.value[b]) / one;
      lows[b] += shares[h] * (sum + static_cast<double>(more) * least) / all;
      highs[b] += shares[h] * (sum + static_cast<double>(more)) / all;
      counted[b] += shares[h] * static_cast<double>(sums.count[b] + more) / all;
    }
  }
  std::size_t kept = 0;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    if (counted[b] == 0) continue;
    lows[kept] = lows[b] / counted[b];
    highs[kept++] = highs[b] / counted[b];
  }
  return numbers::phantom_interval(std::span(lows).first(kept), std::span(highs).first(kept), value);
}

}  // namespace

std::optional<double> stratified_mean(const SampledValues& values, const std::vector<double>& shares) {
  const auto strata = by_stratum(values, shares.size());
  double sum = 0, counted = 0;
  for (std::size_t h = 0; h < shares.size(); ++h) {
    if (shares[h] == 0) continue;
    if (strata[h].empty()) return std::nullopt;
    double found = 0, count = 0;
    for (const SampledValues::One& one : strata[h]) {
      found += one.value;
      count += one.counts ? 1 : 0;
    }
    const double share = shares[h] / static_cast<double>(strata[h].size());
    sum += share * found;
    counted += share * count;
  }
  if (counted == 0) return std::nullopt;
  return sum / counted;
}

IntruderRate rate_of(const SampledValues& values, const StratumShares& shares, double least) {
  std::vector<SampledValues::One> counted;
  std::ranges::copy_if(values.all, std::back_inserter(counted), &SampledValues::One::counts);
  IntruderRate rate;
  rate.n = counted.size();
  for (const SampledValues::One& one : counted) rate.hits += one.value;
  if (rate.n < kFewestAttempts || !shares.known) return rate;
  numbers::Interval interval;
  if (!shares.of.empty()) {
    rate.value = stratified_mean(values, shares.of);
    if (!rate.value) return rate;
    interval = stratified(values, shares.of, *rate.value, least);
  } else {
    rate.value = rate.hits / static_cast<double>(rate.n);
    const bool whole =
        least == 0 && std::ranges::all_of(counted, [](const auto& one) { return one.value == 0 || one.value == 1; });
    interval = whole && units_of(counted) == counted.size()
                   ? numbers::wilson_interval(std::llround(rate.hits), static_cast<std::int64_t>(rate.n))
                   : alike(counted, *rate.value, least);
  }
  rate.low = interval.low;
  rate.high = interval.high;
  return rate;
}

}  // namespace residue::query
