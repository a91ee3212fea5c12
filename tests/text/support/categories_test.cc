#include "text/support/categories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/support/category_rules.h"

namespace residue::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Names = std::vector<std::string_view>;

TEST(Categories, NamesThePapersLists) {
  EXPECT_EQ(category_names(CategoryList::kGeneral).size(), 16U);
  EXPECT_EQ(category_names(CategoryList::kMedical).size(), 24U);
  EXPECT_EQ(category_list_name(CategoryList::kMedical), "medical");
}

TEST(Categories, FindsWhatPhrasesSay) {
  struct Case {
    const char* claim;
    Names general;
  };
  const Case cases[] = {
      {"The person is a 45-year-old nurse.", {"Age", "Occupation"}},
      {"She turned 61 in May.", {"Age", "Gender"}},
      {"The patient\xe2\x80\x99s daughter lives in Lisbon.", {"Gender", "Family", "Location"}},
      {"The widowed baker owes 300 dollars.", {"Relationship_Status", "Occupation", "Finance"}},
      {"The writer keeps two cats.", {"Pet", "Occupation"}},
      {"A lesbian couple came.", {"Sexual_Orientation"}},
      {"The Somali student has long hair.", {"Race_Nationality", "Appearance", "Education"}},
      {"The user feels lonely since the divorce.", {"Relationship_Status", "Mental_Health"}},
      {"The tree is green.", {}},
      {"", {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.claim);
    EXPECT_EQ(categories(one.claim, CategoryList::kGeneral), one.general);
  }
}

TEST(Categories, FindsWhatNotesSayOfPatients) {
  struct Case {
    const char* claim;
    const char* has;
    const char* lacks;
  };
  const Case cases[] = {
      {"The patient takes lisinopril.", "Medications", "Health"},
      {"The patient takes 5mg of it.", "Medications", "Age"},
      {"The mother had breast cancer.", "Family_History", "Past_Medical_History"},
      {"The mother is kind.", "Family", "Family_History"},
      {"The temperature is 38.2.", "Physical_Exam", "Diagnostic_Results"},
      {"Physical examination shows a murmur.", "Physical_Exam", "Education"},
      {"The hemoglobin is 9 g/dL.", "Diagnostic_Results", "Physical_Exam"},
      {"The patient denies chills.", "Review_of_Systems", "Chief_Concern"},
      {"The patient smokes a pack a day.", "Social_History", "Medications"},
      {"The pain began 3 days ago.", "History_of_Present_Illness", "Social_History"},
      {"The patient has a history of gout.", "Past_Medical_History", "Family_History"},
      {"Family history of gout.", "Family_History", "Past_Medical_History"},
      {"The patient is allergic to penicillin.", "Allergies_Reactions", "Chief_Concern"},
      {"The patient presents with cough.", "Chief_Concern", "Education"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.claim);
    const Names found = categories(one.claim, CategoryList::kMedical);
    EXPECT_THAT(found, testing::Contains(one.has));
    EXPECT_THAT(found, testing::Not(testing::Contains(one.lacks)));
  }
}

TEST(Categories, TakesNamesOfPlacesAndNotOfMonths) {
  EXPECT_THAT(categories("They met in Porto.", CategoryList::kGeneral), ElementsAre("Location"));
  EXPECT_THAT(categories("They met in March.", CategoryList::kGeneral), IsEmpty());
  EXPECT_THAT(categories("In Porto", CategoryList::kGeneral), ElementsAre("Location"));
  EXPECT_THAT(categories("they met in porto.", CategoryList::kGeneral), IsEmpty());
}

TEST(CategoryRules, ReadsNumbersAndWordsApart) {
  const auto words = category_words("A 45yo, 1,200.5 in Rome\xe2\x80\x94no");
  std::vector<std::string> read;
  for (const CategoryWord& word : words) read.push_back(word.word);
  EXPECT_THAT(read, ElementsAre("a", "#", "yo", "#", "in", "rome", "no"));
  EXPECT_TRUE(words[5].name);
  EXPECT_FALSE(words[0].name);
}

TEST(CategoryRules, ForbidsAndAsksForOthers) {
  const CategoryRules rules("# words\n[A]\nred fox, !red fox den\n[B]\nden\n[A+B]\nfox\n");
  const auto match = [&](const char* claim) { return rules.match(category_words(claim)); };
  EXPECT_EQ(match("a red fox"), rules.bit("A") | rules.bit("B"));
  EXPECT_EQ(match("a red fox den"), rules.bit("B"));
  EXPECT_EQ(match("a fox"), 0U);
  EXPECT_EQ(rules.bit("C"), 0U);
}

TEST(Categories, AcceptsAnyBytes) {
  const std::string bytes("\xff\xe2\x80 \x00 45 \xc3", 10);
  EXPECT_THAT(categories(bytes, CategoryList::kGeneral), IsEmpty());
}

}  // namespace
}  // namespace residue::text
