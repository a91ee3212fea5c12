// Years found once are found throughout their record.
#include "text/following/year_following.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/text/linear_time.h"

namespace residue::text {
namespace {

std::string followed(std::string_view text) {
  std::string all;
  for (const Entity& entity : follow_years(text, recognize(text))) {
    EXPECT_EQ(entity.type, EntityType::kYear);
    all.append(all.empty() ? "" : "|").append(text.substr(entity.begin, entity.end - entity.begin));
  }
  return all;
}

TEST(FollowYears, InListsAndRanges) {
  EXPECT_EQ(followed("Played in 1998, 2000, 2002 and 2004."), "2000|2002|2004");
  EXPECT_EQ(followed("Started in 1998. (1998 to 2004), then 2004."), "1998|2004|2004");
  EXPECT_EQ(followed("On 3 March 1998. Seasons: 1998-2004, 2004/05; prize 2005."), "1998|2004|2004/05|2005");
  EXPECT_EQ(followed("since 1998; 1998\xE2\x80\x93"
                     "99 was bad"),
            "1998\xE2\x80\x93"
            "99");
  EXPECT_EQ(followed("in 1998, 2000. The team"), "2000");
}

TEST(FollowYears, WhereverTheyStandAsWholeNumbers) {
  EXPECT_EQ(followed("born in 1998 (class 1998, prize 1998)"), "1998|1998");
  EXPECT_EQ(followed("in 1998, room 21998, 1998.5 or 1,1998, ID1998"), "");
  EXPECT_EQ(followed("class 1998"), "");
}

// A year that is left in a file name tells by how much the other years were moved.
TEST(FollowYears, InFileNames) {
  EXPECT_EQ(followed("In 1998. See scan_1998.pdf, 1998_cv.doc, a_1998_b and x_1998-2004.txt"),
            "1998|1998|1998|1998|2004");
  EXPECT_EQ(followed("In 1998. See ID_21998, v1998_2, 1998b_c, _19981_"), "");
  EXPECT_EQ(followed("See scan_1998.pdf"), "");
}

TEST(FollowYears, BesideWhatIsReplaced) {
  const std::string_view text = "In 1998 Polatkan1998 and 1998Polatkan wrote.";
  std::vector<Entity> found = recognize(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(follow_years(text, found).empty());
  found.push_back({8, 16, EntityType::kName});
  found.push_back({29, 37, EntityType::kName});
  const std::vector<Entity> years = follow_years(text, found);
  ASSERT_EQ(years.size(), 2U);
  EXPECT_EQ(years[0].begin, 16U);
  EXPECT_EQ(years[1].end, 29U);
}

TEST(FollowYears, NotWhatIsNone) {
  EXPECT_EQ(followed("In 1998, 2000 soldiers fell"), "");
  EXPECT_EQ(followed("in 1998 and 2000 patients came"), "");
  EXPECT_EQ(followed("In 1998. The 1998 Act and Act 1998 say so"), "");
  EXPECT_EQ(followed("In 2000 she took 2000 mg"), "");
}

TEST(FollowYears, TakesLinearTime) {
  for (const char* unit : {"1998, ", "in 1998 or 2000. ", "1998-", "in 1998, 2000 x "})
    EXPECT_TRUE(takes_linear_time(unit, [](const std::string& text) { (void)follow_years(text, recognize(text)); }))
        << unit;
}

}  // namespace
}  // namespace residue::text
