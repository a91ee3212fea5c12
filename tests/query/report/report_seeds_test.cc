#include "query/report/report_seeds.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace residue::query {
namespace {

MetricValue value(std::optional<double> number, double n, double missing = 0) {
  MetricValue result;
  result.value = number;
  result.n = n;
  result.missing = missing;
  return result;
}

ReportMetric whole(const MetricValue& all) {
  ReportMetric metric;
  metric.all = all;
  return metric;
}

ReportMetric part(const char* name, const MetricValue& one) {
  ReportMetric metric;
  metric.cuts[name] = one;
  return metric;
}

// One run, one metric, a seed each; nothing: the seed has no such metric.
ReportRun combined(MetricId id, const std::vector<std::optional<ReportMetric>>& seeds) {
  std::vector<std::vector<ReportRun>> all;
  for (const auto& metric : seeds) {
    ReportRun run;
    run.evaluated = true;
    if (metric) run.metrics[id] = *metric;
    all.push_back({run});
  }
  return combine_seeds(all).front();
}

TEST(ReportSeeds, HaveMeanCountsSoThatNoMissingRecordIsHidden) {
  const ReportRun run = combined(MetricId::kSemanticDistance,
                                 {whole(value(1, 20, 0)), whole(value(0.4, 8, 12)), whole(value(0.1, 8, 12))});
  const MetricValue& all = run.metrics.at(MetricId::kSemanticDistance).all;
  EXPECT_EQ(all.value, 0.5);
  EXPECT_EQ(all.n, 12);
  EXPECT_EQ(all.missing, 8);
  EXPECT_FALSE(all.seeds);
  const ReportRun one = combined(MetricId::kSemanticDistance, {whole(value(1, 20)), whole(value(1, 19, 1))});
  EXPECT_EQ(one.metrics.at(MetricId::kSemanticDistance).all.missing, 0.5);
}

TEST(ReportSeeds, HaveThePartsOfAnyOfThem) {
  MetricValue pets = value(0.5, 4);
  pets.units = 6;
  pets.hits = 3;
  const ReportRun run = combined(MetricId::kLeakByCategory,
                                 {part("Age", value(1, 4)), part("Pet", pets), std::nullopt, part("Pet", value(1, 2))});
  const MetricValue& pet = run.metrics.at(MetricId::kLeakByCategory).cuts.at("Pet");
  EXPECT_EQ(pet.value, 0.75);
  EXPECT_EQ(pet.seeds, 2U);
  EXPECT_EQ(pet.n, 1.5);
  EXPECT_EQ(pet.units, 1.5);
  EXPECT_EQ(pet.hits, 0.75);
  EXPECT_NEAR(*pet.deviation, 0.3535533905932738, 1e-15);
  const MetricValue& age = run.metrics.at(MetricId::kLeakByCategory).cuts.at("Age");
  EXPECT_EQ(age.seeds, 1U);
  EXPECT_EQ(age.n, 1);
  EXPECT_FALSE(age.deviation);
}

TEST(ReportSeeds, TakeSplitsOverTheSeedsThatHaveOne) {
  ReportMetric never = whole(value(0.5, 4));
  never.wrong = value(std::nullopt, 0);
  ReportMetric once = whole(value(0.5, 4));
  once.wrong = value(0.8, 1);
  const ReportRun run = combined(MetricId::kSemanticDistance, {never, once, never, never});
  const MetricValue& wrong = *run.metrics.at(MetricId::kSemanticDistance).wrong;
  EXPECT_EQ(wrong.value, 0.8);
  EXPECT_EQ(wrong.seeds, 1U);
  EXPECT_EQ(wrong.n, 0.25);
}

TEST(ReportSeeds, HaveMeanHistograms) {
  ReportMetric first = whole(value(std::nullopt, 2));
  first.bins = {value(2, 2), value(0, 0)};
  ReportMetric second = whole(value(std::nullopt, 2));
  second.bins = {value(1, 1), value(1, 1)};
  const ReportMetric both =
      combined(MetricId::kDistanceHistogram, {first, second}).metrics.at(MetricId::kDistanceHistogram);
  EXPECT_EQ(both.bins[0].value, 1.5);
  EXPECT_EQ(both.bins[1].value, 0.5);
  EXPECT_EQ(both.all.n, 2);
}

TEST(ReportSeeds, LeaveOutWhatWasNotComputedForAllOfThem) {
  for (const MetricId id : {MetricId::kLexicalDistance, MetricId::kEmbeddingDistance}) {
    EXPECT_EQ(combined(id, {whole(value(1, 2)), std::nullopt}).metrics.count(id), 0U);
    EXPECT_EQ(combined(id, {whole(value(1, 2)), whole(value(1, 2))}).metrics.count(id), 1U);
  }
}

TEST(ReportSeeds, TellWhatNoSeedChanges) {
  const ReportRun run = combined(MetricId::kRougeLF, {whole(value(0.1, 3)), whole(value(0.1, 3))});
  EXPECT_FALSE(run.metrics.at(MetricId::kRougeLF).all.deviation);
  const ReportRun stale = combined(MetricId::kMrr, {whole(value(0.1, 3)), [] {
                                                      ReportMetric metric = whole(value(0.1, 3));
                                                      metric.stale = true;
                                                      return metric;
                                                    }()});
  EXPECT_TRUE(stale.metrics.at(MetricId::kMrr).stale);
  EXPECT_EQ(stale.metrics.at(MetricId::kMrr).all.value, 0.1);
}

}  // namespace
}  // namespace residue::query
