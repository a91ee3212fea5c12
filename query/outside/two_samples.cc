#include "query/outside/two_samples.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <unordered_set>
#include <utility>

namespace residue::query {
namespace {

using numbers::kReplicates;
using numbers::ReplicateSums;
using numbers::Weights;

// The phantom among the controls ("outsider" in ASCII), drawn apart from the one among the members.
constexpr std::uint64_t kPhantomControl = 0x6f75747369646572;

template <class Record>
std::size_t persons_of(std::span<const Record> records) {
  std::unordered_set<std::uint64_t> persons;
  for (const Record& record : records) persons.insert(record.unit);
  return persons.size();
}

// What a phantom weighs in each replicate: a person who has the mean of what all have, `total` of `persons`.
ReplicateSums phantom(const Weights& weights, std::int64_t total, std::size_t persons) {
  ReplicateSums sums{};
  const auto units = static_cast<std::int64_t>(persons);
  for (std::size_t b = 0; b < kReplicates; ++b) sums[b] = (2 * std::int64_t{weights[b]} * total + units) / (2 * units);
  return sums;
}

ReplicateSums phantom_member(std::int64_t total, std::size_t persons) {
  return phantom(numbers::phantom_weights(), total, persons);
}

ReplicateSums phantom_control(std::int64_t total, std::size_t persons) {
  Weights weights;
  numbers::draw_weights(kPhantomControl, weights);
  return phantom(weights, total, persons);
}

double ratio(std::int64_t num, std::int64_t den) {
  return den == 0 ? 0 : static_cast<double>(num) / static_cast<double>(den);
}

struct Both {
  Ranked record;
  bool member = false;
};

std::vector<Both> by_rank(std::span<const Ranked> members, std::span<const Ranked> controls) {
  std::vector<Both> all;
  for (const Ranked& one : members) all.push_back({one, true});
  for (const Ranked& one : controls) all.push_back({one, false});
  std::ranges::sort(all, {}, [](const Both& one) { return one.record.rank; });
  return all;
}

// Twice the pairs of a member and a control in which the member is more alike, a tie being half a pair.
struct Pairs {
  std::int64_t twice = 0;
  ReplicateSums weighted{}, members{}, controls{};
};

std::unique_ptr<Pairs> pairs_of(std::span<const Ranked> members, std::span<const Ranked> controls) {
  auto pairs = std::make_unique<Pairs>();
  numbers::DrawnWeights drawn;
  const std::vector<Both> all = by_rank(members, controls);
  std::int64_t below = 0;
  ReplicateSums tied{};
  for (auto first = all.begin(); first != all.end();) {
    const auto last =
        std::find_if(first, all.end(), [&](const Both& one) { return one.record.rank != first->record.rank; });
    std::int64_t equal = 0;
    tied.fill(0);
    for (auto one = first; one != last; ++one) {
      if (one->member) continue;
      ++equal;
      numbers::add_weighted(drawn.of(one->record.unit), 1, tied);
    }
    for (auto one = first; one != last; ++one) {
      if (!one->member) continue;
      pairs->twice += 2 * below + equal;
      const Weights& weights = drawn.of(one->record.unit);
      for (std::size_t b = 0; b < kReplicates; ++b) {
        pairs->weighted[b] += std::int64_t{weights[b]} * (2 * pairs->controls[b] + tied[b]);
        pairs->members[b] += weights[b];
      }
    }
    below += equal;
    for (std::size_t b = 0; b < kReplicates; ++b) pairs->controls[b] += tied[b];
    first = last;
  }
  return pairs;
}

// In each replicate, the rank of the last of the most alike controls that weigh `part` of `whole` of all; a phantom
// before all of them counts first. The greatest number there is where the phantom alone weighs so much.
std::array<std::int64_t, kReplicates> thresholds(std::span<const Both> all, const ReplicateSums& controls,
                                                 const ReplicateSums* before, std::int64_t part, std::int64_t whole) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::array<std::int64_t, kReplicates> found;
  found.fill(kNone);
  ReplicateSums seen{};
  std::array<bool, kReplicates> done{};
  const auto enough = [&](std::size_t b) { return seen[b] * whole >= part * controls[b]; };
  if (before != nullptr) {
    seen = *before;
    for (std::size_t b = 0; b < kReplicates; ++b) done[b] = enough(b);
  }
  numbers::DrawnWeights drawn;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (one->member) continue;
    const Weights& weights = drawn.of(one->record.unit);
    for (std::size_t b = 0; b < kReplicates; ++b) {
      if (done[b]) continue;
      seen[b] += weights[b];
      found[b] = one->record.rank;
      done[b] = enough(b);
    }
  }
  return found;
}

struct Rates {
  std::int64_t attack = 0, attacked = 0, control = 0, controlled = 0;
};

std::optional<double> net_of(const Rates& rates) {
  if (rates.attacked == 0 || rates.controlled == 0 || rates.control == rates.controlled) return std::nullopt;
  const double attack = ratio(rates.attack, rates.attacked), control = ratio(rates.control, rates.controlled);
  return (attack - control) / (1 - control);
}

