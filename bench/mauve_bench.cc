// MAUVE of two collections of 2,000 vectors of 384 dimensions. The answer is checked first: k-means must be at rest,
// with every vector at its nearest centre, and equal collections must give 1.
#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "numbers/learn/kmeans.h"
#include "numbers/learn/mauve.h"
#include "numbers/learn/principal_components.h"
#include "numbers/learn/squared_distance.h"

namespace residue::query {
namespace {

constexpr std::size_t kTexts = 2'000, kDimension = 384;

// About normal: sums of twelve uniform numbers.
double normal(std::uint64_t n) {
  double sum = -6;
  for (std::uint64_t i = 0; i < 12; ++i) sum += static_cast<double>(mix(n * 12 + i) >> 11) * 0x1p-53;
  return sum;
}

// `spread` 0: no structure at all, the slowest case; else `spread` times as much between twenty themes as within.
std::vector<double> vectors(std::size_t first, double spread, double shift) {
  std::vector<double> values;
  for (std::size_t i = first; i < first + kTexts; ++i) {
    const std::uint64_t theme = mix(i) % 20;
    for (std::size_t j = 0; j < kDimension; ++j) {
      values.push_back(normal(i * kDimension + j) + spread * normal((1'000'000 + theme) * kDimension + j) + shift);
    }
  }
  return values;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

void check(const std::vector<double>& p, const std::vector<double>& q) {
  require(std::abs(numbers::mauve(p, p, kDimension) - 1) < 1e-9, "equal collections are not at 1");
  std::vector<double> points = p;
  points.insert(points.end(), q.begin(), q.end());
  const numbers::Projection projection = numbers::principal_components(points, kDimension, 0.9);
  const std::size_t d = projection.dimension, k = 200;
  const numbers::Partition found = numbers::kmeans(projection.points, d, {k, 1, 500, 42});
  std::vector<double> means(k * d, 0.0), members(k, 0.0);
  for (std::size_t i = 0; i < found.cluster.size(); ++i) {
    ++members[found.cluster[i]];
    for (std::size_t j = 0; j < d; ++j) means[found.cluster[i] * d + j] += projection.points[i * d + j];
  }
  for (std::size_t i = 0; i < means.size(); ++i) means[i] /= members[i / d];
  for (std::size_t i = 0; i < found.cluster.size(); ++i) {
    const auto distance = [&](std::size_t c) {
      return numbers::squared_distance(&projection.points[i * d], &means[c * d], d,
                                       std::numeric_limits<double>::infinity());
    };
    const double own = distance(found.cluster[i]);
    for (std::size_t c = 0; c < k; ++c) {
      require(members[c] == 0 || distance(c) >= own, "a vector is not at its nearest centre");
    }
  }
}

void run(benchmark::State& state) {
  const auto spread = static_cast<double>(state.range(0));
  const auto p = vectors(0, spread, 0), q = vectors(kTexts, spread, 0.05);
  check(p, q);
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, state.range(1));
  double value = 0;
  for (auto _ : state) benchmark::DoNotOptimize(value = numbers::mauve(p, q, kDimension));
  state.counters["mauve"] = value;
}
BENCHMARK(run)
    ->ArgNames({"spread", "threads"})
    ->Args({0, 1})
    ->Args({0, 2})
    ->Args({1, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace residue::query

BENCHMARK_MAIN();
