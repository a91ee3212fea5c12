// The intervals of docs/intervals.md, against the values that another language computed (interval_vectors.py).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "base/json.h"
#include "numbers/stats/exponential_table.h"
#include "query/metric/order_statistics.h"

namespace residue::query {
namespace {

Json vectors() {
  std::ifstream file(RESIDUE_SOURCE_DIR "/tests/numbers/stats/interval_vectors.json");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return Json::parse(text).value();
}

std::uint64_t unit_of(const Json& json) { return std::stoull(json.get<std::string>()); }

TEST(IntervalVectors, HaveTheTableAndTheWeights) {
  const Json all = vectors();
  const auto& table = numbers::exponential_table();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(table[i], all["table"]["first"][i].get<std::uint16_t>());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(table[2047 + i], all["table"]["middle"][i].get<std::uint16_t>());
  EXPECT_EQ(std::accumulate(table.begin(), table.end(), 0U), all["table"]["sum"].get<unsigned>());
  EXPECT_EQ(unit_of(all["phantom"]), numbers::kPhantomUnit);
  numbers::Weights weights;
  numbers::draw_weights(unit_of(all["weights"]["unit"]), weights);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(weights[i], all["weights"]["first"][i].get<std::uint16_t>());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(weights[996 + i], all["weights"]["last"][i].get<std::uint16_t>());
}

TEST(IntervalVectors, AreReproducedToTheLastBit) {
  std::size_t compared = 0;
  const Json all = vectors();
  for (const Json& one : all["cases"]) {
    SCOPED_TRACE(one.dump());
    const bool fixed_point = one["one"].get<std::int64_t>() == kOne;
    const MetricId metric = fixed_point ? MetricId::kSemanticDistance : MetricId::kLeakRate;
    Aggregate aggregate(definition(metric));
    Clusters clusters;
    std::vector<Weighted> records;
    numbers::Weights weights;
    for (const Json& record : one["records"]) {
      const std::uint64_t unit = unit_of(record[0]);
      const auto num = record[1].get<std::int64_t>(), den = record[2].get<std::int64_t>();
      const Contribution c{metric, Outcome::kNone, State::kValue, num, den, num};
      numbers::draw_weights(unit, weights);
      aggregate.add(c, weights);
      clusters.add(c, unit);
      records.push_back({c, unit});
    }
    const auto source = [&]() -> const Clusters& { return clusters; };
    const MetricRow row = one["kind"] == "worst" ? worst_share(MetricId::kWorstDecile, one["parts"].get<std::int64_t>(),
                                                               records, aggregate.records())
                                                 : aggregate.finish(false, source).front();
    EXPECT_EQ(*row.value, one["value"].get<double>());
    EXPECT_EQ(*row.low, one["low"].get<double>());
    EXPECT_EQ(*row.high, one["high"].get<double>());
    ++compared;
  }
  EXPECT_EQ(compared, 20U);
}

}  // namespace
}  // namespace residue::query
