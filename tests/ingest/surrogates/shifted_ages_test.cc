// The ages of a record move together.
#include "ingest/surrogates/shifted_ages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "ingest/surrogates/surrogates.h"
#include "tests/ingest/surrogates/seeded_draws.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {
namespace {

using enum text::EntityType;

Draws draws(std::uint64_t seed) { return seeded_draws(seed)->of({"r-1", ""}); }

int number_in(const std::string& words) {
  return std::atoi(words.c_str() + std::min(words.find_first_of("0123456789"), words.size()));
}

// Two forms that moved apart would say what both of them can stand for.
TEST(ShiftedAges, AreOneShiftInWhateverForm) {
  std::set<int> steps;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Surrogates record(draws(seed), Consistency::kRecord);
    const std::set<int> made{number_in(record.of(kAge, "34-year-old")), number_in(record.of(kAge, "aged 34")),
                             number_in(record.of(kAge, "34 y/o")), number_in(record.of(kAge, "Age: 34")),
                             number_in(record.of(kAge, "aged 41")) - 7};
    ASSERT_EQ(made.size(), 1U) << seed;
    steps.insert(*made.begin() - 34);
  }
  EXPECT_EQ(steps, (std::set<int>{-4, -3, -2, -1, 1, 2, 3, 4}));
}

TEST(ShiftedAges, MoveInWordsAsInDigits) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ShiftedAges ages(draws(seed));
    const int age = number_in(ages.moved("aged 44", 0));
    const std::string words = ages.moved("Forty-four-year-old", 0);
    const std::string expected[] = {"Forty",      "Forty-one", "Forty-two",   "Forty-three", "",
                                    "Forty-five", "Forty-six", "Forty-seven", "Forty-eight"};
    EXPECT_EQ(words, expected[age - 40] + "-year-old");
  }
}

// Under no draw does 97 become 10, nor a child of two nobody.
TEST(ShiftedAges, StayWithinFourYears) {
  for (const int age : {1, 2, 9, 10, 12, 96, 97, 98, 99, 100, 101, 129}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      ShiftedAges ages(draws(seed));
      const int moved = number_in(ages.moved(fmt::format("aged {}", age), 0));
      EXPECT_TRUE(moved >= 1 && moved != age && std::abs(moved - age) <= 4) << age << " " << moved;
    }
  }
}

// A step that suits all of them is taken where there is one.
TEST(ShiftedAges, KeepTheirDistancesWhereTheyCan) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ShiftedAges ages(draws(seed));
    for (const char* age : {"aged 98", "aged 40"}) ages.expect(age);
    EXPECT_EQ(number_in(ages.moved("aged 98", 0)) - number_in(ages.moved("aged 40", 0)), 58);
  }
}

TEST(ShiftedAges, OfRangesAndFractions) {
  ShiftedAges ages(draws(3));
  const int step = number_in(ages.moved("aged 45", 0)) - 45;
  EXPECT_EQ(ages.moved("aged 45-60", 0), fmt::format("aged {}-{}", 45 + step, 60 + step));
  EXPECT_EQ(ages.moved("45.5 years old", 0), fmt::format("{}.5 years old", 45 + step));
}

}  // namespace
}  // namespace residue::ingest
