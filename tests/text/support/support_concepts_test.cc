#include "text/support/support_concepts.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tests/text/mini_wordnet.h"
#include "text/support/support.h"

namespace residue::text {
namespace {

const WordNet& mini() {
  static const WordNet wordnet(testing::mini_files());
  return wordnet;
}

SupportFeatures features(std::string_view passage_text, std::string_view claim_text, const WordNet* wordnet = &mini(),
                         SupportDetail* detail = nullptr) {
  SupportPassage passage;
  SupportClaim claim;
  passage.assign(passage_text, wordnet);
  claim.assign(claim_text, wordnet);
  return support_features(passage, claim, detail);
}

// One word of ordinary weight beside words of none: its coverage is what its match is worth, in sixteenths.
int worth(std::string_view passage, std::string_view claim) {
  return features(passage, claim).coverage * 16 / kSupportOne;
}

TEST(SupportConcepts, AreWorthWhatTheRelationSays) {
  EXPECT_EQ(worth("It was a car.", "It was a car."), 16);
  EXPECT_EQ(worth("It was a car.", "It was an automobile."), 14);
  EXPECT_EQ(worth("It was an automobile.", "These were cars."), 14);
  EXPECT_EQ(worth("They bake it.", "He was a baker."), 13);
  EXPECT_EQ(worth("It was hepatic.", "It was of the liver."), 13);
  EXPECT_EQ(worth("It was of the liver.", "It was hepatic."), 13);
  EXPECT_EQ(worth("It was a dog.", "It was an animal."), 12);
  EXPECT_EQ(worth("It was huge.", "It was vast."), 10);
  EXPECT_EQ(worth("It was an animal.", "It was a dog."), 7);
  EXPECT_EQ(worth("It was innocent.", "It was guilty."), 0);
  EXPECT_EQ(worth("It was a mouse.", "It was a dog."), 0) << "both animals";
}

TEST(SupportConcepts, AreNotThereWithoutWordNet) {
  EXPECT_EQ(features("It was a car.", "It was an automobile.", nullptr).coverage, 0);
  // An object that held a claim with WordNet forgets it.
  SupportPassage passage;
  SupportClaim claim;
  passage.assign("It was a car.", &mini());
  claim.assign("It was an automobile.", &mini());
  EXPECT_GT(support_features(passage, claim).coverage, 0);
  passage.assign("It was a car.");
  claim.assign("It was an automobile.");
  EXPECT_EQ(support_features(passage, claim).coverage, 0);
}

TEST(SupportConcepts, KnowPhrases) {
  EXPECT_EQ(worth("It was an infarction.", "It was an attack."), 0);
  const auto f = features("It was an infarction.", "It was a heart attack.");
  EXPECT_EQ(f.coverage, kSupportOne * 14 / 16);
  EXPECT_FALSE(f.lacks);
  EXPECT_EQ(worth("These were heart attacks.", "It was an infarction."), 14);
  EXPECT_EQ(worth("It was in the heart. Attack it.", "It was an infarction."), 0) << "no phrase";
}

TEST(SupportConcepts, LeaveNamesNumbersAndRelativesAlone) {
  EXPECT_EQ(features("It was a dog.", "It was a Rex.").coverage, 0);
  EXPECT_EQ(features("It was a dog.", "It was a Rex.").names, 0);
}

TEST(SupportConcepts, CountWhereTheWindowIs) {
  constexpr std::string_view kFar = "It was a car. Rain fell. Rain fell. Rain fell. It was hepatic.";
  const auto f = features(kFar, "It was an automobile of the liver.");
  EXPECT_EQ(f.coverage, kSupportOne * 27 / 32);
  EXPECT_EQ(f.window_coverage, kSupportOne * 14 / 32) << "only one of the two is in any three sentences in a row";
}

// "Bank" has two meanings: both are looked for, and the window is where the other word is as well.
TEST(SupportConcepts, CountEveryMeaning) {
  const WordNet two(testing::mini_files({{"slope", 'n', {"slope", "bank"}}, {"lender", 'n', {"lender", "bank"}}}));
  constexpr std::string_view kBoth = "It was a slope. Rain fell. Rain fell. Rain fell. It was a lender in Oslo.";
  const auto f = features(kBoth, "It was a bank in Oslo.", &two);
  EXPECT_EQ(f.window_coverage, f.coverage);
  EXPECT_LT(f.coverage, kSupportOne);
  EXPECT_EQ(features("It was a slope. Rain fell. Rain fell. Rain fell. It was in Oslo.", "It was a bank in Oslo.", &two)
                .coverage,
            f.coverage);
}

TEST(SupportConcepts, SayWhatIsMoreGeneralAndWhatIsTheOpposite) {
  SupportDetail detail;
  const auto general = features("It was an animal.", "It was a dog.", &mini(), &detail);
  EXPECT_TRUE(general.lacks) << "an animal need be no dog";
  EXPECT_EQ(detail.general, std::vector<std::string_view>{"dog"});
  EXPECT_FALSE(features("It was a dog.", "It was an animal.").lacks);
  detail = {};
  EXPECT_TRUE(features("It was innocent.", "It was guilty.", &mini(), &detail).rival);
  EXPECT_EQ(detail.rivals, std::vector<std::string_view>{"guilty"});
  EXPECT_FALSE(features("It was innocent. It was guilty.", "It was guilty.").rival);
}

TEST(SupportConcepts, AreThoseOfTheirOwnWordNet) {
  const WordNet other(testing::mini_files({{"car", 'n', {"car"}}, {"automobile", 'n', {"automobile"}}}));
  EXPECT_EQ(features("It was a car.", "It was an automobile.").coverage, kSupportOne * 14 / 16);
  EXPECT_EQ(features("It was a car.", "It was an automobile.", &other).coverage, 0);
  EXPECT_EQ(features("It was a car.", "It was an automobile.").coverage, kSupportOne * 14 / 16);
}

}  // namespace
}  // namespace residue::text