Rates rates_of(std::span<const Units> members, std::span<const Units> controls) {
  Rates rates;
  for (const Units& one : members) rates.attack += one.leaked, rates.attacked += one.all;
  for (const Units& one : controls) rates.control += one.leaked, rates.controlled += one.all;
  return rates;
}

}  // namespace

std::size_t persons_in(std::span<const Ranked> records) { return persons_of(records); }
std::size_t persons_in(std::span<const Units> records) { return persons_of(records); }

Estimate membership_auc(std::span<const Ranked> members, std::span<const Ranked> controls) {
  const auto n = static_cast<std::int64_t>(members.size()), m = static_cast<std::int64_t>(controls.size());
  const std::unique_ptr<Pairs> pairs = pairs_of(members, controls);
  const ReplicateSums member = phantom_member(n, persons_of(members));
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    const std::int64_t all = 2 * (pairs->members[b] + member[b]) * pairs->controls[b];
    const std::int64_t more = 2 * member[b] * pairs->controls[b];
    if (all == 0) continue;
    lows.push_back(ratio(pairs->weighted[b], all));
    highs.push_back(ratio(pairs->weighted[b] + more, all));
  }
  const double value = ratio(pairs->twice, 2 * n * m);
  return {value, numbers::phantom_interval(lows, highs, value)};
}

Estimate membership_tpr_01(std::span<const Ranked> members, std::span<const Ranked> controls) {
  const auto n = static_cast<std::int64_t>(members.size()), m = static_cast<std::int64_t>(controls.size());
  const std::int64_t part = (m + 1) / 100;
  const std::vector<Both> all = by_rank(members, controls);
  std::vector<std::int64_t> ranks;
  for (const Ranked& one : controls) ranks.push_back(one.rank);
  std::ranges::sort(ranks, std::greater());
  const std::int64_t threshold = ranks[static_cast<std::size_t>(part) - 1];
  const auto above = std::ranges::count_if(members, [&](const Ranked& one) { return one.rank > threshold; });

  numbers::DrawnWeights drawn;
  ReplicateSums weight{}, of_controls{};
  for (const Ranked& one : controls) numbers::add_weighted(drawn.of(one.unit), 1, of_controls);
  const ReplicateSums control = phantom_control(m, persons_of(controls));
  const ReplicateSums member = phantom_member(n, persons_of(members));
  for (std::size_t b = 0; b < kReplicates; ++b) of_controls[b] += control[b];
  const auto strict = thresholds(all, of_controls, &control, part, m);
  const auto lax = thresholds(all, of_controls, nullptr, part, m);
  ReplicateSums above_strict{}, above_lax{};
  for (const Ranked& one : members) {
    const Weights& weights = drawn.of(one.unit);
    for (std::size_t b = 0; b < kReplicates; ++b) {
      weight[b] += weights[b];
      if (one.rank > strict[b]) above_strict[b] += weights[b];
      if (one.rank > lax[b]) above_lax[b] += weights[b];
    }
  }
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    if (weight[b] + member[b] == 0) continue;
    lows.push_back(ratio(above_strict[b], weight[b] + member[b]));
    highs.push_back(ratio(above_lax[b] + member[b], weight[b] + member[b]));
  }
  const double value = ratio(above, n);
  return {value, numbers::phantom_interval(lows, highs, value)};
}

std::optional<double> unpaired_net_value(std::span<const Units> members, std::span<const Units> controls) {
  return net_of(rates_of(members, controls));
}

std::optional<Estimate> unpaired_net(std::span<const Units> members, std::span<const Units> controls) {
  const Rates rates = rates_of(members, controls);
  const auto value = net_of(rates);
  if (!value) return std::nullopt;
  numbers::DrawnWeights drawn;
  auto sums = std::make_unique<std::array<ReplicateSums, 4>>();
  auto& [attack, attacked, control, controlled] = *sums;
  for (const Units& one : members) {
    const Weights& weights = drawn.of(one.unit);
    numbers::add_weighted(weights, one.leaked, attack);
    numbers::add_weighted(weights, one.all, attacked);
  }
  for (const Units& one : controls) {
    const Weights& weights = drawn.of(one.unit);
    numbers::add_weighted(weights, one.leaked, control);
    numbers::add_weighted(weights, one.all, controlled);
  }
  const ReplicateSums member = phantom_member(rates.attacked, persons_of(members));
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    const std::int64_t all = attacked[b] + member[b], others = controlled[b];
    if (all == 0 || others == 0) continue;
    lows.push_back(net_of({attack[b], all, control[b], others}).value_or(-1));
    highs.push_back(net_of({attack[b] + member[b], all, control[b], others}).value_or(1));
  }
  return Estimate{*value, numbers::phantom_interval(lows, highs, *value)};
}

}  // namespace residue::query
