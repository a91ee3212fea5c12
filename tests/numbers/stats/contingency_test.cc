#include "query/contingency.h"

#include <cmath>

#include "query/distributions.h"
#include "tests/text/parity.h"

namespace residue::query {
namespace {

TEST(Contingency, HasTheValuesOfTheReference) {
  const auto cases = text::parity_cases("spearman_fleiss.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t compared = 0;
  for (const auto& one : cases) {
    // The reference refuses tables with an empty column, which ours leaves out.
    if (one["kind"] != "chi2" || one.contains("error")) continue;
    SCOPED_TRACE(one["id"].dump());
    const auto a = one["a"].get<std::vector<std::uint64_t>>();
    const auto b = one["b"].get<std::vector<std::uint64_t>>();
    const auto corrected = chi_squared_contingency(a, b);
    const auto plain = chi_squared_contingency(a, b, false);
    EXPECT_EQ(corrected->freedom, one["dof"].get<std::uint32_t>());
    EXPECT_NEAR(corrected->statistic / one["chi2"].get<double>(), 1, 1e-12);
    EXPECT_NEAR(corrected->p / one["p"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(plain->statistic / one["chi2_nocorr"].get<double>(), 1, 1e-12);
    EXPECT_NEAR(plain->p / one["p_nocorr"].get<double>(), 1, 1e-9);
    ++compared;
  }
  EXPECT_GT(compared, 10U);
}

TEST(Contingency, LeavesOutEmptyColumns) {
  const auto with =
      chi_squared_contingency(std::vector<std::uint64_t>{0, 10, 117}, std::vector<std::uint64_t>{0, 20, 78});
  const auto without = chi_squared_contingency(std::vector<std::uint64_t>{10, 117}, std::vector<std::uint64_t>{20, 78});
  EXPECT_EQ(with->statistic, without->statistic);
  EXPECT_EQ(with->freedom, 1U);
  EXPECT_FALSE(chi_squared_contingency(std::vector<std::uint64_t>{0, 5}, std::vector<std::uint64_t>{0, 7}));
  EXPECT_FALSE(chi_squared_contingency(std::vector<std::uint64_t>{0, 0}, std::vector<std::uint64_t>{3, 7}));
}

TEST(Contingency, LooksUpTheTailsOfRankCorrelations) {
  const auto cases = text::parity_cases("spearman_fleiss.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t compared = 0;
  for (const auto& one : cases) {
    if (one["kind"] != "spearman") continue;
    SCOPED_TRACE(one["id"].dump());
    const auto n = one["x"].size();
    if (!one["p"].is_number()) {
      EXPECT_TRUE(n < 3 || !one["rho"].is_number());
      continue;
    }
    const double expected = one["p"].get<double>();
    const double p = *spearman_p(one["rho"].get<double>(), n);
    if (expected == 0) {
      EXPECT_EQ(p, 0);
    } else {
      EXPECT_NEAR(p / expected, 1, 1e-9);
    }
    ++compared;
  }
  EXPECT_GT(compared, 30U);
  EXPECT_FALSE(spearman_p(0.5, 2));
}

TEST(Distributions, AreThoseThatHaveAFormula) {
  for (const double x : {0.1, 1.0, 3.0, 20.0, 400.0}) {
    SCOPED_TRACE(x);
    EXPECT_NEAR(chi_squared_tail(x, 2) / std::exp(-x / 2), 1, 1e-12);
    EXPECT_NEAR(chi_squared_tail(x, 1), std::erfc(std::sqrt(x / 2)), 1e-13);
    EXPECT_NEAR(student_two_sided(x, 1), 1 - 2 / M_PI * std::atan(x), 1e-13);
    EXPECT_NEAR(student_two_sided(x, 2), 1 - x / std::sqrt(2 + x * x), 1e-13);
  }
  for (const double x : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    EXPECT_DOUBLE_EQ(beta_i(1, 1, x), x);
    EXPECT_NEAR(beta_i(2, 3, x), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
  }
  EXPECT_EQ(gamma_q(3, 0), 1);
}

}  // namespace
}  // namespace residue::query
