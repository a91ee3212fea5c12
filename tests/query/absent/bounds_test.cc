// The bounds of everything that is made of an attack and an absent attack, held against every way in which what is
// missing may have come out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "query/absent/absent_scores.h"
#include "query/metric/aggregate.h"

namespace residue::query {
namespace {

using R = std::vector<std::optional<std::uint8_t>>;
using Whole3 = std::vector<std::uint8_t>;  // ratings, all known

// A record, what is known of it, and how many claims it may have.
struct Case {
  RecordCase facts;
  R attack, rest, third;
  std::size_t claims = 0;
};

// One way in which it may have come out.
struct Outcome3 {
  Whole3 attack, rest, third;
};

std::vector<Whole3> completions(const R& known, std::size_t claims, bool lost) {
  std::vector<Whole3> all = {{}};
  for (std::size_t i = 0; i < claims; ++i) {
    std::vector<Whole3> longer;
    for (const Whole3& one : all) {
      const bool open = lost || !known[i];
      for (const std::uint8_t rating : open ? Whole3{1, 3} : Whole3{*known[i]}) {
        longer.push_back(one);
        longer.back().push_back(rating);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<Outcome3> outcomes(const Case& one, std::size_t most) {
  std::vector<Outcome3> all;
  const bool unknown = one.facts.no_claims;
  for (std::size_t claims = unknown ? 0 : one.claims; claims <= (unknown ? most : one.claims); ++claims) {
    const bool lost = unknown || one.facts.failed;
    for (const Whole3& attack : completions(one.attack, claims, lost)) {
      for (const Whole3& rest : completions(one.rest, claims, lost)) {
        for (const Whole3& third : completions(one.third, claims, lost)) all.push_back({attack, rest, third});
      }
    }
  }
  return all;
}

struct Fraction {
  double num = 0, den = 0;
};

// What one outcome adds to each metric, by definition.
std::map<MetricId, Fraction> by_definition(const Outcome3& one) {
  std::map<MetricId, Fraction> all;
  for (const bool fully : {false, true}) {
    const auto leaks = [&](std::uint8_t rating) { return rating <= (fully ? 1 : 2); };
    for (std::size_t i = 0; i < one.attack.size(); ++i) {
      const bool attack = leaks(one.attack[i]), rest = leaks(one.rest[i]), third = leaks(one.third[i]);
      const auto add = [&](MetricId whole, MetricId full, double num, double den) {
        Fraction& sum = all[fully ? full : whole];
        sum.num += num, sum.den += den;
      };
      add(MetricId::kLeakRateAbsent, MetricId::kFullLeakRateAbsent, rest, 1);
      add(MetricId::kLeakRateNet, MetricId::kFullLeakRateNet, attack - rest, !rest);
      add(MetricId::kLeakRateGain, MetricId::kFullLeakRateGain, attack && !rest, !rest);
      add(MetricId::kLeakRateGainChance, MetricId::kFullLeakRateGainChance, rest && !third, !third);
    }
  }
  if (one.attack.empty()) return all;
  const auto distance = [](const Whole3& ratings) {
    double sum = 0;
    for (const std::uint8_t rating : ratings) sum += (rating - 1) / 2.0;
    return sum / static_cast<double>(ratings.size());
  };
  all[MetricId::kSemanticDistanceAbsent] = {distance(one.rest), 1};
  all[MetricId::kNetLeakage] = {distance(one.rest) - distance(one.attack), 1};
  return all;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

// The least and the greatest value of each metric over all outcomes of all records. Records without a claim have no
// value: a net of nothing is none.
std::map<MetricId, Range> ranges(const std::vector<std::vector<std::map<MetricId, Fraction>>>& records,
                                 const std::vector<MetricId>& metrics) {
  std::map<MetricId, Range> all;
  for (const MetricId metric : metrics) {
    Range& range = all[metric];
    const std::function<void(std::size_t, Fraction)> go = [&](std::size_t at, Fraction sum) {
      if (at == records.size()) {
        if (sum.den <= 0) return;
        range.low = std::min(range.low, sum.num / sum.den);
        range.high = std::max(range.high, sum.num / sum.den);
        return;
      }
      std::map<std::pair<double, double>, bool> seen;
      for (const auto& outcome : records[at]) {
        const auto found = outcome.find(metric);
        const Fraction more = found == outcome.end() ? Fraction{} : found->second;
        if (seen.emplace(std::pair(more.num, more.den), true).second)
          go(at + 1, {sum.num + more.num, sum.den + more.den});
      }
    };
    go(0, {});
  }
  return all;
}

class Bounds : public ::testing::Test {
 protected:
  R ratings(std::size_t claims, bool open) {
    R all;
    for (std::size_t i = 0; i < claims; ++i) all.emplace_back(static_cast<std::uint8_t>(1 + random_() % 3));
    if (open && claims > 0) all[random_() % claims].reset();
    return all;
  }
  Case record() {
    Case one;
    one.facts.attacked = one.facts.linked = one.facts.has_claims = true;
    one.claims = 1 + random_() % 2;
    const auto kind = random_() % 8;
    one.facts.failed = kind == 1;
    one.facts.no_claims = kind == 2;
    if (one.facts.no_claims) one.facts.has_claims = one.facts.attacked = false, one.claims = 0;
    one.facts.judge_failed = random_() % 2 == 0;
    one.attack = ratings(one.claims, kind == 3 || kind == 5);
    one.rest = ratings(one.claims, kind == 4 || kind == 5);
    one.third = ratings(one.claims, kind == 6);
    return one;
  }
  std::mt19937 random_{11};
};

TEST_F(Bounds, HoldEveryWayInWhichWhatIsMissingMayHaveComeOut) {
  const std::vector<MetricId> metrics = {
      MetricId::kLeakRateAbsent,     MetricId::kFullLeakRateAbsent,     MetricId::kLeakRateNet,
      MetricId::kFullLeakRateNet,    MetricId::kLeakRateGain,           MetricId::kFullLeakRateGain,
      MetricId::kLeakRateGainChance, MetricId::kFullLeakRateGainChance, MetricId::kSemanticDistanceAbsent,
      MetricId::kNetLeakage};
  std::map<MetricId, int> held, reached;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    std::vector<Case> cases;
    std::size_t most = 0;
    for (std::size_t i = 0, n = 2 + random_() % 3; i < n; ++i) {
      cases.push_back(record());
      most = std::max(most, cases.back().claims);
    }
    if (most == 0) continue;  // nobody knows of any claim
    std::vector<std::vector<std::map<MetricId, Fraction>>> all;
    std::map<MetricId, Aggregate> sums;
    std::map<MetricId, Clusters> clusters;
    numbers::Weights weights;
    for (const MetricId metric : metrics) sums.emplace(metric, Aggregate(definition(metric)));
    for (const MetricId rate : {MetricId::kLeakRate, MetricId::kFullLeakRate})
      sums.emplace(rate, Aggregate(definition(rate)));
    for (std::uint64_t i = 0; i < cases.size(); ++i) {
      const Case& one = cases[i];
      numbers::draw_weights(i, weights);
      all.emplace_back();
      for (const Outcome3& outcome : outcomes(one, most)) all.back().push_back(by_definition(outcome));
      std::vector<Contribution> parts = judge_scores(one.facts, one.claims, one.attack, one.attack);
      for (Contribution& part :
           absent_scores(one.facts, one.claims, one.attack, {true, one.rest}, {true, one.third}, 1)) {
        parts.push_back(std::move(part));
      }
      for (const Contribution& part : parts) {
        const auto sum = sums.find(part.metric);
        if (sum != sums.end()) sum->second.add(part, weights), clusters[part.metric].add(part, i);
      }
    }
    const auto exact = ranges(all, metrics);
    for (const MetricId metric : metrics) {
      const MetricDefinition& about = definition(metric);
      SCOPED_TRACE(about.name);
      const MetricId rate = about.name.starts_with("full_") ? MetricId::kFullLeakRate : MetricId::kLeakRate;
      Whole whole;
      if (counts_units(about.kind))
        whole = {&sums.at(rate), [&, rate]() -> const Clusters& { return clusters[rate]; }, true};
      const MetricRow row = sums.at(metric)
                                .finish(
                                    true, [&]() -> const Clusters& { return clusters[metric]; }, whole)
                                .front();
      const Range& range = exact.at(metric);
      if (range.low > range.high) {
        EXPECT_EQ(row.value, std::nullopt);  // in no way is there one
        continue;
      }
      if (!row.value) continue;  // the control of a net has all that is known
      ASSERT_TRUE(row.if_leaked && row.if_private);
      const double low = about.higher_is_private ? *row.if_leaked : *row.if_private;
      const double high = about.higher_is_private ? *row.if_private : *row.if_leaked;
      EXPECT_LE(low, range.low + 1e-9);
      EXPECT_GE(high, range.high - 1e-9);
      EXPECT_LE(low, *row.value + 1e-9);
      EXPECT_GE(high, *row.value - 1e-9);
      ++held[metric];
      reached[metric] += std::abs(high - range.high) < 1e-9 ? 1 : 0;
    }
  }
  for (const MetricId metric : metrics) EXPECT_GT(held[metric], 200) << definition(metric).name;
  for (const MetricId metric : {MetricId::kLeakRateNet, MetricId::kLeakRateGain}) {
    EXPECT_GT(reached[metric] * 10, held[metric] * 5) << definition(metric).name;
  }
}

}  // namespace
}  // namespace residue::query
