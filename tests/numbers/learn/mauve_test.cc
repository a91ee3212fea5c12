#include "numbers/learn/mauve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/text/parity.h"

namespace residue::numbers {
namespace {

std::vector<double> shares_of(const std::vector<double>& counts, double more = 0) {
  double total = 0;
  for (const double count : counts) total += count + more;
  std::vector<double> shares;
  for (const double count : counts) shares.push_back((count + more) / total);
  return shares;
}

std::vector<double> flat(const std::vector<std::vector<double>>& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

void expect_near_relative(double value, double expected) { EXPECT_NEAR(value, expected, 1e-10 * std::abs(expected)); }

TEST(Mauve, EqualsTheReferenceOnHistograms) {
  const auto cases = text::parity_cases("mauve_small.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t curves = 0;
  for (const auto& row : cases) {
    if (row.at("kind") != "histogram") continue;
    SCOPED_TRACE(row.at("id").dump());
    const auto p = row.at("p_counts").get<std::vector<double>>();
    const auto q = row.at("q_counts").get<std::vector<double>>();
    const auto scaling = row.at("scaling").get<double>();
    expect_near_relative(mauve_of_histograms(shares_of(p), shares_of(q), scaling), row.at("mauve"));
    expect_near_relative(mauve_of_histograms(shares_of(p, 0.5), shares_of(q, 0.5), scaling),
                         row.at("mauve_star"));
    if (!row.contains("divergence_curve")) continue;
    ++curves;
    const auto curve = divergence_curve(shares_of(p), shares_of(q), scaling);
    const auto expected = row.at("divergence_curve").get<std::vector<std::pair<double, double>>>();
    ASSERT_EQ(curve.size(), expected.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
      expect_near_relative(curve[i].x, expected[i].first);
      expect_near_relative(curve[i].y, expected[i].second);
    }
  }
  EXPECT_GT(curves, 0U);
}

TEST(Mauve, EqualsTheReferenceOnVectorsWithPlantedClusters) {
  const auto cases = text::parity_cases("mauve_small.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t seen = 0;
  for (const auto& row : cases) {
    if (row.at("kind") != "features") continue;
    ++seen;
    SCOPED_TRACE(row.at("id").dump());
    const auto p = row.at("p").get<std::vector<std::vector<double>>>();
    const auto q = row.at("q").get<std::vector<std::vector<double>>>();
    MauveOptions options;
    options.buckets = row.at("num_buckets");
    for (const std::uint64_t seed : {42, 1, 2}) {
      options.seed = seed;
      expect_near_relative(mauve(flat(p), flat(q), p.front().size(), options), row.at("mauve"));
    }
    Histograms found = quantize(flat(p), flat(q), p.front().size(), options);
    std::vector<std::pair<long, long>> pairs;
    for (std::size_t i = 0; i < found.p.size(); ++i) {
      pairs.emplace_back(std::lround(found.p[i] * static_cast<double>(p.size())),
                         std::lround(found.q[i] * static_cast<double>(q.size())));
    }
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(nlohmann::json(pairs), row.at("hist_pairs_sorted"));
  }
  EXPECT_GT(seen, 0U);
}

// p = (1, 0), q = (1/2, 1/2): at weight w of q the mixture r is (1 - w/2, w/2), KL(p|r) = -ln(1 - w/2) and
// KL(q|r) = -ln(2 - w)/2 - ln(w)/2, so with c = 2 the curve is ((2 - w) w, (1 - w/2)^2).
TEST(Mauve, DrawsTheCurveOfTwoBucketsComputedByHand) {
  const auto curve = divergence_curve(std::vector<double>{1, 0}, std::vector<double>{0.5, 0.5}, 2);
  ASSERT_EQ(curve.size(), 27U);
  EXPECT_EQ(curve.front().x, 1);
  EXPECT_EQ(curve.front().y, 0);
  EXPECT_EQ(curve.back().x, 0);
  EXPECT_EQ(curve.back().y, 1);
  EXPECT_NEAR(curve[13].x, 0.75, 1e-12);  // w = 1/2
  EXPECT_NEAR(curve[13].y, 0.5625, 1e-12);
  EXPECT_NEAR(curve[1].x, 1, 1e-11);  // w near 1
  EXPECT_NEAR(curve[1].y, 0.25, 2e-6);
  EXPECT_NEAR(curve[25].x, 0, 3e-6);  // w near 0
  EXPECT_NEAR(curve[25].y, 1, 2e-6);
}

TEST(Mauve, IsOneForEqualAndNearlyNothingForDisjointHistograms) {
  const std::vector<double> p = {0.25, 0.75, 0};
  EXPECT_NEAR(mauve_of_histograms(p, p), 1, 1e-12);
  EXPECT_LT(mauve_of_histograms(std::vector<double>{1, 0}, std::vector<double>{0, 1}), 0.005);
}

TEST(Mauve, IsOneForEqualCollectionsOfVectors) {
  const std::vector<double> p = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 5, 5, 1, 0, 2, 9};
  std::vector<double> turned(p.begin() + 3, p.end());  // in another order
  turned.insert(turned.end(), p.begin(), p.begin() + 3);
  EXPECT_NEAR(mauve(p, turned, 3), 1, 1e-12);
  const std::vector<double> same(30, 0.5);
  EXPECT_NEAR(mauve(same, same, 3), 1, 1e-12);
}

TEST(Mauve, DoesNotSeeTheLengthOfVectors) {
  const std::vector<double> p = {1, 0, 2, 0.1, 0, 1, 0.1, 3, 7, 1};
  std::vector<double> q = {0, 1, 1, 1, 3, 0.2};
  const double before = mauve(p, q, 2);
  for (double& value : q) value *= 1000;
  EXPECT_NEAR(mauve(p, q, 2), before, 1e-9);
}

TEST(Mauve, RoundsTheNumberOfBucketsHalfToEven) {
  struct Case {
    std::size_t n, buckets;
  };
  for (const Case& one :
       {Case{1, 2}, Case{14, 2}, Case{25, 2}, Case{26, 3}, Case{35, 4}, Case{45, 4}, Case{46, 5}, Case{2000, 200}}) {
    EXPECT_EQ(default_buckets(one.n), one.buckets) << one.n;
  }
}

}  // namespace
}  // namespace residue::numbers
