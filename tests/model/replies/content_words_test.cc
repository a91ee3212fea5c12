#include "model/replies/content_words.h"

#include <gtest/gtest.h>

#include <string>

#include "model/replies/rewritten.h"

namespace residue::model {
namespace {

using Words = std::set<std::string>;

TEST(ContentWords, AreReadWithoutCaseEndingsAndWhatHoldsThemTogether) {
  EXPECT_EQ(content_words("The Cats, and a cat's _cat_!"), (Words{"cat"}));
  EXPECT_EQ(content_words("Hospitals hospitalised 1234567 12345678"), (Words{"hospit", "1234567", "12345678"}));
  EXPECT_EQ(content_words("isn\u2019t it so that we aren't?"), (Words{"aren't"}));
  EXPECT_EQ(content_words("Ich habe die M\u00fcdigkeit nicht"), content_words("ist M\u00dcDIGKEIT"));
  EXPECT_EQ(content_words(""), Words());
  EXPECT_GT(content_words("\u4ed6\u54b3\u55fd\u4e86\u5f88\u4e45").size(), 1U)
      << "scripts without spaces have words too";
}

TEST(ContentWords, OfAnotherWordingAreTheTexts) {
  constexpr const char* kNurse = "I am a nurse in Graz and work nights at the old hospital near the river.";  // 8
  EXPECT_EQ(content_words(kNurse).size(), 8U);
  EXPECT_TRUE(
      has_nothing_of("It would not be right of me to put in other words what somebody tells of her life.", kNurse));
  EXPECT_FALSE(has_nothing_of("Somebody with an occupation at some place, by night.", kNurse));
  EXPECT_TRUE(has_nothing_of("", kNurse));
  // Of seven words it cannot be said.
  EXPECT_FALSE(has_nothing_of("Somebody is employed.", "A nurse in Graz works nights at the old hospital."));
}

TEST(ContentWords, MayBeTagsAlone) {
  for (const char* tags : {"[NAME], [ADDRESS], [EMAIL].", "[NAME_1] of [CITY], [AGE]", "[FIRST NAME]"})
    EXPECT_TRUE(is_of_tags(tags)) << tags;
  for (const char* words : {"", "of the", "[NAME] sings", "[Name]", "[", "[] []", "..."})
    EXPECT_FALSE(is_of_tags(words)) << words;
}

}  // namespace
}  // namespace residue::model
