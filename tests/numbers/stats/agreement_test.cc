#include "numbers/stats/agreement.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tests/text/parity.h"

namespace residue::numbers {
namespace {

TEST(FleissKappa, IsNothingWhereThereIsOneCategory) {
  for (const std::size_t pairs : {1, 3, 10, 28, 29}) {
    EXPECT_FALSE(fleiss_kappa(std::vector<std::vector<std::uint32_t>>(pairs, {2, 0, 0}))) << pairs;
  }
}

TEST(Agreement, HasTheRankCorrelationsOfTheReference) {
  const auto cases = text::parity_cases("spearman_fleiss.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t compared = 0;
  for (const auto& one : cases) {
    SCOPED_TRACE(one["id"].dump());
    if (one["kind"] == "spearman") {
      const auto rho = spearman(one["x"].get<std::vector<double>>(), one["y"].get<std::vector<double>>());
      ++compared;
      ASSERT_EQ(rho.has_value(), one["rho"].is_number());
      if (!rho) continue;
      EXPECT_NEAR(*rho, one["rho"].get<double>(), 1e-12);
    } else if (one["kind"] == "fleiss") {
      const auto kappa = fleiss_kappa(one["table"].get<std::vector<std::vector<std::uint32_t>>>());
      ++compared;
      ASSERT_EQ(kappa.has_value(), one["kappa"].is_number());
      if (!kappa) continue;
      EXPECT_NEAR(*kappa, one["kappa"].get<double>(), 1e-12);
    }
  }
  EXPECT_GT(compared, 60U);
}

// Rows: first; columns: second.
constexpr Confusion kExample = {{{20, 5, 0}, {10, 30, 5}, {1, 4, 25}}};

TEST(Agreement, CountsKappasByHand) {
  // Of 100: agreement .75; by chance (25*31 + 45*39 + 30*30) / 10,000 = .343.
  EXPECT_DOUBLE_EQ(*observed_agreement(kExample), 0.75);
  EXPECT_NEAR(*cohen_kappa(kExample), (0.75 - 0.343) / (1 - 0.343), 1e-12);
  // Squared: observed 5+10+5+4 + 4*1 = 28; by chance (25*39 + 45*31 + 45*30 + 30*39 + 4*(25*30 + 30*31)) / 100 = 116.1.
  EXPECT_NEAR(*quadratic_kappa(kExample), 1 - 28 / 116.1, 1e-12);
  // Distances: observed 5+10+5+4 + 2*1 = 26; by chance (25*39 + 45*31 + 45*30 + 30*39 + 2*(25*30 + 30*31)) / 100
  // = 82.5.
  EXPECT_NEAR(*linear_kappa(kExample), 1 - 26 / 82.5, 1e-12);
  EXPECT_FALSE(quadratic_kappa(Confusion{}));
  EXPECT_FALSE(linear_kappa(Confusion{}));
  EXPECT_FALSE(cohen_kappa({{{7, 0, 0}, {0, 0, 0}, {0, 0, 0}}}));
}

TEST(Agreement, RanksByHand) {
  // Ranks 1, 2, 3.5, 3.5 and 1, 3.5, 2, 3.5 around 2.5: 2.25 - 0.5 - 0.5 + 1 of 2.25 + 0.25 + 1 + 1 on either side.
  EXPECT_DOUBLE_EQ(*spearman(std::vector<double>{1, 2, 3, 3}, std::vector<double>{1, 3, 2, 3}), 0.5);
  EXPECT_DOUBLE_EQ(*spearman(std::vector<double>{1, 5, 9}, std::vector<double>{3, 2, 0}), -1);
  EXPECT_FALSE(spearman(std::vector<double>{2, 2}, std::vector<double>{1, 3}));
}

TEST(FleissKappa, IsCountedByHand) {
  // Of two ratings each 1, 0 and 1 of the pairs agree: 2/3; by chance 1/2.
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<std::vector<std::uint32_t>>{{2, 0}, {1, 1}, {0, 2}}), 1.0 / 3);
  // Three ratings each: (1/3 + 1) / 2; categories 2/6 and 4/6, by chance 5/9.
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<std::vector<std::uint32_t>>{{2, 1}, {0, 3}}),
                   (2.0 / 3 - 5.0 / 9) / (4.0 / 9));
}

TEST(Agreement, RanksCountsAsItRanksValues) {
  std::vector<double> first, second;
  std::vector<double> once_first, once_second;
  std::vector<std::uint16_t> weights;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::uint64_t i = 0; i < kExample[a][b]; ++i) {
        first.push_back(static_cast<double>(a));
        second.push_back(static_cast<double>(b));
      }
      once_first.push_back(static_cast<double>(a));
      once_second.push_back(static_cast<double>(b));
      weights.push_back(static_cast<std::uint8_t>(kExample[a][b]));
    }
  }
  EXPECT_NEAR(*spearman(kExample), *spearman(first, second), 1e-12);
  EXPECT_NEAR(*spearman(once_first, once_second, weights), *spearman(first, second), 1e-12);
  EXPECT_FALSE(spearman(Confusion{{{3, 4, 0}, {0, 0, 0}, {0, 0, 0}}}));
}

TEST(Agreement, ResamplesUnitsAndNotPairs) {
  // Ten pairs of one unit are one draw: they all have its weight, from next to nothing to several times 1.
  const std::vector<std::uint64_t> one(10, 7);
  const auto drawn = resampled_interval(one, [](std::span<const std::uint16_t> weights) -> std::optional<double> {
    for (const auto w : weights) EXPECT_EQ(w, weights[0]);
    return weights[0] / static_cast<double>(kWeightOne);
  });
  EXPECT_NEAR(drawn->low, -std::log(0.975), 0.02);
  EXPECT_NEAR(drawn->high, -std::log(0.025), 0.6);
  EXPECT_FALSE(resampled_interval(one, [](auto) { return std::optional<double>(); }));
}

// Audit A6: agreement of 40 in 40 had [1, 1].
TEST(ShareInterval, LeavesOpenWhatPairsThatAllAgreeDo) {
  std::vector<std::uint64_t> units;
  for (std::uint64_t i = 0; i < 40; ++i) units.push_back(i * 104'729);
  const auto all = share_interval(units, std::vector<std::uint8_t>(40, 1));
  EXPECT_EQ(all->high, 1);
  EXPECT_NEAR(all->low, std::pow(0.025, 1.0 / 40), 0.02);
  const auto one_person = share_interval(std::vector<std::uint64_t>(40, 7), std::vector<std::uint8_t>(40, 1));
  EXPECT_LT(one_person->low, 0.1);
  EXPECT_FALSE(share_interval({}, {}));
}

}  // namespace
}  // namespace residue::numbers
