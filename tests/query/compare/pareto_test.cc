#include "query/compare/pareto.h"

#include <gmock/gmock.h>

#include <optional>
#include <vector>

namespace residue::query {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Pareto, NamesWhoDominates) {
  const std::vector<std::optional<ParetoPoint>> points{ParetoPoint{0.9, 0.2}, ParetoPoint{0.5, 0.8},
                                                       ParetoPoint{0.5, 0.1}, std::nullopt, ParetoPoint{0.4, 0.8}};
  const auto by = dominators(points);
  EXPECT_THAT(by[0], IsEmpty());
  EXPECT_THAT(by[1], IsEmpty());
  EXPECT_THAT(by[2], ElementsAre(0, 1));
  EXPECT_THAT(by[3], IsEmpty());
  EXPECT_THAT(by[4], ElementsAre(1));
}

TEST(Pareto, EqualsDoNotDominateEachOther) {
  const std::vector<std::optional<ParetoPoint>> points{ParetoPoint{0.5, 0.5}, ParetoPoint{0.5, 0.5}};
  for (const auto& by : dominators(points)) EXPECT_THAT(by, IsEmpty());
}

TEST(Pareto, RoundingDominatesNobody) {
  const std::vector<std::optional<ParetoPoint>> points{ParetoPoint{0.5 - 7.8e-11, 0.5}, ParetoPoint{0.5, 0.5},
                                                       ParetoPoint{0.5, 0.5 - 1e-9}};
  const auto by = dominators(points);
  EXPECT_THAT(by[0], IsEmpty());
  EXPECT_THAT(by[1], IsEmpty());
  EXPECT_THAT(by[2], ElementsAre(0, 1));
}

}  // namespace
}  // namespace residue::query
