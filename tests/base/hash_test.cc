#include "base/hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace residue {
namespace {

// Published test values of XXH64: a store written on one machine is read on another.
TEST(Hash, IsXxh64) {
  EXPECT_EQ(hash_bytes(""), 0xef46db3751d8e999ULL);
  EXPECT_EQ(hash_bytes("a"), 0xd24ec4f1a98c6e5bULL);
  EXPECT_EQ(hash_bytes("abc"), 0x44bc2cf5ad770999ULL);
  EXPECT_EQ(hash_bytes("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1ULL);
}

TEST(Hash, DependsOnSeedTextAndNumber) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0ULL, 1ULL, 42ULL}) {
    for (const char* text : {"", "a", "b", "ab"}) {
      for (const std::uint64_t number : {0ULL, 1ULL, 2ULL, ~0ULL}) seen.insert(hash_of(seed, text, number));
    }
  }
  EXPECT_EQ(seen.size(), 3U * 4U * 4U);
}

TEST(Hash, ReadsBytesBehindANul) {
  EXPECT_NE(hash_bytes(std::string("a\0b", 3)), hash_bytes(std::string("a\0c", 3)));
  EXPECT_NE(hash_bytes(std::string("\0", 1)), hash_bytes(""));
}

// The first values of SplitMix64 from state 0 (its reference implementation).
TEST(Hash, MixIsTheFinalizerOfSplitMix64) {
  static_assert(mix(0) == 0xe220a8397b1dcdafULL);
  static_assert(mix(0x9e3779b97f4a7c15ULL) == 0x6e789e6aa1b965f4ULL);
}

TEST(Hash, DrawsEvenly) {
  constexpr int kDraws = 100'000;
  int low = 0;
  for (int i = 0; i < kDraws; ++i) low += hash_of(42, "record", static_cast<std::uint64_t>(i)) < (1ULL << 63U) ? 1 : 0;
  EXPECT_NEAR(low, kDraws / 2, 800);  // five standard deviations
}

}  // namespace
}  // namespace residue
