#include "query/compare/worst_delta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace residue::query {
namespace {

std::vector<PairedRecord> some_records(std::size_t count) {
  std::vector<PairedRecord> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix(i + 5);
    records.push_back({mix(i / 2), static_cast<std::int64_t>(dice % 1000) * (kOne / 1000),
                       static_cast<std::int64_t>((dice >> 20U) % 1000) * (kOne / 1000)});
  }
  return records;
}

// The mean of the worst, every record written as often as it counts.
// The worst 1 / `parts` of a replicate, with a phantom of this value (0 or 1).
double by_definition(const std::vector<PairedRecord>& records, std::int64_t PairedRecord::*side, std::int64_t parts,
                     std::size_t replicate, double phantom) {
  std::set<std::uint64_t> units;
  std::vector<std::pair<double, double>> written;  // value, weight
  double all = 0;
  for (const PairedRecord& record : records) {
    numbers::Weights weights;
    numbers::draw_weights(record.unit, weights);
    units.insert(record.unit);
    written.emplace_back(static_cast<double>(record.*side) / static_cast<double>(kOne), weights[replicate]);
    all += weights[replicate];
  }
  const double more = std::floor(numbers::phantom_weights()[replicate] * static_cast<double>(records.size()) /
                                     static_cast<double>(units.size()) +
                                 0.5);
  written.emplace_back(phantom, more);
  all += more;
  std::sort(written.begin(), written.end());
  const double wanted = all / static_cast<double>(parts);
  double left = wanted, sum = 0;
  for (const auto& [value, weight] : written) {
    const double taken = std::min(left, weight);
    sum += taken * value;
    left -= taken;
  }
  return sum / wanted;
}

TEST(WorstDelta, IsComputedByHand) {
  // Of three records the worst half is one and a half: a 0 and half of 0.25, b 0.5 and 0.5.
  const std::vector<PairedRecord> records{{1, 0, kOne / 2}, {2, kOne, kOne / 2}, {3, kOne / 4, kOne}};
  const PairedDelta delta = worst_delta(records, 2);
  EXPECT_DOUBLE_EQ(*delta.a, 0.125 / 1.5);
  EXPECT_DOUBLE_EQ(*delta.b, 0.5);
  EXPECT_DOUBLE_EQ(*delta.difference, 0.5 - 0.125 / 1.5);
  EXPECT_FALSE(worst_delta({}, 10).difference);
}

TEST(WorstDelta, EqualsTheBootstrapByDefinition) {
  const auto records = some_records(61);
  for (const std::int64_t parts : {10, 20}) {
    SCOPED_TRACE(parts);
    std::vector<double> lows, highs;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      lows.push_back(by_definition(records, &PairedRecord::b, parts, b, 0) -
                     by_definition(records, &PairedRecord::a, parts, b, 1));
      highs.push_back(by_definition(records, &PairedRecord::b, parts, b, 1) -
                      by_definition(records, &PairedRecord::a, parts, b, 0));
    }
    const auto delta = worst_delta(records, parts);
    const auto expected = numbers::phantom_interval(lows, highs, *delta.difference);
    const auto& interval = delta.interval;
    EXPECT_NEAR(interval->low, expected.low, 1e-9);
    EXPECT_NEAR(interval->high, expected.high, 1e-9);
  }
}

}  // namespace
}  // namespace residue::query
