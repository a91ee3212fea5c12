#include "query/score/category_preservation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace residue::query {
namespace {

using Counts = std::vector<std::int64_t>;

double value(const Counts& o, const Counts& s, std::int64_t lost = 0) {
  return category_preservation(o, s, lost).value_or(99);
}

TEST(CategoryPreservation, IsTheWorkedExample) {
  // Scaled s = (4, 4, 2): 4/10 + 1/7 + 1/3 against (8/3)^2 / (28/3) + (1/3)^2 / (19/3) + (7/3)^2 / (13/3).
  EXPECT_NEAR(value({6, 3, 1}, {8, 8, 4}), 0.569621, 5e-7);
}

TEST(CategoryPreservation, IsOneForTheSameSharesAndZeroForUniformOnes) {
  EXPECT_EQ(value({6, 3, 1}, {6, 3, 1}), 1);
  EXPECT_EQ(value({6, 3, 1}, {12, 6, 2}), 1);
  EXPECT_DOUBLE_EQ(value({6, 3, 0}, {1, 1, 1}), 0);
  EXPECT_LT(value({6, 3, 1}, {0, 0, 10}), 0);
}

TEST(CategoryPreservation, SkipsCategoriesThatNobodyHas) {
  // Uniform is over the whole list: (10/3) each, so its distance is larger than over two categories.
  EXPECT_DOUBLE_EQ(value({10, 0, 0}, {5, 5, 0}),
                   1 - (25.0 / 15 + 5) / ((20.0 / 3) * (20.0 / 3) / (40.0 / 3) + 20.0 / 3));
}

TEST(CategoryPreservation, IsUndefinedWithoutAnythingToCompare) {
  EXPECT_EQ(category_preservation(Counts{0, 0}, Counts{1, 0}, 0), std::nullopt);
  EXPECT_EQ(category_preservation(Counts{1, 0}, Counts{0, 0}, 0), std::nullopt);
  EXPECT_EQ(category_preservation(Counts{2, 2}, Counts{1, 3}, 0), std::nullopt);
}

// Lost texts as a category of their own, by hand: s = (2, 0) of 4, two lost; scaled by 1: (0)/(..): o = (3, 1).
TEST(CategoryPreservation, CountsLostTextsAsTheWorst) {
  // (2-3)^2/5 + (0-1)^2/1 + 2^2/2 = 3.2; uniform (2, 2): 1/5 + 1/3.
  EXPECT_DOUBLE_EQ(value({3, 1}, {2, 0}, 2), 1 - 3.2 / (1.0 / 5 + 1.0 / 3));
  EXPECT_DOUBLE_EQ(best_category_preservation(Counts{3, 1}, Counts{2, 0}, 2).value(), 1);
}

// Whatever categories lost texts had, the value lies between the bounds; all ways of giving them out are tried.
RC_GTEST_PROP(CategoryPreservation, LiesBetweenItsBoundsWhateverWasLost, ()) {
  const auto count = rc::gen::inRange<std::int64_t>(0, 7);
  const Counts o = *rc::gen::container<Counts>(3, count), s = *rc::gen::container<Counts>(3, count);
  const std::int64_t lost = *rc::gen::inRange<std::int64_t>(0, 5);
  const auto low = category_preservation(o, s, lost), high = best_category_preservation(o, s, lost);
  RC_ASSERT(low.has_value() == high.has_value());
  if (!low) return;
  double most = -1e9;
  for (std::int64_t a = 0; a <= lost; ++a) {
    for (std::int64_t b = 0; a + b <= lost; ++b) {
      const double between = *category_preservation(o, Counts{s[0] + a, s[1] + b, s[2] + lost - a - b}, 0);
      RC_ASSERT(between >= *low - 1e-12);
      most = std::max(most, between);
    }
  }
  RC_ASSERT(std::abs(most - *high) < 1e-12);
}

}  // namespace
}  // namespace residue::query
