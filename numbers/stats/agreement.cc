#include "numbers/stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace residue::numbers {
namespace {

// Average ranks of `values` if each came `weights[i]` times.
std::vector<double> ranks(std::span<const double> values, std::span<const std::uint16_t> weights) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> out(values.size());
  double below = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    double tied = 0;
    for (; end < order.size() && values[order[end]] == values[order[begin]]; ++end) {
      tied += weights.empty() ? 1 : weights[order[end]];
    }
    for (std::size_t i = begin; i < end; ++i) out[order[i]] = below + (tied + 1) / 2;
    below += tied;
    begin = end;
  }
  return out;
}

double total(const Confusion& confusion) {
  double sum = 0;
  for (const auto& row : confusion) {
    for (const auto count : row) sum += static_cast<double>(count);
  }
  return sum;
}

// 1 - observed / expected disagreement, with these costs.
template <class Cost>
std::optional<double> kappa(const Confusion& confusion, Cost&& cost) {
  const double all = total(confusion);
  if (all == 0) return std::nullopt;
  std::array<double, 3> first{}, second{};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      first[a] += static_cast<double>(confusion[a][b]);
      second[b] += static_cast<double>(confusion[a][b]);
    }
  }
  double observed = 0;
  double expected = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      observed += cost(a, b) * static_cast<double>(confusion[a][b]);
      expected += cost(a, b) * first[a] * second[b] / all;
    }
  }
  if (expected == 0) return std::nullopt;
  return 1 - observed / expected;
}

}  // namespace

std::optional<double> spearman(std::span<const double> a, std::span<const double> b,
                               std::span<const std::uint16_t> weights) {
  const auto x = ranks(a, weights);
  const auto y = ranks(b, weights);
  double count = 0, mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = weights.empty() ? 1 : weights[i];
    count += w;
    mean_x += w * x[i];
    mean_y += w * y[i];
  }
  if (count == 0) return std::nullopt;
  mean_x /= count;
  mean_y /= count;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = weights.empty() ? 1 : weights[i];
    xx += w * (x[i] - mean_x) * (x[i] - mean_x);
    yy += w * (y[i] - mean_y) * (y[i] - mean_y);
    xy += w * (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

std::optional<double> spearman(const Confusion& confusion) {
  std::array<double, 3> rows{}, columns{};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      rows[a] += static_cast<double>(confusion[a][b]);
      columns[b] += static_cast<double>(confusion[a][b]);
    }
  }
  const double all = rows[0] + rows[1] + rows[2];
  // Average ranks, from their mean.
  const auto centred = [all](const std::array<double, 3>& counts) {
    return std::array{counts[0] / 2 - all / 2, counts[0] + counts[1] / 2 - all / 2,
                      counts[0] + counts[1] + counts[2] / 2 - all / 2};
  };
  const auto x = centred(rows);
  const auto y = centred(columns);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    xx += rows[a] * x[a] * x[a];
    yy += columns[a] * y[a] * y[a];
    for (std::size_t b = 0; b < 3; ++b) xy += static_cast<double>(confusion[a][b]) * x[a] * y[b];
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

std::optional<double> observed_agreement(const Confusion& confusion) {
  const double all = total(confusion);
  if (all == 0) return std::nullopt;
  double same = 0;
  for (std::size_t i = 0; i < 3; ++i) same += static_cast<double>(confusion[i][i]);
  return same / all;
}

std::optional<double> cohen_kappa(const Confusion& confusion) {
  return kappa(confusion, [](std::size_t a, std::size_t b) { return a == b ? 0.0 : 1.0; });
}

std::optional<double> linear_kappa(const Confusion& confusion) {
  return kappa(confusion, [](std::size_t a, std::size_t b) { return static_cast<double>(a > b ? a - b : b - a); });
}

std::optional<double> quadratic_kappa(const Confusion& confusion) {
  return kappa(confusion, [](std::size_t a, std::size_t b) {
    const double off = static_cast<double>(a) - static_cast<double>(b);
    return off * off;
  });
}

std::optional<double> fleiss_kappa(std::span<const std::vector<std::uint32_t>> counts) {
  if (counts.empty()) return std::nullopt;
  const std::uint64_t raters = std::accumulate(counts[0].begin(), counts[0].end(), std::uint64_t{0});
  if (raters < 2) return std::nullopt;
  std::vector<std::uint64_t> votes(counts[0].size(), 0);
  std::uint64_t agreeing = 0, all = 0;  // ordered pairs of raters; votes
  for (const auto& row : counts) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      votes[k] += row[k];
      all += row[k];
      agreeing += std::uint64_t{row[k]} * row[k] - row[k];
    }
  }
  // One category only: there is nothing to agree about.
  if (std::ranges::count_if(votes, [](auto n) { return n > 0; }) < 2) return std::nullopt;
  const double agreement = static_cast<double>(agreeing) / static_cast<double>(counts.size() * raters * (raters - 1));
  double chance = 0;
  for (const std::uint64_t n : votes) {
    const double share = static_cast<double>(n) / static_cast<double>(all);
    chance += share * share;
  }
  return (agreement - chance) / (1 - chance);
}

std::optional<Interval> resampled_interval(
    std::span<const std::uint64_t> units,
    const std::function<std::optional<double>(std::span<const std::uint16_t>)>& statistic) {
  std::unordered_map<std::uint64_t, std::size_t> slots;
  std::vector<Weights> drawn;
  std::vector<std::size_t> slot_of;
  slot_of.reserve(units.size());
  for (const auto unit : units) {
    const auto [slot, fresh] = slots.emplace(unit, drawn.size());
    if (fresh) draw_weights(unit, drawn.emplace_back());
    slot_of.push_back(slot->second);
  }
  std::vector<double> values;
  std::vector<std::uint16_t> weights(units.size());
  for (std::size_t b = 0; b < kReplicates; ++b) {
    for (std::size_t i = 0; i < units.size(); ++i) weights[i] = drawn[slot_of[i]][b];
    if (const auto value = statistic(weights)) values.push_back(*value);
  }
  return percentile_interval(values);
}

std::optional<Interval> share_interval(std::span<const std::uint64_t> units, std::span<const std::uint8_t> hits) {
  if (units.empty()) return std::nullopt;
  const auto num = std::make_unique<ReplicateSums>(), den = std::make_unique<ReplicateSums>();
  std::unordered_set<std::uint64_t> distinct;
  DrawnWeights drawn;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Weights& weights = drawn.of(units[i]);
    add_weighted(weights, hits[i], *num);
    add_weighted(weights, 1, *den);
    distinct.insert(units[i]);
    sum += hits[i];
  }
  const auto total = static_cast<std::int64_t>(units.size());
  const SampledRatio share{
      .num = *num, .den = *den, .total = total, .units = static_cast<std::int64_t>(distinct.size()), .greatest = 1};
  return ratio_interval(share, static_cast<double>(sum) / static_cast<double>(total));
}

}  // namespace residue::numbers
