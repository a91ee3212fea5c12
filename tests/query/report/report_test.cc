#include "query/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "query/report/history.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class ReportTest : public testing::SmallStoreTest {
 protected:
  Report load(const char* protocols = "", MissingPolicy missing = MissingPolicy::kLeaked) {
    ReportOptions options;
    options.dataset = "d";
    options.protocols = protocols;
    options.missing = missing;
    return load_report(store(), options);
  }
  static const ReportRun& run(const Report& report, const std::string& name) {
    for (const ReportRun& one : report.runs) {
      if (one.run == name) return one;
    }
    throw std::out_of_range(name);
  }
};

TEST_F(ReportTest, ShowsTheLastEvaluationAndControlsLast) {
  const Report report = load();
  EXPECT_EQ(report.protocol, "bm25/first:1/claims");
  EXPECT_EQ(report.judge, "lexical");
  EXPECT_EQ(report.judge_version.size(), 8U);
  ASSERT_EQ(report.runs.size(), 3U);
  EXPECT_EQ(report.runs[0].run, "r");
  EXPECT_FALSE(report.runs[0].control);
  EXPECT_TRUE(report.runs[1].control);
  EXPECT_TRUE(report.runs[2].control);
  EXPECT_EQ(report.oracle.size(), 3U);
  EXPECT_EQ(report.random.size(), 3U);
  EXPECT_EQ(run(report, "r").records, 2);
}

TEST_F(ReportTest, CountsFailedRecordsAsLeakedUnlessTheyAreDropped) {
  const ReportMetric leaked = run(load(), "r").metrics.at(MetricId::kSemanticDistance);
  EXPECT_EQ(leaked.all.n, 1);
  EXPECT_EQ(leaked.all.failed, 1);
  EXPECT_DOUBLE_EQ(*leaked.all.value, 0);  // the claim stands in the text as it is
  EXPECT_DOUBLE_EQ(*leaked.all.if_private, 0.5);
  ASSERT_TRUE(leaked.right);
  EXPECT_EQ(leaked.right->n, 1);
  edit_run("A person keeps bees in a town.");
  evaluate("bm25/first:1");
  EXPECT_DOUBLE_EQ(*run(load(), "r").metrics.at(MetricId::kSemanticDistance).all.value, 0.5);
  EXPECT_DOUBLE_EQ(*run(load("", MissingPolicy::kDrop), "r").metrics.at(MetricId::kSemanticDistance).all.value, 1);
}

TEST_F(ReportTest, HasTenCountsInAHistogram) {
  const ReportMetric histogram = run(load(), "none").metrics.at(MetricId::kDistanceHistogram);
  ASSERT_EQ(histogram.bins.size(), 10U);
  EXPECT_EQ(histogram.bins[0].value, 2);
  EXPECT_EQ(histogram.all.n, 2);
  // One record's claim stands there as it is, the other's text failed.
  const ReportMetric leaked = run(load(), "r").metrics.at(MetricId::kDistanceHistogram);
  EXPECT_EQ(leaked.bins[0].value, 2);
  EXPECT_EQ(leaked.bins[0].n, 1);
  EXPECT_EQ(leaked.bins[9].if_private, 1);
  EXPECT_EQ(run(load("", MissingPolicy::kDrop), "r").metrics.at(MetricId::kDistanceHistogram).bins[0].value, 1);
  evaluate("bm25/random:1", 3);
  const ReportMetric seeds = run(load(), "r").metrics.at(MetricId::kDistanceHistogram);
  double sum = 0;
  for (const MetricValue& bin : seeds.bins) sum += *bin.value;
  EXPECT_EQ(sum, 2);  // of each seed, as everything else
  EXPECT_EQ(seeds.all.failed, 1);
}

TEST_F(ReportTest, MarksWhatChangedSinceAsStale) {
  EXPECT_FALSE(run(load(), "r").stale);
  edit_run("Nothing is left of it.");
  const Report report = load();
  EXPECT_TRUE(run(report, "r").stale);
  EXPECT_FALSE(run(report, "none").stale);
}

TEST_F(ReportTest, ListsRunsThatWereNeverEvaluated) {
  store().db().run(
      "INSERT INTO run (dataset_id, name, kind, content, created_at) VALUES (1, 'later', 'aligned', x'00', 0)");
  const Report report = load();
  EXPECT_FALSE(run(report, "later").evaluated);
  EXPECT_TRUE(run(report, "later").metrics.empty());
}

