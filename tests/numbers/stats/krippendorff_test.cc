#include "numbers/stats/krippendorff.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "numbers/stats/agreement.h"

namespace residue::numbers {
namespace {

using Counts = std::vector<std::vector<std::uint32_t>>;

// Four observers, twelve units, five categories (Krippendorff 2011, example C); 0: not rated.
Counts published() {
  const std::vector<std::vector<std::size_t>> observers = {{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0},
                                                           {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
                                                           {0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0},
                                                           {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0}};
  Counts counts(12, std::vector<std::uint32_t>(5, 0));
  for (const auto& observer : observers) {
    for (std::size_t unit = 0; unit < observer.size(); ++unit) {
      if (observer[unit] > 0) ++counts[unit][observer[unit] - 1];
    }
  }
  return counts;
}

TEST(Krippendorff, HasThePublishedValues) {
  EXPECT_NEAR(*krippendorff_alpha(published(), Level::kNominal), 0.743, 0.0005);
  EXPECT_NEAR(*krippendorff_alpha(published(), Level::kOrdinal), 0.815, 0.0005);
  EXPECT_NEAR(*krippendorff_alpha(published(), Level::kInterval), 0.849, 0.0005);
}

TEST(Krippendorff, IsComputedByHand) {
  // Two raters: 1 1, 1 2, 2 2. Of six ratings three are 1, three 2; one of three pairs differs.
  // Observed 2 / 6, expected 2 * 3 * 3 / (6 * 5).
  const Counts counts{{2, 0}, {1, 1}, {0, 2}};
  EXPECT_NEAR(*krippendorff_alpha(counts, Level::kNominal), 1 - (2.0 / 6) / (18.0 / 30), 1e-12);
}

TEST(Krippendorff, NeedsRatingsThatCanDiffer) {
  EXPECT_FALSE(krippendorff_alpha({}, Level::kNominal));
  EXPECT_FALSE(krippendorff_alpha(Counts{{1, 0}, {0, 1}}, Level::kNominal));
  EXPECT_FALSE(krippendorff_alpha(Counts{{2, 0}, {3, 0}}, Level::kOrdinal));
  EXPECT_DOUBLE_EQ(*krippendorff_alpha(Counts{{2, 0}, {0, 2}}, Level::kOrdinal), 1);
}

TEST(Krippendorff, CountsWeightedThingsSoManyTimes) {
  const Counts once{{2, 0}, {1, 1}, {0, 2}};
  const std::vector<std::uint16_t> weights{512, 256, 0};
  const Counts written{{2, 0}, {2, 0}, {1, 1}};
  EXPECT_DOUBLE_EQ(*krippendorff_alpha(once, Level::kInterval, weights),
                   *krippendorff_alpha(written, Level::kInterval));
}

}  // namespace
}  // namespace residue::numbers
