#include "base/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace residue {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EditDistance, CountsInsertDeleteReplaceAndSwap) {
  struct Case {
    const char *a, *b;
    std::size_t edits;
  };
  for (const Case& row :
       {Case{"", "", 0}, Case{"", "abc", 3}, Case{"abc", "", 3}, Case{"info", "inof", 1}, Case{"vots", "votes", 1},
        Case{"kitten", "sitting", 3}, Case{"EVAL", "eval", 0}, Case{"ca", "abc", 3}, Case{"abcd", "badc", 2}}) {
    SCOPED_TRACE(std::string(row.a) + " / " + row.b);
    EXPECT_EQ(edit_distance(row.a, row.b), row.edits);
    EXPECT_EQ(edit_distance(row.b, row.a), row.edits);
  }
}

TEST(Nearest, PutsTheNearestFirstAndEqualsInTheGivenOrder) {
  EXPECT_THAT(nearest("reprot", {"export", "report", "reports"}, 3), ElementsAre("report", "reports"));
  EXPECT_THAT(nearest("clinik", {"clinid", "clinic", "x"}, 3), ElementsAre("clinid", "clinic"));
  EXPECT_THAT(nearest("clinik", {"clinid", "clinic", "x"}, 1), ElementsAre("clinid"));
}

TEST(Nearest, FindsLongerNamesByTheirBeginning) {
  EXPECT_THAT(nearest("sani", {"eval", "sanitize"}, 3), ElementsAre("sanitize"));
  EXPECT_THAT(nearest("s", {"eval", "sanitize"}, 3), IsEmpty());
}

TEST(Nearest, SuggestsNothingForSomethingElse) {
  EXPECT_THAT(nearest("zebra", {"eval", "report"}, 3), IsEmpty());
  EXPECT_THAT(nearest("x", {"y"}, 3), IsEmpty());
  EXPECT_THAT(nearest("", {"y", ""}, 3), IsEmpty());
}

TEST(DidYouMean, JoinsNamesAsASentence) {
  EXPECT_EQ(did_you_mean("zebra", {"eval"}), "");
  EXPECT_EQ(did_you_mean("evla", {"eval"}), "; did you mean \"eval\"?");
  EXPECT_EQ(did_you_mean("run1", {"run2", "run3", "run4"}), "; did you mean \"run2\" or \"run3\"?");
  EXPECT_EQ(did_you_mean("run1", {"run2", "run3", "run4"}, 3), "; did you mean \"run2\", \"run3\" or \"run4\"?");
}

}  // namespace
}  // namespace residue
