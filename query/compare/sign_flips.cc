#include "query/compare/sign_flips.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace residue::query {
namespace {

constexpr std::uint64_t kFlipSeed = 0x5f1e9b3c47d2a861ULL;  // Other draws than the bootstrap's of the same unit.

struct Difference {
  std::uint64_t unit = 0;
  std::int64_t size = 0;
};

// All 2^m assignments, one sign changed at a time (Gray code). The last sign stays: the other half mirrors this one.
double enumerated(const std::vector<Difference>& differences, std::int64_t observed, std::int64_t least) {
  std::vector<std::int64_t> signed_sizes;
  for (const Difference& one : differences) signed_sizes.push_back(one.size);
  const std::uint64_t half = std::uint64_t{1} << (differences.size() - 1);
  std::int64_t sum = observed;
  std::uint64_t hits = 1;  // the observed assignment
  for (std::uint64_t i = 1; i < half; ++i) {
    std::int64_t& flipped = signed_sizes[static_cast<std::size_t>(std::countr_zero(i))];
    sum -= 2 * flipped;
    flipped = -flipped;
    if (std::abs(sum) >= least) ++hits;
  }
  return static_cast<double>(hits) / static_cast<double>(half);
}

// The distribution of the sum of the flipped sizes, in steps: each size is flipped or not with probability 1/2.
double counted(const std::vector<std::uint64_t>& steps, std::uint64_t total, std::uint64_t least) {
  std::vector<double> now(total + 1, 0.0);
  std::vector<double> next(total + 1, 0.0);
  now[0] = 1;
  std::uint64_t reach = 0;
  for (const std::uint64_t step : steps) {
    for (std::uint64_t s = 0; s <= reach + step; ++s) {
      next[s] = 0.5 * ((s <= reach ? now[s] : 0.0) + (s >= step ? now[s - step] : 0.0));
    }
    reach += step;
    std::swap(now, next);
  }
  double p = 0;  // the two tails |total - 2 s| >= least > 0, from outside: small terms first
  for (std::uint64_t s = 0; 2 * s + least <= total; ++s) p += 2 * now[s];
  return std::clamp(p, std::numeric_limits<double>::min(), 1.0);
}

// Byte i, bit j to byte j, bit i.
std::uint64_t transposed(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7U)) & 0x00aa00aa00aa00aaULL;
  x ^= t ^ (t << 7U);
  t = (x ^ (x >> 14U)) & 0x0000cccc0000ccccULL;
  x ^= t ^ (t << 14U);
  t = (x ^ (x >> 28U)) & 0x00000000f0f0f0f0ULL;
  return x ^ t ^ (t << 28U);
}

// Eight units at a time: their 256 partial sums are tabulated, and eight drawn signs are an index.
double drawn(const std::vector<Difference>& differences, std::int64_t observed, std::int64_t least) {
  constexpr std::size_t kWords = (kFlips + 63) / 64;
  std::vector<std::int64_t> flipped(kWords * 64, 0);
  std::array<std::int64_t, 256> partial{};
  std::array<std::uint64_t, 8> seeds{};
  for (std::size_t begin = 0; begin < differences.size(); begin += 8) {
    std::array<std::int64_t, 8> sizes{};
    for (std::size_t j = 0; j < 8; ++j) {
      const bool there = begin + j < differences.size();
      sizes[j] = there ? differences[begin + j].size : 0;
      seeds[j] = there ? mix(differences[begin + j].unit ^ kFlipSeed) : 0;
    }
    for (std::size_t i = 1; i < partial.size(); ++i) {
      partial[i] = partial[i & (i - 1)] + sizes[static_cast<std::size_t>(std::countr_zero(i))];
    }
    for (std::size_t word = 0; word < kWords; ++word) {
      std::array<std::uint64_t, 8> bits{};
      for (std::size_t j = 0; j < 8; ++j) bits[j] = mix(seeds[j] + word * 0x9e3779b97f4a7c15ULL);
      for (std::size_t byte = 0; byte < 8; ++byte) {
        std::uint64_t block = 0;
        for (std::size_t j = 0; j < 8; ++j) block |= ((bits[j] >> (8 * byte)) & 0xffU) << (8 * j);
        block = transposed(block);
        std::int64_t* sums = &flipped[word * 64 + byte * 8];
        for (std::size_t i = 0; i < 8; ++i) sums[i] += partial[(block >> (8 * i)) & 0xffU];
      }
    }
  }
  std::size_t hits = 0;
  for (std::size_t b = 0; b < kFlips; ++b) hits += std::abs(observed - 2 * flipped[b]) >= least;
  return static_cast<double>(hits + 1) / static_cast<double>(kFlips + 1);
}

}  // namespace

PairedTest sign_flip_test(std::span<const PairedUnit> units, bool fixed_point) {
  const auto [sizes, slack] = unit_differences(units, fixed_point);
  std::vector<Difference> differences;
  std::int64_t observed = 0;
  std::int64_t step = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (sizes[i] == 0) continue;
    differences.push_back({units[i].unit, sizes[i]});
    observed += sizes[i];
    step = std::gcd(step, sizes[i]);
  }
  PairedTest test;
  test.differing = differences.size();
  const std::int64_t least = std::abs(observed) - slack;  // of a sum that is as great as the observed one
  if (differences.empty() || least <= 0) return test;
  if (differences.size() <= kMostEnumerated) {
    test.p = enumerated(differences, observed, least);
    return test;
  }
  std::vector<std::uint64_t> steps;
  std::uint64_t total = 0;
  for (const Difference& one : differences) {
    steps.push_back(static_cast<std::uint64_t>(std::abs(one.size) / step));
    total += steps.back();
  }
  if (total <= kMostCounted / differences.size()) {
    test.p = counted(steps, total, static_cast<std::uint64_t>((least + step - 1) / step));
    return test;
  }
  test.exact = false;
  test.p = drawn(differences, observed, least);
  return test;
}

}  // namespace residue::query
