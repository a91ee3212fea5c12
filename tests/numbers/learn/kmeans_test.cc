#include "numbers/learn/kmeans.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "numbers/learn/squared_distance.h"

namespace residue::numbers {
namespace {

// Numbers in [0, 1), the same everywhere.
std::vector<double> noise(std::size_t count, std::uint64_t seed) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(mix(mix(seed) + i) >> 11) * 0x1p-53);
  return values;
}

double plain_square(const double* a, const double* b, std::size_t dimension) {
  return squared_distance(a, b, dimension, std::numeric_limits<double>::infinity());
}

// One iteration by definition: the means of the clusters, then every point to the nearest (the first of equals).
std::vector<std::uint32_t> lloyd_step(const std::vector<double>& points, std::size_t d,
                                      const std::vector<std::uint32_t>& cluster, std::size_t k) {
  std::vector<double> means(k * d, 0.0);
  std::vector<double> members(k, 0.0);
  const std::size_t n = points.size() / d;
  for (std::size_t i = 0; i < n; ++i) {
    ++members[cluster[i]];
    for (std::size_t j = 0; j < d; ++j) means[cluster[i] * d + j] += points[i * d + j];
  }
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < d; ++j) means[c * d + j] /= members[c];
  }
  std::vector<std::uint32_t> next(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < k; ++c) {
      if (members[c] == 0) continue;
      const double square = plain_square(&points[i * d], &means[c * d], d);
      if (square < best) {
        best = square;
        next[i] = static_cast<std::uint32_t>(c);
      }
    }
  }
  return next;
}

TEST(KMeans, MeasuresSquaredDistancesAlikeOnEveryInstructionSet) {
  const double all = std::numeric_limits<double>::infinity();
  for (const std::size_t d : {1U, 7U, 8U, 31U, 32U, 33U, 64U, 100U}) {
    SCOPED_TRACE(d);
    const auto a = noise(d, 1), b = noise(d, 2);
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
    EXPECT_NEAR(plain_square(a.data(), b.data(), d), sum, 1e-12);
    for (const Simd simd : supported_simd()) {
      SCOPED_TRACE(name_of(simd));
      const auto distance = squared_distance_with(simd);
      EXPECT_EQ(distance(a.data(), b.data(), d, all), plain_square(a.data(), b.data(), d));
      const double cut = distance(a.data(), b.data(), d, sum / 4);
      EXPECT_EQ(cut, squared_distance(a.data(), b.data(), d, sum / 4));
      EXPECT_GT(cut, sum / 4);
      EXPECT_LE(cut, plain_square(a.data(), b.data(), d));
    }
  }
}

// With bounds an iteration must do what it does without: stopped after n and n + 1 iterations, the partitions are a
// step of the definition apart, bit for bit.
TEST(KMeans, TakesTheStepsOfTheDefinition) {
  struct Case {
    std::size_t n, d, k;
  };
  for (const Case& one : {Case{60, 2, 5}, Case{200, 40, 17}, Case{300, 9, 30}}) {
    const auto points = noise(one.n * one.d, one.n);
    for (std::size_t iterations = 0; iterations < 8; ++iterations) {
      SCOPED_TRACE(iterations);
      const auto before = kmeans(points, one.d, {one.k, 1, iterations, 7});
      const auto after = kmeans(points, one.d, {one.k, 1, iterations + 1, 7});
      EXPECT_EQ(lloyd_step(points, one.d, before.cluster, one.k), after.cluster);
    }
    const auto end = kmeans(points, one.d, {one.k, 1, 500, 7});
    EXPECT_EQ(lloyd_step(points, one.d, end.cluster, one.k), end.cluster) << "not at rest";
  }
}

// All partitions of six points into two clusters: none is better.
TEST(KMeans, FindsTheBestPartitionOfAFewPoints) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto points = noise(12, 100 + seed);
    double best = std::numeric_limits<double>::infinity();
    for (unsigned bits = 0; bits < 64; ++bits) {
      double sum = 0;
      for (const unsigned side : {0U, 1U}) {
        double x = 0, y = 0, count = 0;
        for (unsigned i = 0; i < 6; ++i) {
          if ((bits >> i & 1U) != side) continue;
          x += points[2 * i], y += points[2 * i + 1], ++count;
        }
        for (unsigned i = 0; i < 6; ++i) {
          if ((bits >> i & 1U) != side) continue;
          sum += std::pow(points[2 * i] - x / count, 2) + std::pow(points[2 * i + 1] - y / count, 2);
        }
      }
      best = std::min(best, sum);
    }
    EXPECT_NEAR(kmeans(points, 2, {2, 20, 500, 42}).objective, best, 1e-12);
  }
}

TEST(KMeans, KeepsEqualPointsTogetherAndNeedsNoMoreClustersThanPointsDiffer) {
  const std::vector<double> points = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
  const auto found = kmeans(points, 2, {4, 5, 500, 42});
  EXPECT_EQ(found.objective, 0);
  EXPECT_EQ(found.cluster[0], found.cluster[2]);
  EXPECT_EQ(found.cluster[0], found.cluster[4]);
  EXPECT_EQ(found.cluster[1], found.cluster[3]);
  EXPECT_NE(found.cluster[0], found.cluster[1]);
}

TEST(KMeans, DoesNotDependOnThreads) {
  const auto points = noise(3000, 5);
  Partition one;
  tbb::task_arena(1).execute([&] { one = kmeans(points, 6, {20, 3, 500, 42}); });
  const Partition many = kmeans(points, 6, {20, 3, 500, 42});
  EXPECT_EQ(one.cluster, many.cluster);
  EXPECT_EQ(one.objective, many.objective);
}

}  // namespace
}  // namespace residue::numbers
