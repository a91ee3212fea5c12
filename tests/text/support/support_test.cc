#include "text/support/support.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/support/support_words.h"

namespace residue::text {
namespace {

std::vector<std::string> tokens(std::string_view text) {
  std::vector<SupportToken> found;
  support_tokens(text, found);
  std::vector<std::string> out;
  for (const auto& token : found) out.emplace_back(text.substr(token.begin, token.end - token.begin));
  return out;
}

std::uint64_t key(std::string_view text) {
  std::vector<SupportToken> found;
  support_tokens(text, found);
  return found.size() == 1 ? found[0].key : 0;
}

SupportFeatures features(std::string_view passage_text, std::string_view claim_text, SupportDetail* detail = nullptr) {
  SupportPassage passage;
  SupportClaim claim;
  passage.assign(passage_text);
  claim.assign(claim_text);
  return support_features(passage, claim, detail);
}

using Words = std::vector<std::string>;

TEST(SupportTokens, LeavePlaceholdersOut) {
  EXPECT_EQ(tokens("[NAME] saw <PERSON> and {{DATE}} XXXX *** [REDACTED] NAME_1 redacted [name] [**2001-1-1**] home"),
            (Words{"saw", "and", "home"}));
  EXPECT_EQ(tokens("a [broken dog] < 5 mg"), (Words{"a", "broken", "dog", "5", "mg"}));
}

TEST(SupportTokens, ReadNumbersHoweverTheyAreWritten) {
  const std::pair<std::string_view, std::string_view> same[] = {
      {"21", "twenty-one"}, {"4,500", "4500"}, {"0.50", "0.5"}, {"200", "two hundred"}, {"007", "7"}, {"5", "five"}};
  for (const auto& [a, b] : same) {
    SCOPED_TRACE(a);
    EXPECT_NE(key(a), 0U);
    EXPECT_EQ(key(a), key(b));
  }
  EXPECT_NE(key("45"), key("54"));
  EXPECT_NE(key("4.5"), key("45"));
  EXPECT_EQ(tokens("130/80 36.8."), (Words{"130", "80", "36.8"}));
}

TEST(SupportTokens, CarryUnitsAndNegations) {
  std::vector<SupportToken> found;
  support_tokens("45-year-old, no fever. Pain", found);
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].unit, support_word("years").key);
  EXPECT_TRUE(found[4].negated);
  EXPECT_FALSE(found[5].negated);
}

TEST(SupportTokens, KnowOfWhomThingsAreSaid) {
  const auto held = [](std::string_view text) {
    std::vector<SupportToken> found;
    support_tokens(text, found);
    std::string words;
    for (const auto& token : found) {
      if (token.holder != 0) words += std::string(text.substr(token.begin, token.end - token.begin)) + " ";
    }
    return words;
  };
  EXPECT_EQ(held("The patient's mother has asthma. Gout runs."), "mother has asthma ");
  EXPECT_EQ(held("His mother says he has asthma."), "mother ");
  EXPECT_EQ(held("He was brought by his worried mother with asthma."), "");
  EXPECT_EQ(held("He coughs; gout in his brother."), "gout in his ");
  EXPECT_EQ(held("A 30-year-old mother of two has asthma."), "");
  std::vector<SupportToken> both;
  support_tokens("His mother has gout and his father has asthma, his aunt and his uncle gout.", both);
  const auto holder = [&](std::size_t at) { return both[at].holder; };
  EXPECT_NE(holder(3), holder(8));
  EXPECT_GE(both.back().holder, kAnyKin);
}

TEST(SupportWords, MeetByStemSynonymAndRoot) {
  EXPECT_EQ(support_word("women").key, support_word("female").key);
  EXPECT_EQ(support_word("running").key, support_word("runs").key);
  EXPECT_NE(support_word("abdomen").key, support_word("abdominal").key);
  EXPECT_EQ(support_word("abdomen").root, support_word("abdominal").root);
  EXPECT_NE(support_word("hypertension").root, support_word("hyperthyroid").root);
  const std::string longer(100, 'q');
  EXPECT_EQ(support_word(longer).key, support_word(longer).key);
}

TEST(SupportFeatures, FindTheBestThreeSentences) {
  const std::string_view passage = "One dog barked. Rain fell. Snow fell. A cat slept on a red sofa. Night came.";
  SupportDetail detail;
  const auto f = features(passage, "A cat barked on a green sofa.", &detail);
  const auto window = passage.substr(detail.window_begin, detail.window_end - detail.window_begin);
  EXPECT_NE(window.find("red sofa"), std::string_view::npos);
  EXPECT_EQ(window.find("dog"), std::string_view::npos);
  EXPECT_EQ(detail.unsupported, (std::vector<std::string_view>{"barked", "green"}));
  EXPECT_GT(f.coverage, f.window_coverage);
  EXPECT_LT(f.coverage, kSupportOne);
}

TEST(SupportFeatures, CountNamesNumbersAndUnits) {
  const auto f = features("Mary met him on 3 days.", "He met Mary and Paul for 3 days and 4 nights");
  EXPECT_EQ(f.names, kSupportOne / 2);
  EXPECT_EQ(f.numbers, kSupportOne / 2);
  EXPECT_EQ(features("It took 3 days.", "It took 3 weeks.").numbers, 0);
  EXPECT_EQ(features("It took 3.", "It took 3 weeks.").numbers, kSupportOne);
}

TEST(SupportFeatures, TellRivalsByWhatTheyStandBefore) {
  SupportDetail detail;
  EXPECT_TRUE(features("The left knee and the right hip.", "The right knee.", &detail).rival);
  EXPECT_EQ(detail.rivals, (std::vector<std::string_view>{"right"}));
  EXPECT_FALSE(features("The left knee and the right hip.", "The right hip.").rival);
  EXPECT_FALSE(features("The knee and the hip.", "The right hip.").rival);
  EXPECT_TRUE(features("A chronic cough.", "An acute cough.").rival);
}

TEST(SupportFeatures, TellWhatIsSaidOfARelative) {
  EXPECT_EQ(features("His mother has asthma.", "He has asthma.").stranger, kSupportOne);
  EXPECT_EQ(features("His mother has asthma. He has asthma.", "He has asthma.").stranger, 0);
  EXPECT_EQ(features("His mother has asthma.", "Asthma is in his family.").stranger, 0);
  EXPECT_TRUE(features("He has asthma.", "His mother has asthma.").lacks);
  EXPECT_FALSE(features("He has asthma.", "He has asthma.").lacks);
}

TEST(SupportFeatures, KnowACopy) {
  EXPECT_TRUE(features("He said that dogs bark loudly. Yes.", "Dogs bark loudly").verbatim);
  EXPECT_FALSE(features("He said that loudly dogs bark.", "Dogs bark loudly").verbatim);
  EXPECT_TRUE(features("", "It was").plain);
}

TEST(SupportPassage, CanBeAssignedAgain) {
  SupportPassage passage;
  SupportClaim claim;
  claim.assign("A green sofa.");
  passage.assign("A green sofa stood there. It was old. And big. And soft.");
  passage.assign("A red house.");
  EXPECT_EQ(support_features(passage, claim), features("A red house.", "A green sofa."));
}

}  // namespace
}  // namespace residue::text
