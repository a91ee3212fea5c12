#include "numbers/stats/multiple_testing.h"

#include <gmock/gmock.h>

#include <vector>

namespace residue::numbers {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(MultipleTesting, AdjustsByHand) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  // Ascending: 4 * 0.005, 3 * 0.01, 2 * 0.03, 1 * 0.04, none less than the one before.
  EXPECT_THAT(holm(p), ElementsAre(DoubleEq(0.03), DoubleEq(0.06), DoubleEq(0.06), DoubleEq(0.02)));
  // 4 / 1 * 0.005, 4 / 2 * 0.01, 4 / 3 * 0.03, 4 / 4 * 0.04, none more than the one behind.
  EXPECT_THAT(benjamini_hochberg(p), ElementsAre(DoubleEq(0.02), DoubleEq(0.04), DoubleEq(0.04), DoubleEq(0.02)));
}

TEST(MultipleTesting, KeepsToProbabilities) {
  EXPECT_THAT(holm(std::vector{0.5, 0.9, 0.4}), ElementsAre(1, 1, 1));
  EXPECT_THAT(benjamini_hochberg(std::vector{1.0, 1.0}), ElementsAre(1, 1));
  EXPECT_THAT(holm(std::vector{0.2}), ElementsAre(0.2));
  EXPECT_TRUE(holm({}).empty());
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

}  // namespace
}  // namespace residue::numbers
