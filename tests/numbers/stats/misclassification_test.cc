#include "numbers/stats/misclassification.h"

#include <gtest/gtest.h>

namespace residue::numbers {
namespace {

TEST(Misclassification, IsCountedByHand) {
  // Of 10 leaked claims the judge sees 9; of 20 others it takes 4 for leaked.
  const auto judge = misclassification({{{16, 4}, {1, 9}}});
  EXPECT_DOUBLE_EQ(judge->sensitivity, 0.9);
  EXPECT_DOUBLE_EQ(judge->specificity, 0.8);
  EXPECT_FALSE(misclassification({{{0, 0}, {1, 9}}}));
  EXPECT_FALSE(misclassification({{{16, 4}, {0, 0}}}));
}

TEST(Misclassification, IsTakenBackByHand) {
  // Of 30 % leaked it would see 0.3 * 0.9 + 0.7 * 0.2 = 0.41.
  EXPECT_NEAR(*rogan_gladen(0.41, {0.9, 0.8}), 0.3, 1e-12);
  EXPECT_DOUBLE_EQ(*rogan_gladen(0.37, {1, 1}), 0.37);
  EXPECT_EQ(*rogan_gladen(0.1, {0.9, 0.8}), 0);  // fewer than it would see by error alone
  EXPECT_EQ(*rogan_gladen(0.95, {0.9, 0.8}), 1);
  EXPECT_FALSE(rogan_gladen(0.5, {0.5, 0.5}));
  EXPECT_FALSE(rogan_gladen(0.5, {0.2, 0.7}));
}

}  // namespace
}  // namespace residue::numbers
