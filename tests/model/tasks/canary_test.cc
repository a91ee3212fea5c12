// Canary claims: stable, on one line, invented ones not in the passage, and what betrays a passage.
#include "model/tasks/canary.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/asking/vote_key.h"

namespace residue::model {
namespace {

const SpecDigest kSpec = spec_digest("{}");
constexpr std::string_view kPassage =
    "The patient is a nurse from a small town. She came in with a cough. It had lasted\n  for more than two weeks.";

TEST(Canary, AsksForAnInventedClaimAndASentenceOfThePassage) {
  const Canaries both = canaries(kSpec, kPassage);
  ASSERT_EQ(both.claims.size(), 2U);
  ASSERT_NE(both.stated[0], both.stated[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(both.claims[i].find('\n'), std::string::npos);
    EXPECT_TRUE(both.stated[i] || kPassage.find(both.claims[i]) == std::string_view::npos);
  }
  EXPECT_EQ(canaries(kSpec, "Yes. No.").claims.size(), 1U);
  EXPECT_EQ(canaries(kSpec, "").stated, std::vector<bool>{false});
}

TEST(Canary, DependsOnSpecAndPassageAlone) {
  EXPECT_EQ(canaries(kSpec, kPassage).claims, canaries(kSpec, kPassage).claims);
  std::set<std::vector<std::string>> seen;
  std::set<bool> first;
  for (int i = 0; i < 64; ++i) {
    const Canaries one = canaries(spec_digest(std::to_string(i)), kPassage);
    seen.insert(one.claims);
    first.insert(one.stated.front());
  }
  EXPECT_GE(seen.size(), 60U);
  EXPECT_EQ(first.size(), 2U);  // no passage can foresee which comes first
}

TEST(Canary, IsLedByAnyRatingThatCannotBe) {
  const Canaries both{{"invented", "stated"}, {false, true}};
  const auto is_led = [&](std::uint8_t invented, std::uint8_t stated) {
    const std::uint8_t ratings[] = {invented, stated};
    return led(both, ratings);
  };
  EXPECT_FALSE(is_led(3, 1));
  EXPECT_FALSE(is_led(3, 2));
  EXPECT_TRUE(is_led(3, 3));
  EXPECT_TRUE(is_led(2, 2));
  EXPECT_TRUE(is_led(1, 1));
}

}  // namespace
}  // namespace residue::model
