#include "numbers/stats/dp_accounting.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace residue::numbers {
namespace {

// By hand, of epsilon 3 and delta 1e-5 for two tables: L = ln(2 / 1e-5) = 12.20607; sqrt(rho) = sqrt(L + 3) - sqrt(L) =
// 3.899497 - 3.493719 = 0.405777; rho = 0.164655, of each table 0.082328. A table to which a unit adds one: variance
// 1 / 0.164655 = 6.07329, d = 2.5e-6, threshold 1 + ceil(sqrt(2 * 6.07329 * ln(1 / d))) = 1 + ceil(12.517) = 14. One to
// which it adds 100 ones: variance 607.329, threshold 1 + ceil(sqrt(2 * 607.329 * ln(100 / d))) = 1 + ceil(145.81).
TEST(DpAccounting, IsThatOfTheTextbooks) {
  const std::array<Contribution, 2> units{{{1, 1, 1}, {100, 1, 100}}};
  const Accounting accounting = account({3, 1e-5}, units);
  EXPECT_NEAR(accounting.rho, 0.1646553, 1e-7);
  EXPECT_EQ(accounting.conversion_delta, 5e-6);
  EXPECT_EQ(accounting.table_delta, 2.5e-6);
  ASSERT_EQ(accounting.tables.size(), 2U);
  EXPECT_NEAR(accounting.tables[0].variance.value(), 6.073293, 2e-5);
  EXPECT_GE(accounting.tables[0].variance.value(), 6.073292806362333);
  EXPECT_EQ(accounting.tables[0].threshold, 14);
  EXPECT_NEAR(accounting.tables[1].variance.value(), 607.329281, 2e-5);
  EXPECT_EQ(accounting.tables[1].threshold, 147);
}

// What is promised follows from what is spent: the conversion and the sums, the other way round.
TEST(DpAccounting, SpendsNoMoreThanItHas) {
  for (const double epsilon : {kLeastEpsilon, 0.5, 3.0, 64.0, 1024.0, kMostEpsilon}) {
    for (const double delta : {kLeastDelta, 1e-9, 1e-5, 0.1, 0.99}) {
      SCOPED_TRACE(epsilon);
      SCOPED_TRACE(delta);
      const std::array<Contribution, 3> units{{{7, 7, 49}, {10'000, 1, 10'000}, {3, 1, 3}}};
      const Accounting spent = account({epsilon, delta}, units);
      double rho = 0, lost = spent.conversion_delta;
      for (std::size_t i = 0; i < units.size(); ++i) {
        const TableNoise& table = spent.tables[i];
        ASSERT_LT(table.variance.scaled, Variance::kMost) << "nothing was cut off";
        rho += static_cast<double>(units[i].squared) / (2 * table.variance.value());
        const double reached = static_cast<double>(table.threshold) - static_cast<double>(units[i].each);
        lost += static_cast<double>(units[i].items) * std::exp(-reached * reached / (2 * table.variance.value()));
      }
      EXPECT_LE(rho, spent.rho * (1 + 1e-9));
      EXPECT_LE(rho + 2 * std::sqrt(rho * -std::log(spent.conversion_delta)), epsilon * (1 + 1e-9));
      EXPECT_LE(lost, delta * (1 + 1e-9));
    }
  }
}

}  // namespace
}  // namespace residue::numbers
