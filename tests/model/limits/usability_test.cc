#include "model/limits/usability.h"

#include <gtest/gtest.h>

namespace residue::model {
namespace {

TEST(Usability, IsHopelessAfterTwentyInARow) {
  Usability usability;
  usability.add("");
  for (int i = 0; i < 19; ++i) usability.add("refused");
  EXPECT_FALSE(usability.hopeless());
  usability.add("truncated");
  EXPECT_TRUE(usability.hopeless());
  EXPECT_EQ(usability.words(), "20 answers in a row cannot be used: refused (19), truncated (1)");
  usability.add("");
  EXPECT_FALSE(usability.hopeless());
}

TEST(Usability, IsHopelessWhereHalfOfTheFirstHundredAreOfNoUse) {
  Usability half, less;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(half.hopeless());
    half.add(i % 2 == 0 ? "refused" : "");
    less.add(i % 2 == 0 && i > 0 ? "refused" : "");
  }
  EXPECT_TRUE(half.hopeless());
  EXPECT_EQ(half.words(), "50 of the first 100 answers cannot be used: refused (50)");
  EXPECT_FALSE(less.hopeless());
  // What comes later is judged by what comes in a row alone.
  for (int i = 0; i < 200; ++i) {
    less.add(i % 2 == 0 ? "refused" : "");
    EXPECT_FALSE(less.hopeless());
  }
}

}  // namespace
}  // namespace residue::model
