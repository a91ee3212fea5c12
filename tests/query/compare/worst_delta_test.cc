#include "query/compare/worst_delta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
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
double by_definition(const std::vector<PairedRecord>& records, std::int64_t PairedRecord::*side, std::int64_t parts,
                     std::size_t replicate) {
  std::vector<std::int64_t> written;
  for (const PairedRecord& record : records) {
    numbers::Weights weights;
    numbers::draw_weights(record.unit, weights);
    written.insert(written.end(), weights[replicate], record.*side);
  }
  std::sort(written.begin(), written.end());
  const std::size_t wanted = (written.size() + static_cast<std::size_t>(parts) - 1) / static_cast<std::size_t>(parts);
  double sum = 0;
  for (std::size_t i = 0; i < wanted; ++i) sum += static_cast<double>(written[i]);
  return sum / static_cast<double>(wanted) / static_cast<double>(kOne);
}

TEST(WorstDelta, IsComputedByHand) {
  // Of three records the worst half is two: a 0 and 0.25, b 0.5 and 0.5.
  const std::vector<PairedRecord> records{{1, 0, kOne / 2}, {2, kOne, kOne / 2}, {3, kOne / 4, kOne}};
  const PairedDelta delta = worst_delta(records, 2);
  EXPECT_DOUBLE_EQ(*delta.a, 0.125);
  EXPECT_DOUBLE_EQ(*delta.b, 0.5);
  EXPECT_DOUBLE_EQ(*delta.difference, 0.375);
  EXPECT_FALSE(worst_delta({}, 10).difference);
}

TEST(WorstDelta, HasNoIntervalOfOnePerson) {
  const std::vector<PairedRecord> records{{1, 0, kOne / 2}, {1, kOne, kOne / 2}};
  EXPECT_DOUBLE_EQ(*worst_delta(records, 2).difference, 0.5);
  EXPECT_FALSE(worst_delta(records, 2).interval);
}

TEST(WorstDelta, EqualsTheBootstrapByDefinition) {
  const auto records = some_records(61);
  for (const std::int64_t parts : {10, 20}) {
    SCOPED_TRACE(parts);
    std::vector<double> values;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      values.push_back(by_definition(records, &PairedRecord::b, parts, b) -
                       by_definition(records, &PairedRecord::a, parts, b));
    }
    const auto expected = numbers::percentile_interval(values);
    const auto interval = worst_delta(records, parts).interval;
    EXPECT_NEAR(interval->low, expected->low, 1e-12);
    EXPECT_NEAR(interval->high, expected->high, 1e-12);
  }
}

}  // namespace
}  // namespace residue::query
