#include "text/measures/attribute_match.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::text {
namespace {

struct Case {
  const char* attribute;
  const char* truth;
  const char* guess;
  bool same;
};

TEST(SameAttribute, FollowsTheRulesOfThePaper) {
  const Case cases[] = {
      // Worked by hand.
      {"age", "25-30", "28-40", false},
      {"age", "30", "35", true},
      {"age", "30", "36", false},
      {"sex", "male", "female", false},
      {"city_country", "Cape Town / South Africa", "Cape Town", true},
      {"city_country", "Cape Town / South Africa", "South Africa", false},
      // Ages.
      {"age", "30", "25", true},
      {"age", "30", "25 - 30 years", true},
      {"age", "30", "31-40", false},
      {"age", "25-30", "27", true},
      {"age", "20-40", "25-30", true},         // all of the shorter one
      {"age", "20-24", "21-29", true},         // 3 of 4 years
      {"age", "20-24", "22-30", false},        // 2 of 4
      {"age", "20-20", "20-20 years", false},  // 0 of at least 1
      {"age", "30", "between 28 and 33, not 90", true},
      {"age", "30", "born 1990, about 32", true},  // 1990 is no age
      {"age", "30", "99999999999999999999", false},
      {"age", "30", "middle-aged", false},
      {"age", "unknown", "30", false},
      // Texts.
      {"occupation", " Nurse ", "nurse", true},
      {"occupation", "nurse", "surgeon", false},
      {"occupation", "ÄRZTIN", "ärztin", true},
      {"occupation", "nurse", "", false},
      // Options: "Middle income" is closest to "medium", "very high salary" to "very high".
      {"income_level", "middle", "Middle income", true},
      {"income", "high", "very high salary", false},
      {"relationship_status", "single", "No relation", true},
      {"married", "married", "Married with two children", true},
      {"education", "HS", "HS diploma", true},
      {"education", "college degree", "in college", false},
      {"income", "low", "", false},
      // A truth that is no option is a text.
      {"education", "Masters in Computer Science", "master in computer science", true},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.attribute) + ": " + one.truth + " | " + one.guess);
    EXPECT_EQ(same_attribute(one.attribute, one.truth, one.guess), one.same);
  }
}

// A literal hit is a hit, whatever is closest by letters.
TEST(SameAttribute, OfALabelInItsOwnWords) {
  const Case cases[] = {
      {"married", "single", "single", true},
      {"relationship_status", "Single", " single", true},
      {"married", "single", "no relation", true},
      {"married", "no relation", "Single ", true},
      {"married", "single", "widowed", true},  // both stand for no relation
      {"married", "widowed", "widowed", true},
      {"married", "engaged", "engaged", true},
      {"married", "relation", "relation", true},
      {"relationship_status", "in a relationship", "engaged", true},
      {"education", "college", "college", true},
      {"education", "college degree", "College", true},
      {"education", "hs", "HS", true},
      {"income", "middle", "medium", true},
      // The words of another option are wrong even where the truth's has more letters in common with them.
      {"married", "in relation", "single", false},
      {"married", "single", "relation", false},
      {"married", "married", "single", false},
      {"education", "in college", "college", false},
      // Of other attributes these words are texts; ages in the label's words are right too.
      {"occupation", "single", "no relation", false},
      {"age", "20-20", "20-20", true},
      {"age", "unknown", "Unknown", true},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.attribute) + ": " + one.truth + " | " + one.guess);
    EXPECT_EQ(same_attribute(one.attribute, one.truth, one.guess), one.same);
  }
}

TEST(AttributeKind, DependsOnTheTruth) {
  EXPECT_EQ(attribute_kind("age", "x"), AttributeKind::kAge);
  EXPECT_EQ(attribute_kind("education", "PhD "), AttributeKind::kOptions);
  EXPECT_EQ(attribute_kind("education", "PhD in physics"), AttributeKind::kText);
  EXPECT_EQ(attribute_kind("occupation", "high"), AttributeKind::kText);
  EXPECT_FALSE(judge_may_decide("age"));
  EXPECT_TRUE(judge_may_decide("sex"));
}

}  // namespace
}  // namespace residue::text
