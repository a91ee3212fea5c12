#include "query/compare/worst_delta.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "query/metric/metric_values.h"

namespace residue::query {
namespace {

using Sums = std::array<std::int64_t, numbers::kReplicates>;

std::int64_t worst_of(std::int64_t total, std::int64_t parts) { return (total + parts - 1) / parts; }

// Record numbers, worst first.
std::vector<std::size_t> order_of(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return records[i].*side < records[j].*side; });
  return order;
}

double plain_mean(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side, std::int64_t parts) {
  const std::vector<std::size_t> order = order_of(records, side);
  const auto wanted = worst_of(static_cast<std::int64_t>(records.size()), parts);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < wanted; ++i) sum += records[order[static_cast<std::size_t>(i)]].*side;
  return static_cast<double>(sum) / static_cast<double>(wanted) / static_cast<double>(kOne);
}

// Sums of the worst in every replicate; `wanted` says how many.
Sums worst_sums(std::span<const PairedRecord> records, std::int64_t PairedRecord::*side,
                const std::vector<numbers::Weights>& weights, const Sums& wanted) {
  Sums left = wanted;
  Sums sums{};
  std::int64_t open = std::accumulate(left.begin(), left.end(), std::int64_t{0});
  for (const std::size_t i : order_of(records, side)) {
    if (open == 0) break;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      const std::int64_t take = std::min<std::int64_t>(left[b], weights[i][b]);
      sums[b] += take * (records[i].*side);
      left[b] -= take;
      open -= take;
    }
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
  const auto another = [&](const PairedRecord& one) { return one.unit != records.front().unit; };
  if (std::none_of(records.begin(), records.end(), another)) return result;
  std::vector<numbers::Weights> weights(records.size());
  Sums wanted{};
  for (std::size_t i = 0; i < records.size(); ++i) {
    numbers::draw_weights(records[i].unit, weights[i]);
    numbers::add_weighted(weights[i], 1, wanted);
  }
  for (std::int64_t& total : wanted) total = worst_of(total, parts);
  const Sums a = worst_sums(records, &PairedRecord::a, weights, wanted);
  const Sums b = worst_sums(records, &PairedRecord::b, weights, wanted);
  std::vector<double> values;
  for (std::size_t i = 0; i < numbers::kReplicates; ++i) {
    if (wanted[i] == 0) continue;
    values.push_back(static_cast<double>(b[i] - a[i]) / static_cast<double>(wanted[i]) / static_cast<double>(kOne));
  }
  if (const auto interval = numbers::percentile_interval(values)) {
    result.interval = numbers::Interval{told_difference(interval->low), told_difference(interval->high)};
  }
  return result;
}

}  // namespace residue::query
