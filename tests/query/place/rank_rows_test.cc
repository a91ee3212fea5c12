// Metrics of ranks, by hand.
#include "query/place/rank_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "query/place/log_ranks.h"

namespace residue::query {
namespace {

PlacedRecord stands(std::uint64_t unit, std::uint32_t ahead, std::uint32_t level = 0) {
  PlacedRecord target{State::kValue, unit, {}};
  target.place.attacked = true;
  target.place.ahead = ahead;
  target.place.level = level;
  return target;
}

std::map<std::string, MetricRow> rows_of(const std::vector<PlacedRecord>& targets, std::size_t candidates) {
  std::map<std::string, MetricRow> rows;
  for (const MetricRow& row : rank_rows(targets, candidates, true)) {
    rows[std::string(definition(row.metric).name) + (row.slice.all() ? "" : "/") + row.slice.name()] = row;
  }
  return rows;
}

TEST(LogRanks, AreLogarithmsToTheLastDigitButOne) {
  EXPECT_EQ(log2_fixed(1), 0);
  EXPECT_EQ(log2_fixed(2), kOne);
  EXPECT_EQ(log2_fixed(1U << 20U), 20 * kOne);
  EXPECT_EQ(log2_fixed(3), 6807362105);  // 1.58496250072115618 * 2^32 = 6807362105.9
  std::int64_t last = -1;
  for (std::uint64_t n = 1; n < 100'000; ++n) {
    const std::int64_t log = log2_fixed(n);
    EXPECT_NEAR(static_cast<double>(log) / static_cast<double>(kOne), std::log2(static_cast<double>(n)), 4e-10) << n;
    EXPECT_GT(log, last);
    last = log;
  }
  const LogRanks logs(4);
  EXPECT_EQ(logs.mean(2, 2), kOne);
  EXPECT_EQ(logs.mean(1, 2), kOne / 2);
  EXPECT_NEAR(static_cast<double>(logs.by_chance()) / static_cast<double>(kOne), std::log2(24.0) / 4, 1e-9);
}

TEST(RankRows, HaveTheMedianTheLeastTenthAndChance) {
  // Ranks 1, 2.5, 4 and 7, of nine candidates.
  const auto rows = rows_of({stands(1, 0), stands(2, 1, 1), stands(3, 3), stands(4, 6)}, 9);
  EXPECT_EQ(rows.at("anonymity_rank").value, 3.25);
  EXPECT_EQ(rows.at("anonymity_rank/chance").value, 5.0);
  EXPECT_EQ(rows.at("anonymity_rank/least_tenth").value, 1.0);
  EXPECT_EQ(rows.at("anonymity_rank").n, 4);
  for (const char* name : {"anonymity_rank", "anonymity_rank/least_tenth"}) {
    const MetricRow& row = rows.at(name);
    EXPECT_GE(*row.low, 1.0);
    EXPECT_LE(*row.low, *row.value);
    EXPECT_GE(*row.high, *row.value);
    EXPECT_LE(*row.high, 9.0);
    EXPECT_LT(*row.low, *row.high);
  }
  // Of 20 records the least tenth weighs two: ranks 2 and 4.
  std::vector<PlacedRecord> many;
  for (std::uint32_t i = 1; i <= 20; ++i) many.push_back(stands(i, 2 * i - 1));
  EXPECT_EQ(rows_of(many, 50).at("anonymity_rank/least_tenth").value, 3.0);
  EXPECT_EQ(rows_of(many, 50).at("anonymity_rank").value, 21.0);
}

TEST(RankRows, CountLostRecordsAtTheFirstRank) {
  PlacedRecord failed{State::kFailed, 4, {}}, missing{State::kMissing, 5, {}}, none{State::kNotApplicable, 6, {}};
  const auto rows = rows_of({stands(1, 5), stands(2, 7), stands(3, 8), failed, missing, none}, 10);
  const MetricRow& rank = rows.at("anonymity_rank");
  EXPECT_EQ(rank.value, 6.0);  // 1, 1, 6, 8, 9
  EXPECT_EQ(rank.if_leaked, 6.0);
  EXPECT_EQ(rank.if_private, 9.0);  // 6, 8, 9, 10, 10
  EXPECT_EQ(rank.drop_value, 8.0);
  EXPECT_EQ(rank.n, 3);
  EXPECT_EQ(rank.failed, 1);
  EXPECT_EQ(rank.missing, 1);
  EXPECT_EQ(rank.not_applicable, 1);
  const MetricRow& bits = rows.at("rank_bits");
  EXPECT_EQ(bits.if_leaked, bits.value);
  EXPECT_LT(*bits.if_private, *bits.value);
  EXPECT_LT(*bits.drop_value, *bits.value);
}

TEST(RankBits, AreWhatARankSaysMoreThanChance) {
  // log2(4!) / 4 = 1.14624; ranks 1 and 2: log2 is 0 and 1.
  const auto rows = rows_of({stands(1, 0), stands(2, 1)}, 4);
  EXPECT_NEAR(*rows.at("rank_bits").value, std::log2(24.0) / 4 - 0.5, 1e-9);
  // Tied over ranks 2, 3 and 4: the mean of their logarithms.
  EXPECT_NEAR(*rows_of({stands(1, 1, 2)}, 4).at("rank_bits").value, std::log2(24.0) / 4 - std::log2(24.0) / 3, 1e-9);
}

TEST(RankBits, AreExactlyZeroWhereAllAreLevel) {
  for (const std::uint32_t candidates : {1U, 2U, 7U, 1000U}) {
    std::vector<PlacedRecord> targets;
    for (std::uint32_t i = 0; i < candidates; ++i) targets.push_back(stands(i, 0, candidates - 1));
    const auto rows = rows_of(targets, candidates);
    EXPECT_EQ(rows.at("rank_bits").value, 0.0) << candidates;
    EXPECT_EQ(rows.at("anonymity_rank").value, rows.at("anonymity_rank/chance").value);
  }
}

TEST(RankBits, HaveZeroInTheIntervalByChance) {
  std::mt19937 random(11);
  int inside = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<PlacedRecord> targets;
    for (std::uint64_t i = 0; i < 200; ++i) {
      targets.push_back(
          stands(static_cast<std::uint64_t>(round) * 1000 + i, static_cast<std::uint32_t>(random() % 200)));
    }
    const MetricRow row = rows_of(targets, 200).at("rank_bits");
    inside += *row.low <= 0 && *row.high >= 0 ? 1 : 0;
  }
  EXPECT_GE(inside, 36);
}

// The median's interval by definition: of each replicate the least rank that has half of the weight.
void expect_median_by_definition(std::uint32_t records) {
  std::vector<PlacedRecord> targets;
  for (std::uint32_t i = 0; i < records; ++i) targets.push_back(stands(i / 2, i * i % 29));
  const MetricRow row = rank_rows(targets, 40, false).front();
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    std::multimap<double, std::int64_t> by_rank;
    std::int64_t total = 0;
    for (const PlacedRecord& target : targets) {
      numbers::Weights weights;
      numbers::draw_weights(target.unit, weights);
      by_rank.emplace(*target.place.ahead + 1.0, weights[b]);
      total += weights[b];
    }
    const std::int64_t phantom = numbers::phantom_share(b, records, (records + 1) / 2);
    for (const bool low : {true, false}) {
      auto with = by_rank;
      with.emplace(low ? 0.5 : 100, phantom);
      std::int64_t below = 0;
      for (const auto& [rank, weight] : with) {
        below += weight;
        if (2 * below < total + phantom) continue;
        (low ? lows : highs).push_back(rank < 1 ? 1 : rank > 40 ? 40 : rank);
        break;
      }
    }
  }
  const numbers::Interval expected = numbers::phantom_interval(lows, highs, *row.value);
  EXPECT_EQ(row.low, expected.low);
  EXPECT_EQ(row.high, expected.high);
}

TEST(RankRows, HaveTheBootstrapsIntervalOfTheMedian) {
  for (const std::uint32_t records : {31U, 64U, 300U}) {
    SCOPED_TRACE(records);
    expect_median_by_definition(records);
  }
}

}  // namespace
}  // namespace residue::query
