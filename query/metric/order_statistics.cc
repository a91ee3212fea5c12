#include "query/metric/order_statistics.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace residue::query {
namespace {

struct Ranked {
  std::int64_t num = 0;
  std::uint64_t unit = 0;
};

double mean_of(std::int64_t sum, std::int64_t weight, std::int64_t one) {
  return static_cast<double>(sum) / static_cast<double>(weight) / static_cast<double>(one);
}

std::int64_t persons_of(std::span<const Ranked> ranked) {
  std::unordered_set<std::uint64_t> units;
  for (const Ranked& record : ranked) units.insert(record.unit);
  return static_cast<std::int64_t>(units.size());
}

// What the worst of one replicate come to. Weights are counted in parts: a record of weight w can give parts * w, and
// as much is wanted as all records weigh.
struct Worst {
  std::int64_t left = 0, sum = 0;

  void take(std::int64_t weight, std::int64_t num) {
    const std::int64_t taken = std::min(left, weight);
    sum += taken * num;
    left -= taken;
  }
};

numbers::Interval worst_interval(const std::vector<Ranked>& ranked, std::int64_t parts,
                                 const numbers::ReplicateSums& totals, const Ends& ends, double value) {
  const auto records = static_cast<std::int64_t>(ranked.size());
  const std::int64_t persons = persons_of(ranked);
  struct Both {
    Worst low, high;
    std::int64_t phantom = 0, wanted = 0;
  };
  std::vector<Both> replicates(numbers::kReplicates);
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    Both& one = replicates[b];
    one.phantom = numbers::phantom_share(b, records, persons);
    one.low.left = one.high.left = one.wanted = totals[b] + one.phantom;
    one.low.take(parts * one.phantom, ends.least);
  }
  numbers::Weights weights;
  for (const Ranked& record : ranked) {
    numbers::draw_weights(record.unit, weights);
    std::int64_t more = 0;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      replicates[b].low.take(parts * weights[b], record.num);
      replicates[b].high.take(parts * weights[b], record.num);
      more |= replicates[b].low.left | replicates[b].high.left;
    }
    if (more == 0) break;
  }
  std::vector<double> lows, highs;
  for (Both& one : replicates) {
    if (one.wanted == 0) continue;
    one.high.take(parts * one.phantom, ends.greatest);
    lows.push_back(mean_of(one.low.sum, one.wanted, ends.one));
    highs.push_back(mean_of(one.high.sum, one.wanted, ends.one));
  }
  return numbers::phantom_interval(lows, highs, value);
}

// In which of the records each replicate reaches half of its weight: one is looked for among the records of a batch,
// and a batch that no replicate ends in is only added up.
class Halves {
 public:
  // `before`: what weighs before all records, `end` is its number; `half`: all the weight there is, twice what is
  // reached counts against it.
  Halves(const numbers::ReplicateSums& before, const numbers::ReplicateSums& half, std::int64_t end)
      : sums_(before), half_(half), found_(numbers::kReplicates, end) {
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      if (2 * before[b] < half[b]) open_.push_back(b);
    }
  }

  // `total` is what the batch's `weights` come to.
  void take(std::span<const Ranked> batch, const std::vector<numbers::Weights>& weights,
            const numbers::ReplicateSums& total) {
    std::erase_if(open_, [&](std::size_t b) {
      if (2 * (sums_[b] + total[b]) < half_[b]) return false;
      std::int64_t sum = sums_[b];
      for (std::size_t i = 0; i < batch.size(); ++i) {
        sum += weights[i][b];
        if (2 * sum < half_[b]) continue;
        found_[b] = batch[i].num;
        break;
      }
      return true;
    });
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) sums_[b] += total[b];
  }

  [[nodiscard]] bool done() const { return open_.empty(); }
  // The record's number; `end` where none was reached, or what weighs before all is enough.
  [[nodiscard]] const std::vector<std::int64_t>& found() const { return found_; }

 private:
  numbers::ReplicateSums sums_;
  const numbers::ReplicateSums& half_;
  std::vector<std::int64_t> found_;
  std::vector<std::size_t> open_;
};

// The least number that, with all below it, has at least half of the weight; in each replicate.
numbers::Interval median_interval(std::span<const Ranked> ranked, const numbers::ReplicateSums& totals,
                                  const Ends& ends, double value) {
  constexpr std::size_t kBatch = 64;
  const auto records = static_cast<std::int64_t>(ranked.size());
  const std::int64_t persons = persons_of(ranked);
  numbers::ReplicateSums half{}, phantoms{};
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    phantoms[b] = numbers::phantom_share(b, records, persons);
    half[b] = totals[b] + phantoms[b];
  }
  Halves low(phantoms, half, ends.least), high({}, half, ends.greatest);
  std::vector<numbers::Weights> weights(kBatch);
  for (std::size_t begin = 0; begin < ranked.size() && !(low.done() && high.done()); begin += kBatch) {
    const auto batch = ranked.subspan(begin, std::min(kBatch, ranked.size() - begin));
    numbers::ReplicateSums total{};
    for (std::size_t i = 0; i < batch.size(); ++i) {
      numbers::draw_weights(batch[i].unit, weights[i]);
      numbers::add_weighted(weights[i], 1, total);
    }
    low.take(batch, weights, total);
    high.take(batch, weights, total);
  }
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    if (half[b] == 0) continue;
    lows.push_back(mean_of(low.found()[b], 1, ends.one));
    highs.push_back(mean_of(high.found()[b], 1, ends.one));
  }
  return numbers::phantom_interval(lows, highs, value);
}

