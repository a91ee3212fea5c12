#include "numbers/stats/variance_components.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace residue::numbers {
namespace {

using Groups = std::vector<std::vector<double>>;

TEST(VarianceComponents, OfVotesWithinRecordsByHand) {
  // Within: (2 + 2) / 2. Among: 2 * 4 + 2 * 4 = 16 with one degree of freedom; two votes each: (16 - 2) / 2.
  const auto result = nested_variance(Groups{{1, 3}, {5, 7}});
  EXPECT_DOUBLE_EQ(result->within, 2);
  EXPECT_DOUBLE_EQ(result->between, 7);
  EXPECT_DOUBLE_EQ(result->standard_error, 2);  // sqrt(16 / 4): that of four values in two clusters
  EXPECT_EQ(result->groups, 2U);
  EXPECT_EQ(result->values, 4U);
}

TEST(VarianceComponents, OfUnequalGroups) {
  // Sizes 1, 2, 3; means 0, 2, 4; all 16 / 6. Within: (0 + 2 + 2) / 3. Typical size (6 - 14 / 6) / 2 = 11 / 6.
  const auto result = nested_variance(Groups{{0}, {}, {1, 3}, {3, 4, 5}});
  const double grand = 16.0 / 6;
  const double among = grand * grand + 2 * (2 - grand) * (2 - grand) + 3 * (4 - grand) * (4 - grand);
  EXPECT_NEAR(result->within, 4.0 / 3, 1e-12);
  EXPECT_NEAR(result->between, (among / 2 - 4.0 / 3) / (11.0 / 6), 1e-12);
  EXPECT_EQ(result->groups, 3U);
}

TEST(VarianceComponents, AreNeverNegativeAndNeedRepeats) {
  EXPECT_DOUBLE_EQ(nested_variance(Groups{{0, 10}, {0, 10}})->between, 0);
  EXPECT_FALSE(nested_variance(Groups{{1}, {2}, {3}}));
  EXPECT_FALSE(nested_variance(Groups{{1, 2}}));
  EXPECT_FALSE(nested_variance({}));
}

TEST(VarianceComponents, AreZeroWhereSeedsAgreeAndNotARoundingOfMeans) {
  Groups same;
  for (int i = 0; i < 100; ++i) same.emplace_back(3, static_cast<double>(i) / 700);
  EXPECT_EQ(crossed_variance(same)->residual, 0);
  EXPECT_EQ(crossed_variance(same)->columns, 0);
  EXPECT_GT(crossed_variance(same)->rows, 0.001);
  EXPECT_EQ(nested_variance(same)->within, 0);
  EXPECT_EQ(crossed_variance(Groups(50, std::vector<double>(3, 0.1)))->rows, 0);
  same[0][0] += 1.0 / 4294967296;  // the smallest difference there is
  EXPECT_GT(crossed_variance(same)->residual, 0);
}

TEST(VarianceComponents, OfRecordsAndSeedsByHand) {
  // Row means 1.5 and 4.5, column means 2 and 4, all 3: squares 9, 4, and 1 left.
  const auto result = crossed_variance(Groups{{1, 2}, {3, 6}});
  EXPECT_DOUBLE_EQ(result->residual, 1);
  EXPECT_DOUBLE_EQ(result->rows, 4);
  EXPECT_DOUBLE_EQ(result->columns, 1.5);
  EXPECT_DOUBLE_EQ(result->standard_error, std::sqrt(4.0 / 2 + 1.5 / 2 + 1.0 / 4));
  EXPECT_FALSE(crossed_variance(Groups{{1, 2}}));
  EXPECT_FALSE(crossed_variance(Groups{{1}, {2}}));
}

}  // namespace
}  // namespace residue::numbers
