// Shares of attempts, with intervals: of attempts that were drawn from all targets alike, and of stratified draws.
//
// Attempts of a stratum are a simple random sample of its targets. So the mean over a population of N targets, N_h of
// them in stratum h, is estimated by the stratified mean: the sum over strata of N_h / N times the mean of the attempts
// on h. It is unbiased however many attempts each stratum has, as long as each has one (Cochran, Sampling Techniques,
// 3rd edition, 1977, theorem 5.1), and equals the estimator of Horvitz and Thompson (1952), in which an attempt weighs
// one by its chance of being drawn, n_h / N_h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace residue::query {

inline constexpr std::uint64_t kFewestAttempts = 10;  // and claims; of fewer no rate is given: "too few"

// A share of `n`; value and ends are empty where n < kFewestAttempts: too few; and where strata leave it unknown.
struct IntruderRate {
  double hits = 0;                         // as counted
  std::uint64_t n = 0;                     // as counted
  std::optional<double> value, low, high;  // 95 %: Wilson's where every attempt is on another person, else resampled
};

// What is known of the population.
struct StratumShares {
  std::vector<double> of;  // by stratum: its share of all targets; empty: one stratum, every attempt counts the same
  bool known = true;       // false: nobody knows how likely each attempt was, and no share of the population is said
};

// Values of attempts, who is resampled with whom, and from which stratum they are.
struct SampledValues {
  struct One {
    double value = 0;
    std::uint64_t unit = 0;
    std::size_t stratum = 0;
    bool counts = true;  // false: sampled, and none of those whose share is asked for; its value is 0
  };
  std::vector<One> all;

  void add(double value, std::uint64_t unit, std::size_t stratum, bool counts = true) {
    all.push_back({value, unit, stratum, counts});
  }
};

// The stratified mean of the values of those that count: where all do it is unbiased, else a ratio of two such means
// (Cochran 6.11). Nothing: a stratum of the population has no attempt, or none counts.
std::optional<double> stratified_mean(const SampledValues& values, const std::vector<double>& shares);

// `least`: what a value can be. Without strata the interval is Wilson's, or that of docs/intervals.md over those that
// count; with strata the same resampling of persons, stratum by stratum, each with its phantoms.
IntruderRate rate_of(const SampledValues& values, const StratumShares& shares, double least = 0);

}  // namespace residue::query
