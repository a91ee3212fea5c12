// Comparing two runs of 11,000 records: the paired bootstrap and the sign-flip test. Answers are compared with their
// definitions before anything is timed.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/hash.h"
#include "query/compare/paired.h"
#include "query/compare/sign_flips.h"

namespace residue::query {
namespace {

std::vector<PairedUnit> some_units(std::size_t count) {
  std::vector<PairedUnit> units;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix(i);
    units.push_back({dice, static_cast<std::int64_t>(dice % static_cast<std::uint64_t>(kOne)), 1,
                     static_cast<std::int64_t>(mix(dice) % static_cast<std::uint64_t>(kOne)), 1});
  }
  return units;
}

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

// One replicate after the other, with a phantom who has one unit and changes as much as a value in [0, 1] can; one sign
// after the other.
void check() {
  const auto units = some_units(257);
  std::vector<double> lows, highs;
  std::vector<numbers::Weights> weights(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) numbers::draw_weights(units[i].unit, weights[i]);
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    std::int64_t num = 0;
    std::int64_t den = numbers::phantom_weights()[b];
    const std::int64_t change = den * kOne;
    for (std::size_t i = 0; i < units.size(); ++i) {
      num += weights[i][b] * (units[i].num_b - units[i].num_a);
      den += weights[i][b];
    }
    const auto mean = [&](std::int64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(den) / static_cast<double>(kOne);
    };
    lows.push_back(mean(num - change));
    highs.push_back(mean(num + change));
  }
  const double low = numbers::percentile_interval(lows)->low, high = numbers::percentile_interval(highs)->high;
  const auto interval = paired_delta(units, true).interval;
  require(interval->low == low && interval->high == high, "bootstrap");

  std::int64_t observed = 0;
  for (const PairedUnit& unit : units) observed += unit.num_b - unit.num_a;
  std::size_t hits = 0;
  for (std::size_t b = 0; b < kFlips; ++b) {
    std::int64_t sum = 0;
    for (const PairedUnit& unit : units) {
      const std::uint64_t bits = mix(mix(unit.unit ^ 0x5f1e9b3c47d2a861ULL) + (b / 64) * 0x9e3779b97f4a7c15ULL);
      sum += ((bits >> (b % 64)) & 1U) != 0 ? unit.num_a - unit.num_b : unit.num_b - unit.num_a;
    }
    hits += std::abs(sum) >= std::abs(observed);
  }
  require(sign_flip_test(units, false).p == static_cast<double>(hits + 1) / static_cast<double>(kFlips + 1),
          "sign flips");
}

// 1,000 replicates of both sides, their draws included.
void PairedBootstrap(benchmark::State& state) {
  const auto units = some_units(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(paired_delta(units, true));
}
BENCHMARK(PairedBootstrap)->Arg(11'000)->Unit(benchmark::kMillisecond);

// 9,999 assignments of signs, their draws included.
void SignFlips(benchmark::State& state) {
  const auto units = some_units(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sign_flip_test(units, false));
}
BENCHMARK(SignFlips)->Arg(11'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace residue::query

int main(int argc, char** argv) {
  residue::query::check();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