TEST_F(ReportTest, TakesMeanAndDeviationOverSeeds) {
  evaluate("bm25/random:1", 3);
  const Report all = load();
  EXPECT_EQ(all.seeds, 3U);
  double sum = 0;
  double squares = 0;
  for (const char* seed : {"bm25/random:1@42", "bm25/random:1@43", "bm25/random:1@44"}) {
    ReportOptions options;
    options.dataset = "d";
    options.protocols = seed;
    options.seeds = 1;
    const double value = *run(load_report(store(), options), "r").metrics.at(MetricId::kExcessLeakage).all.value;
    sum += value;
    squares += value * value;
  }
  const MetricValue value = run(all, "r").metrics.at(MetricId::kExcessLeakage).all;
  EXPECT_DOUBLE_EQ(*value.value, sum / 3);
  EXPECT_NEAR(*value.deviation, std::sqrt(std::max(0.0, (squares - sum * sum / 3) / 2)), 1e-9);
  EXPECT_FALSE(run(all, "r").metrics.at(MetricId::kRougeLF).all.deviation);  // no seed in it
}

TEST_F(ReportTest, GivesOneReportPerProtocol) {
  evaluate("bm25/last:1");
  ReportOptions options;
  options.dataset = "d";
  options.protocols = "bm25/first:1,bm25/last:1";
  const auto two = load_reports(store(), options);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].protocol, "bm25/last:1/claims");
  options.protocols = "all";
  EXPECT_EQ(load_reports(store(), options).size(), 6U);  // with the control linkers
}

TEST_F(ReportTest, SaysWhatWasEvaluatedInstead) {
  try {
    load("bm25/all");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_NE(error.hint().find("bm25/first:1/claims by lexical"), std::string::npos) << error.hint();
  }
  store().db().run("UPDATE dataset SET protocol_id = NULL; DELETE FROM evaluation");
  try {
    load();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_EQ(error.hint(), "residue eval d");
  }
}

TEST_F(ReportTest, HistoryHasTheChangeToTheValueBefore) {
  edit_run("A person keeps bees in a town.");
  evaluate("bm25/first:1");
  std::vector<double> values;
  std::optional<double> change;
  for (const HistoryRow& row : load_history(store(), "d", {"semantic_distance"})) {
    if (row.run != "r" || row.protocol != "bm25/first:1/claims") continue;
    values.push_back(*row.value);
    change = row.change;
  }
  EXPECT_EQ(values, (std::vector<double>{0, 0.5}));
  ASSERT_TRUE(change);
  EXPECT_DOUBLE_EQ(*change, 0.5);
  EXPECT_THROW(load_history(store(), "d", {"semantic_distanc"}), Error);
}

TEST_F(ReportTest, HistoryIsInTheOrderOfTimeWhereTheClockWentBack) {
  edit_run("A person keeps bees in a town.");
  evaluate("bm25/first:1");
  store().db().run("UPDATE metric_history SET at = 1000000 - id");
  std::int64_t before = 0;
  for (const HistoryRow& row : load_history(store(), "d", {"semantic_distance", "leak_rate"})) {
    EXPECT_GE(row.at_ms, before);
    before = row.at_ms;
  }
  EXPECT_GT(before, 0);
}

HistoryRow at(const char* run, std::int64_t at_ms, double value) {
  HistoryRow row;
  row.run = run;
  row.at_ms = at_ms;
  row.value = value;
  return row;
}

TEST(HistoryMonths, KeepTheLastValueOfEach) {
  constexpr std::int64_t kFebruary = 1'769'904'000'000;  // 2026-02-01T00:00:00Z
  const std::vector<HistoryRow> rows{at("a", kFebruary - 86'400'000, 0.1), at("b", kFebruary - 1, 0.9),
                                     at("a", kFebruary - 1, 0.2), at("a", kFebruary, 0.5),
                                     at("a", kFebruary + 28LL * 86'400'000 - 1, 0.7)};
  const auto kept = last_of_months(rows);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].run, "b");
  EXPECT_EQ(kept[1].value, 0.2);
  EXPECT_FALSE(kept[1].change);
  EXPECT_EQ(kept[2].value, 0.7);
  EXPECT_DOUBLE_EQ(*kept[2].change, 0.5);
}

}  // namespace
}  // namespace residue::query