void sort(std::vector<Ranked>& ranked) {
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.num < b.num; });
}

struct Result {
  std::optional<double> value;
  std::optional<numbers::Interval> interval;
};

// `totals`: the records' weights in the replicates; nothing: no interval is wanted.
Result worst_of(std::vector<Ranked> ranked, std::int64_t parts, const Ends& ends,
                const numbers::ReplicateSums* totals) {
  sort(ranked);
  Result result;
  const auto total = static_cast<std::int64_t>(ranked.size());
  if (total == 0) return result;
  Worst worst{total};
  for (const Ranked& record : ranked) worst.take(parts, record.num);
  result.value = mean_of(worst.sum, total, ends.one);
  if (totals != nullptr) result.interval = worst_interval(ranked, parts, *totals, ends, *result.value);
  return result;
}

Result median_of(std::vector<Ranked> ranked, const Ends& ends, const numbers::ReplicateSums* totals) {
  sort(ranked);
  Result result;
  if (ranked.empty()) return result;
  const std::size_t middle = ranked.size() / 2;
  result.value = mean_of(ranked[middle].num + ranked[ranked.size() % 2 == 0 ? middle - 1 : middle].num, 2, ends.one);
  if (totals != nullptr) result.interval = median_interval(ranked, *totals, ends, *result.value);
  return result;
}

void count(const Contribution& c, MetricRow& row) {
  row.n += c.state == State::kValue;
  row.failed += c.state == State::kFailed;
  row.missing += c.state == State::kMissing;
  row.not_applicable += c.state == State::kNotApplicable;
}

// A statistic in the readings of what is lost. `of`: from records and their weights in the replicates, null: not
// wanted.
template <class Statistic>
MetricRow row_of(MetricId metric, const std::vector<Weighted>& values, const RecordWeights& records,
                 const Statistic& of) {
  MetricRow row;
  row.metric = metric;
  std::vector<Ranked> leaked, kept, dropped;
  for (const auto& [c, unit] : values) {
    count(c, row);
    if (c.state == State::kNotApplicable) continue;
    leaked.push_back({c.num, unit});
    kept.push_back({c.state == State::kValue ? c.num : c.best, unit});
    if (c.state == State::kValue) dropped.push_back({c.num, unit});
  }
  const Result headline = of(std::move(leaked), &records.all);
  const bool lost = row.failed + row.missing > 0;
  const Result without_lost = lost ? of(std::move(dropped), &records.values) : headline;
  row.value = headline.value;
  row.if_leaked = headline.value;
  row.if_private = of(std::move(kept), nullptr).value;
  row.drop_value = without_lost.value;
  if (headline.interval) {
    row.low = headline.interval->low;
    row.high = headline.interval->high;
  }
  if (without_lost.interval) {
    row.drop_low = without_lost.interval->low;
    row.drop_high = without_lost.interval->high;
  }
  return row;
}

}  // namespace

MetricRow worst_share(MetricId metric, std::int64_t parts, const std::vector<Weighted>& distances,
                      const RecordWeights& records, const Ends& ends) {
  return row_of(metric, distances, records, [&](std::vector<Ranked> ranked, const numbers::ReplicateSums* totals) {
    return worst_of(std::move(ranked), parts, ends, totals);
  });
}

MetricRow median(MetricId metric, const std::vector<Weighted>& values, const RecordWeights& records, const Ends& ends) {
  return row_of(metric, values, records, [&](std::vector<Ranked> ranked, const numbers::ReplicateSums* totals) {
    return median_of(std::move(ranked), ends, totals);
  });
}

MetricRow greatest(MetricId metric, const std::vector<Weighted>& values) {
  MetricRow row;
  row.metric = metric;
  std::int64_t leaked = -1, kept = -1, dropped = -1;
  for (const auto& [c, unit] : values) {
    count(c, row);
    if (c.state == State::kNotApplicable) continue;
    leaked = std::max(leaked, c.num);
    kept = std::max(kept, c.best);
    if (c.state == State::kValue) dropped = std::max(dropped, c.num);
  }
  const auto number = [](std::int64_t of) -> std::optional<double> {
    if (of < 0) return std::nullopt;
    return static_cast<double>(of) / static_cast<double>(kOne);
  };
  row.value = row.low = row.if_leaked = number(leaked);
  row.if_private = number(kept);
  row.drop_value = row.drop_low = number(dropped);
  if (row.value) row.high = 1;
  if (row.drop_value) row.drop_high = 1;
  return row;
}

std::vector<MetricRow> histogram(MetricId metric, const std::vector<Contribution>& bins) {
  std::vector<MetricRow> rows(1 + kBins);
  std::array<std::int64_t, kBins> kept{};  // by bin, if nothing missing leaked
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].metric = metric;
    if (i > 0) rows[i].slice = Slice::Bin{i - 1};
  }
  for (const Contribution& c : bins) {
    count(c, rows[0]);
    if (c.state == State::kNotApplicable) continue;
    count(c, rows[static_cast<std::size_t>(c.num) + 1]);
    ++kept[static_cast<std::size_t>(c.best)];
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    rows[i].value = static_cast<double>(rows[i].n + rows[i].failed + rows[i].missing);
    rows[i].drop_value = static_cast<double>(rows[i].n);
    rows[i].if_leaked = rows[i].value;
    rows[i].if_private = static_cast<double>(kept[i - 1]);
  }
  return rows;
}

}  // namespace residue::query
