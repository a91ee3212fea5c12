#include "query/study/noise.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "query/report/report.h"
#include "tests/query/store_fixture.h"

namespace residue::query {
namespace {

using ingest::testing::variant;
using testing::QueryStore;

class NoiseTest : public QueryStore {
 protected:
  NoiseTest() {
    add_many(0, 6);
    std::vector<ingest::VariantRow> rows;
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string text = text_of(i);
      rows.push_back(ingest::testing::variant(fmt::format("r{}", i), text.substr(0, text.size() * (i + 2) / 8)));
    }
    add_run("cut", rows);
    evaluate_all({"bm25/random:2", "bm25/random:2@43", "bm25/random:2@44"});
  }

  // The distances that the store shows for a seed, by record.
  std::vector<double> distances(const std::string& seed) {
    storage::Statement find = store().db().prepare(
        "SELECT s.num / 4294967296.0 FROM score s JOIN evaluation e ON e.id = s.evaluation_id JOIN protocol p ON p.id ="
        " e.protocol_id JOIN run u ON u.id = e.run_id WHERE u.name = 'cut' AND s.metric = 20 AND s.state = 0 AND "
        "p.name = ?1"
        " AND e.tier = 'judge' ORDER BY s.record_id");
    find.bind("bm25/random:2@" + seed + "/claims");
    std::vector<double> values;
    while (find.step()) values.push_back(find.real(0));
    return values;
  }
};

TEST_F(NoiseTest, IsThatOfRecordsAndSeeds) {
  const Noise noise = load_noise(store(), "d", "bm25/random:2", std::nullopt, 3, MissingPolicy::kLeaked);
  EXPECT_EQ(noise.seeds, 3U);
  ASSERT_EQ(noise.runs.front().run, "cut");
  const NoiseLine& line = noise.runs.front();
  const auto a = distances("42"), b = distances("43"), c = distances("44");
  ASSERT_EQ(a.size(), 6U);
  std::vector<std::vector<double>> cells;
  double mean = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    cells.push_back({a[i], b[i], c[i]});
    mean += (a[i] + b[i] + c[i]) / 18;
  }
  const auto crossed = numbers::crossed_variance(cells);
  EXPECT_EQ(line.records, 6U);
  EXPECT_NEAR(*line.value, mean, 1e-12);
  EXPECT_NEAR(*line.records_sd, std::sqrt(crossed->rows), 1e-12);
  EXPECT_NEAR(*line.seeds_sd, std::sqrt(crossed->columns), 1e-12);
  EXPECT_NEAR(*line.rest_sd, std::sqrt(crossed->residual), 1e-12);
  EXPECT_NEAR(*line.standard_error, crossed->standard_error, 1e-12);
  EXPECT_GT(*line.records_sd, 0);
  EXPECT_FALSE(line.votes_sd);  // an embedded judge has none
}

TEST_F(NoiseTest, OfOneSeedIsThatOfRecords) {
  const Noise noise = load_noise(store(), "d", "bm25/random:2", std::nullopt, 1, MissingPolicy::kLeaked);
  const NoiseLine& line = noise.runs.front();
  const auto values = distances("42");
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / 6;
  for (const double value : values) squares += (value - mean) * (value - mean);
  EXPECT_NEAR(*line.records_sd, std::sqrt(squares / 5), 1e-12);
  EXPECT_NEAR(*line.standard_error, std::sqrt(squares / 5 / 6), 1e-12);
  EXPECT_FALSE(line.seeds_sd);
}

// Audit A9: failed records were left out, so that the table had a higher distance than the report.
TEST_F(NoiseTest, CountsFailedRecordsAsTheReportDoes) {
  add_run("lost", {variant("r0", text_of(0)), variant("r1", "nothing of it"), variant("r2", "")});
  evaluate_all({"bm25/random:2"});
  ReportOptions options;
  options.dataset = "d";
  options.protocols = "bm25/random:2";
  options.seeds = 1;
  double reported = -1, failed = -1;
  for (const ReportRun& run : load_report(store(), options).runs) {
    if (run.run != "lost") continue;
    reported = *run.metrics.at(MetricId::kSemanticDistance).all.value;
    failed = run.metrics.at(MetricId::kSemanticDistance).all.failed;
  }
  for (const NoiseLine& line :
       load_noise(store(), "d", "bm25/random:2", std::nullopt, 1, MissingPolicy::kLeaked).runs) {
    if (line.run == "remove-all") {
      EXPECT_EQ(*line.value, 1.0) << "exactly";
    }
    if (line.run != "lost") continue;
    EXPECT_EQ(line.records, 6U);
    EXPECT_EQ(static_cast<double>(line.failed), failed);
    EXPECT_GT(line.failed, 0U);
    EXPECT_NEAR(*line.value, reported, 1e-12);
  }
}

}  // namespace
}  // namespace residue::query
