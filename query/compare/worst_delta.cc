#include "query/compare/worst_delta.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>
#include <vector>

#include "query/metric/metric_values.h"

namespace residue::query {
namespace {

using Sums = numbers::ReplicateSums;

// What the worst of one replicate come to: a record of weight w can give parts * w, and as much is wanted as all weigh.
struct Worst {
  std::int64_t left = 0, sum = 0;

  void take(std::int64_t weight, std::int64_t num) {
    const std::int64_t taken = std::min(left, weight);
    sum += taken * num;
    left -= taken;
  }
};

// Record numbers, worst first.
std::vector<std::size_t> order_of(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return records[i].*side < records[j].*side; });
  return order;
}

double mean_of(std::int64_t sum, std::int64_t weight) {
  return static_cast<double>(sum) / static_cast<double>(weight) / static_cast<double>(kOne);
}

double plain_mean(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side, std::int64_t parts) {
  const auto total = static_cast<std::int64_t>(records.size());
  Worst worst{total};
  for (const std::size_t i : order_of(records, side)) worst.take(parts, records[i].*side);
  return mean_of(worst.sum, total);
}

// Sums of the worst in every replicate, of `wanted` in all; the phantom's weight is `phantoms`, his value 0 or 1.
Sums worst_sums(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side, std::int64_t parts,
                const std::vector<numbers::Weights>& weights, const Sums& wanted, const Sums& phantoms, bool exposed) {
  std::vector<Worst> replicates(numbers::kReplicates);
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    replicates[b].left = wanted[b];
    if (exposed) replicates[b].take(parts * phantoms[b], 0);
  }
  for (const std::size_t i : order_of(records, side)) {
    std::int64_t open = 0;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      replicates[b].take(parts * weights[i][b], records[i].*side);
      open |= replicates[b].left;
    }
    if (open == 0) break;
  }
  Sums sums{};
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    if (!exposed) replicates[b].take(parts * phantoms[b], kOne);
    sums[b] = replicates[b].sum;
  }
  return sums;
}

}  // namespace

PairedDelta worst_delta(std::span<const PairedRecord> records, std::int64_t parts) {
  PairedDelta result;
  if (records.empty()) return result;
  result.a = plain_mean(records, &PairedRecord::a, parts);
  result.b = plain_mean(records, &PairedRecord::b, parts);
  result.difference = told_difference(*result.b - *result.a);
  std::vector<numbers::Weights> weights(records.size());
  std::unordered_set<std::uint64_t> units;
  Sums wanted{}, phantoms{};
  for (std::size_t i = 0; i < records.size(); ++i) {
    numbers::draw_weights(records[i].unit, weights[i]);
    numbers::add_weighted(weights[i], 1, wanted);
    units.insert(records[i].unit);
  }
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    phantoms[b] =
        numbers::phantom_share(b, static_cast<std::int64_t>(records.size()), static_cast<std::int64_t>(units.size()));
    wanted[b] += phantoms[b];
  }
  const auto sums = [&](std::int64_t PairedRecord::*side, bool exposed) {
    return worst_sums(records, side, parts, weights, wanted, phantoms, exposed);
  };
  const Sums a_private = sums(&PairedRecord::a, false), b_exposed = sums(&PairedRecord::b, true);
  const Sums a_exposed = sums(&PairedRecord::a, true), b_private = sums(&PairedRecord::b, false);
  std::vector<double> lows, highs;
  for (std::size_t i = 0; i < numbers::kReplicates; ++i) {
    if (wanted[i] == 0) continue;
    lows.push_back(mean_of(b_exposed[i] - a_private[i], wanted[i]));
    highs.push_back(mean_of(b_private[i] - a_exposed[i], wanted[i]));
  }
  const numbers::Interval interval = numbers::phantom_interval(lows, highs, *result.b - *result.a);
  result.interval = numbers::Interval{told_difference(interval.low), told_difference(interval.high)};
  return result;
}

}  // namespace residue::query
