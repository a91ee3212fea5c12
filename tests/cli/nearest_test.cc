#include "cli/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace residue::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EditDistance, CountsASwapAsOne) {
  EXPECT_EQ(edit_distance("info", "inof"), 1U);
  EXPECT_EQ(edit_distance("vots", "votes"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("EVAL", "eval"), 0U);
}

TEST(Nearest, PutsTheNearestFirstAndEqualsInTheGivenOrder) {
  EXPECT_THAT(nearest("reprot", {"export", "report", "reports"}, 3), ElementsAre("report", "reports"));
  EXPECT_THAT(nearest("rx", {"ry", "rz", "r"}, 2), ElementsAre("ry", "rz"));
}

TEST(Nearest, FindsLongerNamesByTheirBeginning) {
  EXPECT_THAT(nearest("sani", {"eval", "sanitize"}, 3), ElementsAre("sanitize"));
}

TEST(Nearest, SuggestsNothingForSomethingElse) {
  EXPECT_THAT(nearest("zebra", {"eval", "report"}, 3), IsEmpty());
  EXPECT_THAT(nearest("x", {"y"}, 3), IsEmpty());
  EXPECT_EQ(did_you_mean("zebra", {"eval"}), "");
}

TEST(DidYouMean, JoinsNamesAsASentence) {
  EXPECT_EQ(did_you_mean("--vots", {"--votes", "--json"}), "; did you mean --votes?");
  EXPECT_EQ(did_you_mean("run1", {"run2", "run3", "run4"}, 3), "; did you mean run2, run3 or run4?");
}

}  // namespace
}  // namespace residue::cli
