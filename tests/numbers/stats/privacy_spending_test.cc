#include "numbers/stats/privacy_spending.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace residue::numbers {
namespace {

// dp-ngram with its defaults: codes, then three orders of at most 100 n-grams.
Spending release(double epsilon, double delta) {
  const std::vector<Contribution> tables{{1, 1, 1}, {100, 1, 100}, {100, 1, 100}, {100, 1, 100}};
  return spending_of({epsilon, delta}, tables, account({epsilon, delta}, tables));
}

// By the closed form of Balle and Wang with mu^2 = 2 rho, solved at 40 digits elsewhere: of epsilon 8 and delta 1e-5
// rho is 1.002797, of the half of delta that is left for noise epsilon is 6.806775. Five of them: rho 5.013985, delta
// 2.5e-5, 17.21633.
TEST(PrivacySpending, OfOneReleaseIsLessThanItPromised) {
  const std::vector<Spending> one{release(8, 1e-5)};
  const Composition sum = compose(one);
  EXPECT_EQ(sum.epsilon, 8);
  EXPECT_EQ(sum.delta, 1e-5);
  EXPECT_NEAR(sum.rho, 1.002797, 1e-4);
  EXPECT_LE(*sum.zcdp, 8);
  EXPECT_NEAR(*sum.zcdp, 8, 1e-3);
  EXPECT_GE(*sum.tight, 6.8065);
  EXPECT_NEAR(*sum.tight, 6.806775, 2e-3);
}

TEST(PrivacySpending, OfSeveralReleasesGrowsMoreSlowlyThanTheirSum) {
  const Composition sum = compose(std::vector<Spending>(5, release(8, 1e-5)));
  EXPECT_EQ(sum.epsilon, 40);
  EXPECT_NEAR(sum.delta, 5e-5, 1e-18);
  EXPECT_NEAR(*sum.zcdp, 5.013985 + 2 * std::sqrt(5.013985 * -std::log(2.5e-5)), 2e-3);
  EXPECT_GE(*sum.tight, 17.2160);
  EXPECT_NEAR(*sum.tight, 17.216325, 5e-3);
}

TEST(PrivacySpending, AtAnotherDelta) {
  const std::vector<Spending> one{release(8, 1e-5)};
  EXPECT_LT(*compose(one, 1e-3).tight, 6);
  EXPECT_GT(*compose(one, 6e-6).tight, 7);
  const Composition none = compose(one, 5e-6);
  EXPECT_FALSE(none.zcdp || none.tight) << "what passes a threshold takes all of it";
  EXPECT_EQ(none.epsilon, 8);
  EXPECT_EQ(none.basic_delta, 1e-5);
}

TEST(PrivacySpending, OfReleasesThatOnlySayTheirGuarantee) {
  const std::vector<Spending> two{{1, 1e-6, 0, {}}, {0.5, 0, 0, {}}};
  const Composition sum = compose(two);
  EXPECT_EQ(sum.epsilon, 1.5);
  EXPECT_EQ(sum.delta, 1e-6);
  EXPECT_FALSE(sum.zcdp);
  EXPECT_EQ(*sum.tight, 1.5);
  // Forty together, with something to spare: far from their sum (Kairouz, Oh and Viswanath).
  const Composition many = compose(std::vector<Spending>(40, Spending{0.1, 0, 0, {}}), 1e-5);
  EXPECT_LT(*many.tight, 3.0);
  EXPECT_LT(*many.tight, *many.zcdp);
  // Beside noise they add up.
  const Composition mixed = compose(std::vector<Spending>{release(8, 1e-5), {1, 1e-6, 0, {}}});
  EXPECT_GT(*mixed.tight, *compose(std::vector<Spending>{release(8, 1e-5)}).tight);
  EXPECT_LT(*mixed.tight, 7.9);
}

TEST(PrivacySpending, OfNoneIsNothing) {
  const Composition none = compose({});
  EXPECT_EQ(none.epsilon, 0);
  EXPECT_EQ(none.delta, 0);
  EXPECT_EQ(*none.tight, 0);
}

// Three records of a person under codes: one count moves by 3 at most, the next by 1, the third by 1.
TEST(PrivacySpending, MovesOfSeveralCountsAreTheWorstThatTheirBoundsAllow) {
  const std::vector<Contribution> tables{{3, 3, 9, 3}, {5, 1, 5}};
  const Spending found = spending_of({3, 1e-5}, tables, account({3, 1e-5}, tables));
  ASSERT_EQ(found.noise.size(), 3U);
  EXPECT_EQ(found.noise[0].shift, 3U);
  EXPECT_EQ(found.noise[0].times, 1U);
  EXPECT_EQ(found.noise[1].shift, 1U);
  EXPECT_EQ(found.noise[1].times, 2U);
  EXPECT_EQ(found.noise[2].times, 5U);
  EXPECT_NE(found.noise[2].variance.scaled, found.noise[1].variance.scaled);
  EXPECT_LE(*compose(std::vector<Spending>{found}).tight, *compose(std::vector<Spending>{found}).zcdp);
}

// Whatever budget the sanitizers allow. The least noise is a variance of 2^-16, whose losses are far apart.
TEST(PrivacySpending, OfTheSmallestAndTheLargestBudgets) {
  const std::vector<Contribution> tables{{7, 7, 49, 7}, {10'000, 1, 10'000}, {3, 1, 3}};
  for (const double epsilon : {kLeastEpsilon, 64.0, kMostEpsilon}) {
    for (const double delta : {kLeastDelta, 1e-5, 0.5}) {
      SCOPED_TRACE(testing::Message() << epsilon << " " << delta);
      const std::vector<Spending> one{spending_of({epsilon, delta}, tables, account({epsilon, delta}, tables))};
      const Composition sum = compose(one);
      ASSERT_TRUE(sum.tight && sum.zcdp);
      EXPECT_GE(*sum.tight, 0);
      EXPECT_LE(*sum.tight, *sum.zcdp);
      EXPECT_LE(*sum.tight, epsilon * 1.2) << "what was promised, but for several records under a code";
      // Not by chance the bound of rho: the account itself is below it.
      if (epsilon <= 64 && delta >= 1e-5) {
        EXPECT_LT(*sum.tight, *sum.zcdp * 0.98);
      }
    }
  }
}

TEST(PrivacySpending, IsKeptAsJson) {
  const Spending kept = release(8, 1e-5);
  const auto read = spending_from(*Json::parse(json_of(kept).dump()));
  ASSERT_TRUE(read);
  EXPECT_EQ(*compose(std::vector<Spending>{*read}).tight, *compose(std::vector<Spending>{kept}).tight);
  EXPECT_TRUE(std::isinf(spending_from(*Json::parse(json_of({HUGE_VAL, 0, 0, {}}).dump()))->epsilon));
  for (const char* bad : {"{}", "[]", R"({"epsilon":1,"delta":0,"tail":0,"noise":[{"shift":1}]})",
                          R"({"epsilon":1,"delta":0,"tail":0,"noise":[{"variance_65536":0,"shift":1,"times":1}]})"}) {
    EXPECT_FALSE(spending_from(*Json::parse(bad))) << bad;
  }
}

TEST(PrivacySpending, IsPrintedUpwards) {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c : {Case{0, "0"},
                        {3, "3"},
                        {1e-5 + 2e-5, "3e-05"},
                        {6.80677, "6.807"},
                        {6.8061, "6.807"},
                        {40, "40"},
                        {1234.2, "1235"},
                        {123'456, "123500"},
                        {1e-100, "1e-100"},
                        {0.30000000000000004, "0.3"}}) {
    EXPECT_EQ(fmt::format("{:g}", rounded_up(c.value)), c.text);
  }
}

}  // namespace
}  // namespace residue::numbers
