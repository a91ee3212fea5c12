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

TEST(SupportTokens, ReadDatesAndCountriesHoweverTheyAreWritten) {
  const auto found = [](std::string_view passage, std::string_view claim) {
    const auto f = features(passage, claim);
    return f.coverage == kSupportOne && f.names == kSupportOne && f.numbers == kSupportOne;
  };
  EXPECT_TRUE(found("He left on 2017-10-31.", "He left on October 31, 2017."));
  EXPECT_TRUE(found("He left on 31 Oct. 2017.", "He left on October 31, 2017."));
  EXPECT_TRUE(found("He left on March 4th.", "He left on March 4."));
  EXPECT_TRUE(found("He left on 2017-05-31.", "He left on May 31, 2017."));
  EXPECT_FALSE(found("He may leave on 31.", "He left on May 31."));
  EXPECT_FALSE(found("He left on 2017-11-30.", "He left on October 30, 2017."));
  EXPECT_FALSE(found("He left on 12-10-311.", "He left in October."));
  EXPECT_EQ(tokens("In the U.S. he left the U.K."), (Words{"In", "the", "U.S", "he", "left", "the", "U.K"}));
  EXPECT_TRUE(found("He came to the USA.", "He came to the U.S."));
  EXPECT_EQ(tokens("U.S.S.R"), (Words{"U", "S", "S", "R"}));
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

using Views = std::vector<std::string_view>;

Views contested(std::string_view passage, std::string_view claim) {
  SupportDetail detail;
  const auto f = features(passage, claim, &detail);
  EXPECT_EQ(f.contested, !detail.contested.empty());
  return detail.contested;
}

TEST(SupportFrame, SeesAnotherValueInTheSamePlace) {
  EXPECT_EQ(contested("He had a heart attack in May.", "He had a cerebral stroke in May."),
            (Views{"cerebral", "stroke"}));
  EXPECT_EQ(contested("He was born on 3 June 1961 in Oslo.", "He was born on 31 May 1961 in Oslo."),
            (Views{"31", "May"}));
  // Wherever else the passage may say it.
  EXPECT_EQ(contested("Mr Polat lives in Bergen. He left Oslo.", "Mr Polat lives in Oslo."), Views{"Oslo"});
  EXPECT_EQ(contested("A Turkish man sued the state of Turkey.", "A Cypriot man sued the state of Turkey."),
            Views{"Cypriot"});
}

TEST(SupportFrame, IsContestedByNothingThatMayBeTrueAsWell) {
  EXPECT_EQ(contested("He lives in [CITY] with Ann.", "He lives in Oslo with Ann."), Views{}) << "removed";
  EXPECT_EQ(contested("He lives with Ann in Oslo.", "He lives in Oslo with Ann."), Views{}) << "moved";
  EXPECT_EQ(contested("The woman has asthma.", "The patient has asthma."), Views{});
  EXPECT_EQ(
      contested("He ended up once again in a hospital of the town.", "He was admitted to a hospital of the town."),
      Views{})
      << "said in more words";
  EXPECT_EQ(contested("Nothing of the kind was said in 1961.", "He lives in Oslo with his wife since 1970."), Views{})
      << "another sentence";
}

TEST(SupportFeatures, KnowRangesAndDecades) {
  const auto general = [](std::string_view passage) {
    const auto f = features(passage, "The patient is 54 years old.");
    return f.general;
  };
  for (const auto* passage : {"Aged 50-60.", "Aged 50 to 60 years.", "Aged between 50 and 60.", "In his 50s.",
                              "A man in his Fifties.", "Aged 50 \xE2\x80\x93 60."}) {
    EXPECT_TRUE(general(passage)) << passage;
  }
  for (const auto* passage : {"Aged 55-60.", "Aged 50 or 60.", "He has 50 cats and 60 dogs.", "In his 40s.",
                              "In his forties.", "1950-53-60", "For 50-60 weeks.", "On 2001-50-60-1."}) {
    EXPECT_FALSE(general(passage)) << passage;
  }
}

TEST(SupportFeatures, DoubtWhatIsNowhereAndWhatStandsApart) {
  SupportDetail detail;
  const auto f = features("Ann met a lawyer in Oslo on 5 May. Rain fell. Snow fell. Hail fell. A cat slept.",
                          "A lawyer met Bob in Oslo on 6 May.", &detail);
  std::string places;
  for (const auto& word : detail.doubted) {
    places += std::string(word.word) + std::to_string(static_cast<int>(word.place)) + " ";
  }
  EXPECT_EQ(places, "lawyer4 met4 Bob0 Oslo4 60 May4 ");
  const auto percent = [](WordKind kind, WordPlace place) { return doubt_percent(kind, place); };
  EXPECT_EQ(f.worst, (percent(WordKind::kName, WordPlace::kNowhere) + percent(WordKind::kNumber, WordPlace::kNowhere)) *
                         kSupportOne / 200);
  EXPECT_GT(features("Ann met a lawyer.", "A lawyer met Bob.").doubt,
            features("Ann met a lawyer.", "A lawyer met Ann.").doubt);
  for (const auto kind : {WordKind::kName, WordKind::kNumber, WordKind::kOrdinary, WordKind::kCommon}) {
    EXPECT_GT(percent(kind, WordPlace::kNowhere), percent(kind, WordPlace::kInside));
    EXPECT_GT(percent(kind, WordPlace::kInside), percent(kind, WordPlace::kInsideNear));
  }
}

// The words of an address are no lesser evidence than a name.
TEST(SupportFeatures, TakeAddressesForNames) {
  for (const auto* claim : {"He reads ada.l@example.org daily.", "He admires @ada daily.",
                            "He reads https://example.org/ada daily.", "He reads (ada@example.org), daily."}) {
    const auto f = features("He reads [MAIL] daily. He admires [USER] daily.", claim);
    EXPECT_EQ(f.names, 0) << claim;
    EXPECT_EQ(f.rest, kSupportOne) << claim;
  }
  EXPECT_EQ(features("He reads daily.", "He reads at @ noon: daily.").names, kSupportOne);
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
