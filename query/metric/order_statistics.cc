#include "query/metric/order_statistics.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

namespace residue::query {
namespace {

struct Ranked {
  std::int64_t num = 0;
  std::uint64_t unit = 0;
};

double mean_of(std::int64_t sum, std::int64_t weight) {
  return static_cast<double>(sum) / static_cast<double>(weight) / static_cast<double>(kOne);
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
                                 const numbers::ReplicateSums& totals, double value) {
  std::unordered_set<std::uint64_t> units;
  for (const Ranked& record : ranked) units.insert(record.unit);
  const auto records = static_cast<std::int64_t>(ranked.size());
  const auto persons = static_cast<std::int64_t>(units.size());
  struct Both {
    Worst low, high;
    std::int64_t phantom = 0, wanted = 0;
  };
  std::vector<Both> replicates(numbers::kReplicates);
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    Both& one = replicates[b];
    one.phantom = numbers::phantom_share(b, records, persons);
    one.low.left = one.high.left = one.wanted = totals[b] + one.phantom;
    one.low.take(parts * one.phantom, 0);
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
    one.high.take(parts * one.phantom, kOne);
    lows.push_back(mean_of(one.low.sum, one.wanted));
    highs.push_back(mean_of(one.high.sum, one.wanted));
  }
  return numbers::phantom_interval(lows, highs, value);
}

struct WorstResult {
  std::optional<double> value;
  std::optional<numbers::Interval> interval;
};

// `totals`: the records' weights in the replicates; nothing: no interval is wanted.
WorstResult worst_of(std::vector<Ranked> ranked, std::int64_t parts, const numbers::ReplicateSums* totals) {
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.num < b.num; });
  WorstResult result;
  const auto total = static_cast<std::int64_t>(ranked.size());
  if (total == 0) return result;
  Worst worst{total};
  for (const Ranked& record : ranked) worst.take(parts, record.num);
  result.value = mean_of(worst.sum, total);
  if (totals != nullptr) result.interval = worst_interval(ranked, parts, *totals, *result.value);
  return result;
}

void count(const Contribution& c, MetricRow& row) {
  row.n += c.state == State::kValue;
  row.failed += c.state == State::kFailed;
  row.missing += c.state == State::kMissing;
  row.not_applicable += c.state == State::kNotApplicable;
}

}  // namespace

MetricRow worst_share(MetricId metric, std::int64_t parts, const std::vector<Weighted>& distances,
                      const RecordWeights& records) {
  MetricRow row;
  row.metric = metric;
  std::vector<Ranked> leaked, kept, dropped;
  for (const auto& [c, unit] : distances) {
    count(c, row);
    if (c.state == State::kNotApplicable) continue;
    leaked.push_back({c.num, unit});
    kept.push_back({c.state == State::kValue ? c.num : c.best, unit});
    if (c.state == State::kValue) dropped.push_back({c.num, unit});
  }
  const WorstResult headline = worst_of(std::move(leaked), parts, &records.all);
  const WorstResult values = worst_of(std::move(dropped), parts, &records.values);
  row.value = headline.value;
  row.if_leaked = headline.value;
  row.if_private = worst_of(std::move(kept), parts, nullptr).value;
  row.drop_value = values.value;
  if (headline.interval) {
    row.low = headline.interval->low;
    row.high = headline.interval->high;
  }
  if (values.interval) {
    row.drop_low = values.interval->low;
    row.drop_high = values.interval->high;
  }
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
