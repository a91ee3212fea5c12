#include "model/limits/plateau.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace residue::model {
namespace {

TEST(Plateau, ThreePromptsWithTheVerySameCountShowACap) {
  Plateau plateau;
  for (const std::uint64_t bytes : {3'000U, 5'038U, 5'300U}) {
    plateau.add(bytes, bytes == 3'000 ? 700 : 950);
    EXPECT_FALSE(plateau.floor());
  }
  plateau.add(5'610, 950);
  EXPECT_EQ(plateau.floor(), 950);
  plateau.add(5'700, 1'400);
  EXPECT_FALSE(plateau.floor()) << "a longer one was counted";
}

TEST(Plateau, SixOfNearlyTheSameLengthDoAsWell) {
  Plateau plateau;
  for (std::uint64_t i = 0; i < 5; ++i) plateau.add(5'000 + 40 * i, 950);
  EXPECT_FALSE(plateau.floor());
  plateau.add(5'200, 950);
  EXPECT_EQ(plateau.floor(), 950);
}

TEST(Plateau, ACapThatJittersShows) {
  std::mt19937 random(1);
  Plateau plateau;
  for (int i = 0; i < 40; ++i) {
    const int whole = 900 + 3 * i, jitter = static_cast<int>(random() % 12);
    plateau.add(static_cast<std::uint64_t>(4'000 + 40 * i), std::min(950, whole) - jitter);
  }
  const auto floor = plateau.floor();
  ASSERT_TRUE(floor);
  EXPECT_GE(*floor, 930);
  EXPECT_LT(*floor, 950);
}

TEST(Plateau, TextsWithFewTokensForTheirBytesDoNotHideIt) {
  Plateau plateau;
  for (std::uint64_t i = 0; i < 40; ++i) plateau.add(4'000 + 60 * i, 950);
  plateau.add(9'000, 400);
  plateau.add(5'010, 300);
  EXPECT_EQ(plateau.floor(), 950);
}

TEST(Plateau, EqualPromptsAreNoCap) {
  Plateau plateau;
  for (int i = 0; i < 1'000; ++i) plateau.add(5'000 + static_cast<std::uint64_t>(i % 10), 1'250);
  EXPECT_FALSE(plateau.floor());
}

// A tokenizer makes about a token of four bytes, of whole words, of one text more than of another.
std::int64_t tokens_of(std::uint64_t bytes, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> rate(4.0, 4.0 * noise);
  return static_cast<std::int64_t>(std::lround(static_cast<double>(bytes) / std::clamp(rate(random), 2.0, 8.0)));
}

TEST(Plateau, ServersThatReadAllNeverLookLikeOne) {
  std::mt19937_64 random(7);
  for (const double noise : {0.002, 0.01, 0.03, 0.08, 0.2}) {
    std::lognormal_distribution<double> ordinary(8.0, 0.7), narrow(8.5, 0.03), brief(6.6, 0.1);
    std::uniform_real_distribution<double> bounded(4'000, 6'000), full(3'900, 4'300);
    const auto alarms = [&](auto& lengths, int prompts) {
      Plateau plateau;
      for (int i = 0; i < prompts; ++i) {
        const auto bytes = static_cast<std::uint64_t>(600 + lengths(random));
        plateau.add(bytes, tokens_of(bytes, noise, random));
        if (plateau.floor()) return true;
      }
      return false;
    };
    for (int round = 0; round < 40; ++round) {
      const int prompts = round == 0 ? 10'000 : 400;  // most chances are at the beginning
      EXPECT_FALSE(alarms(ordinary, prompts)) << noise << ' ' << round;
      EXPECT_FALSE(alarms(narrow, prompts)) << noise << ' ' << round;
      EXPECT_FALSE(alarms(brief, prompts)) << noise << ' ' << round;
      EXPECT_FALSE(alarms(bounded, prompts)) << noise << ' ' << round;
      EXPECT_FALSE(alarms(full, prompts)) << noise << ' ' << round;
    }
  }
}

}  // namespace
}  // namespace residue::model
