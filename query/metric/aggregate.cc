#include "query/metric/aggregate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/error.h"

namespace residue::query {
namespace {

double ratio(std::int64_t num, std::int64_t den, Kind kind) {
  const double value = static_cast<double>(num) / static_cast<double>(den);
  return kind == Kind::kMean ? value / static_cast<double>(kOne) : value;
}

std::optional<double> ratio_or_nothing(std::int64_t num, std::int64_t den, Kind kind) {
  if (den == 0) return std::nullopt;
  return ratio(num, den, kind);
}

void add_all(const std::array<std::int64_t, numbers::kReplicates>& from,
             std::array<std::int64_t, numbers::kReplicates>& to) {
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) to[b] += from[b];
}

// One record, or one person, drawn again and again shows nothing of how they differ.
bool has_spread(std::int64_t units) { return units > 1; }

bool lost(State state) { return state == State::kFailed || state == State::kMissing; }

// All replicates have the same value, but for rounding.
constexpr double kNoWidth = 1e-9;

// Of a rate of which all clusters say the same: what that many trials would leave open.
std::optional<numbers::Interval> of_agreeing(double rate, std::int64_t clusters) {
  if (!has_spread(clusters)) return std::nullopt;
  return numbers::wilson_interval_of(rate, clusters);
}

}  // namespace

void Clusters::add(const Contribution& c, std::uint64_t unit) {
  if (c.state != State::kNotApplicable && c.den > 0) members_.push_back({unit, c.slice, lost(c.state)});
}

std::int64_t Clusters::count(Outcome outcome, bool with_lost) const {
  std::unordered_set<std::uint64_t> units;
  for (const Member& member : members_) {
    const bool meant = outcome == Outcome::kNone || member.outcome == outcome;
    if (meant && (with_lost || !member.lost)) units.insert(member.unit);
  }
  return static_cast<std::int64_t>(units.size());
}

std::int64_t fixed(double value) { return std::llround(value * static_cast<double>(kOne)); }

Sums& Sums::operator+=(const Sums& other) {
  n += other.n;
  failed += other.failed;
  missing += other.missing;
  not_applicable += other.not_applicable;
  num += other.num;
  den += other.den;
  lost_num += other.lost_num;
  lost_best += other.lost_best;
  lost_den += other.lost_den;
  return *this;
}

Replicates& Aggregate::replicates(Outcome outcome) {
  auto& slot = replicates_[static_cast<std::size_t>(outcome)];
  if (!slot) slot = std::make_unique<Replicates>();
  return *slot;
}

void Aggregate::change(const Contribution& c, const numbers::Weights& weights, int sign) {
  Sums& sums = sums_[static_cast<std::size_t>(c.slice)];
  switch (c.state) {
    case State::kValue:
      sums.n += sign;
      sums.num += sign * c.num;
      sums.den += sign * c.den;
      break;
    case State::kFailed:
    case State::kMissing:
      (c.state == State::kFailed ? sums.failed : sums.missing) += sign;
      sums.lost_num += sign * c.num;
      sums.lost_best += sign * c.best;
      sums.lost_den += sign * c.den;
      break;
    case State::kNotApplicable:
      sums.not_applicable += sign;
      return;
  }
  Replicates& sampled = replicates(c.slice);
  numbers::add_weighted(weights, sign * c.num, c.state == State::kValue ? sampled.num : sampled.lost_num);
  numbers::add_weighted(weights, sign * c.den, c.state == State::kValue ? sampled.den : sampled.lost_den);
}

std::string Aggregate::replicate_bytes(Outcome outcome) const {
  const auto& slot = replicates_[static_cast<std::size_t>(outcome)];
  if (!slot) return {};
  const bool without_lost = sums(outcome).failed + sums(outcome).missing == 0;
  std::string bytes;
  const auto append = [&](const std::array<std::int64_t, numbers::kReplicates>& part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), sizeof part);
  };
  append(slot->num);
  append(slot->den);
  if (!without_lost) {
    append(slot->lost_num);
    append(slot->lost_den);
  }
  return bytes;
}

void Aggregate::load(Outcome outcome, const Sums& sums, std::string_view bytes) {
  sums_[static_cast<std::size_t>(outcome)] = sums;
  constexpr std::size_t kPart = sizeof(std::int64_t) * numbers::kReplicates;
  if (bytes.empty()) return;
  if (bytes.size() != 2 * kPart && bytes.size() != 4 * kPart) {
    throw Error(Code::kCorrupt, "an aggregate of the catalog is damaged", "residue check --recompute --repair");
  }
  Replicates& sampled = replicates(outcome);
  const std::array<std::array<std::int64_t, numbers::kReplicates>*, 4> parts = {&sampled.num, &sampled.den,
                                                                                &sampled.lost_num, &sampled.lost_den};
  for (std::size_t i = 0; i * kPart < bytes.size(); ++i) std::memcpy(parts[i]->data(), bytes.data() + i * kPart, kPart);
}

MetricRow Aggregate::row(Outcome outcome, const Sums& sums, const Replicates& sampled, bool independent,
                         const ClusterSource& clusters) const {
  const Kind kind = definition_->kind;
  MetricRow row;
  row.metric = definition_->id;
  row.n = sums.n;
  row.failed = sums.failed;
  row.missing = sums.missing;
  row.not_applicable = sums.not_applicable;
  const std::int64_t num = sums.num + sums.lost_num;
  const std::int64_t den = sums.den + sums.lost_den;
  row.value = ratio_or_nothing(num, den, kind);
  row.if_leaked = row.value;
  row.if_private = ratio_or_nothing(sums.num + sums.lost_best, den, kind);
  row.drop_value = ratio_or_nothing(sums.num, sums.den, kind);
  if (kind == Kind::kPooled) {
    row.units = den;
    row.drop_units = sums.den;
  }

  const auto interval = [&](bool with_lost) -> std::optional<numbers::Interval> {
    const std::int64_t total = sums.den + (with_lost ? sums.lost_den : 0);
    if (total == 0) return std::nullopt;
    const std::int64_t events = sums.num + (with_lost ? sums.lost_num : 0);
    if (kind == Kind::kShare && independent) return numbers::wilson_interval(events, total);
    const std::int64_t records = sums.n + (with_lost ? sums.failed + sums.missing : 0);
    if (!has_spread(records)) return std::nullopt;
    std::vector<double> values;
    values.reserve(numbers::kReplicates);
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      const std::int64_t weight = sampled.den[b] + (with_lost ? sampled.lost_den[b] : 0);
      if (weight == 0) continue;
      values.push_back(ratio(sampled.num[b] + (with_lost ? sampled.lost_num[b] : 0), weight, kind));
    }
    const auto found = numbers::percentile_interval(values);
    if (found && found->high - found->low > kNoWidth) return found;
    if (independent && kind == Kind::kMean) return found;
    const std::int64_t units = clusters ? clusters().count(outcome, with_lost) : records;
    if (kind == Kind::kMean) return has_spread(units) ? found : std::nullopt;
    return of_agreeing(ratio(events, total, kind), units);
  };
  if (const auto all = interval(true)) {
    row.low = all->low;
    row.high = all->high;
  }
  if (const auto dropped = interval(false)) {
    row.drop_low = dropped->low;
    row.drop_high = dropped->high;
  }
  return row;
}

std::unique_ptr<Aggregate::Total> Aggregate::total() const {
  auto all = std::make_unique<Total>();
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    all->sums += sums_[i];
    if (!replicates_[i]) continue;
    add_all(replicates_[i]->num, all->sampled.num);
    add_all(replicates_[i]->den, all->sampled.den);
    add_all(replicates_[i]->lost_num, all->sampled.lost_num);
    add_all(replicates_[i]->lost_den, all->sampled.lost_den);
  }
  return all;
}

MetricRow Aggregate::harmonic(const Aggregate& other, MetricId metric, const ClusterSource& clusters) const {
  const auto a = total();
  const auto b = other.total();
  const auto mean = [](std::optional<double> x, std::optional<double> y) -> std::optional<double> {
    if (!x || !y) return std::nullopt;
    return *x + *y == 0 ? 0 : 2 * *x * *y / (*x + *y);
  };
  const auto rate = [](const Sums& sums, bool with_lost) {
    return ratio_or_nothing(sums.num + (with_lost ? sums.lost_num : 0), sums.den + (with_lost ? sums.lost_den : 0),
                            Kind::kPooled);
  };
  const auto at_best = [](const Sums& sums) {
    return ratio_or_nothing(sums.num + sums.lost_best, sums.den + sums.lost_den, Kind::kPooled);
  };
  const auto interval = [&](bool with_lost) -> std::optional<numbers::Interval> {
    const std::int64_t records = a->sums.n + (with_lost ? a->sums.failed + a->sums.missing : 0);
    if (!has_spread(records)) return std::nullopt;
    const auto sampled = [&](const Replicates& of, std::size_t i) {
      return ratio_or_nothing(of.num[i] + (with_lost ? of.lost_num[i] : 0),
                              of.den[i] + (with_lost ? of.lost_den[i] : 0), Kind::kPooled);
    };
    std::vector<double> values;
    for (std::size_t i = 0; i < numbers::kReplicates; ++i) {
      if (const auto value = mean(sampled(a->sampled, i), sampled(b->sampled, i))) values.push_back(*value);
    }
    const auto found = numbers::percentile_interval(values);
    if (!found || found->high - found->low > kNoWidth) return found;
    return of_agreeing(std::min(found->low, 1.0), clusters ? clusters().count(Outcome::kNone, with_lost) : records);
  };
  MetricRow row;
  row.metric = metric;
  row.n = a->sums.n;
  row.failed = a->sums.failed;
  row.missing = a->sums.missing;
  row.not_applicable = a->sums.not_applicable;
  row.value = row.if_leaked = mean(rate(a->sums, true), rate(b->sums, true));
  row.if_private = mean(at_best(a->sums), at_best(b->sums));
  row.drop_value = mean(rate(a->sums, false), rate(b->sums, false));
  if (const auto all = interval(true); all && row.value) {
    row.low = all->low;
    row.high = all->high;
  }
  if (const auto dropped = interval(false); dropped && row.drop_value) {
    row.drop_low = dropped->low;
    row.drop_high = dropped->high;
  }
  return row;
}

std::vector<MetricRow> Aggregate::finish(bool independent, const ClusterSource& clusters) const {
  static const Replicates kNone{};
  std::vector<MetricRow> rows;
  const auto all = total();
  rows.push_back(row(Outcome::kNone, all->sums, all->sampled, independent, clusters));
  if (!definition_->split) return rows;
  for (std::size_t i = 1; i < kOutcomes; ++i) {
    rows.push_back(
        row(static_cast<Outcome>(i), sums_[i], replicates_[i] ? *replicates_[i] : kNone, independent, clusters));
    rows.back().slice = static_cast<Outcome>(i);
  }
  return rows;
}

namespace {

struct Ranked {
  std::int64_t num = 0;
  std::uint64_t unit = 0;
};

// share is 1/10 or 1/20: in integers, so that ceil is exact.
std::int64_t worst_count(double share, std::int64_t total) {
  const auto parts = static_cast<std::int64_t>(std::llround(1 / share));
  return (total + parts - 1) / parts;
}

double mean_of(std::int64_t sum, std::int64_t count) {
  return static_cast<double>(sum) / static_cast<double>(count) / static_cast<double>(kOne);
}

// Of the worst records as many as each replicate wants: weights are drawn until all have theirs.
std::optional<numbers::Interval> worst_interval(const std::vector<Ranked>& ranked, double share,
                                                const std::array<std::int64_t, numbers::kReplicates>& totals) {
  std::array<std::int64_t, numbers::kReplicates> left{}, sums{};
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) left[b] = worst_count(share, totals[b]);
  const auto wanted = left;
  numbers::Weights weights;
  for (const Ranked& record : ranked) {
    numbers::draw_weights(record.unit, weights);
    std::int64_t more = 0;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      const std::int64_t take = std::min<std::int64_t>(left[b], weights[b]);
      sums[b] += take * record.num;
      left[b] -= take;
      more |= left[b];
    }
    if (more == 0) break;
  }
  std::vector<double> values;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    if (wanted[b] > 0) values.push_back(mean_of(sums[b], wanted[b]));
  }
  return numbers::percentile_interval(values);
}

struct WorstResult {
  std::optional<double> value;
  std::optional<numbers::Interval> interval;
};

// `totals`: of the replicates; nothing: no interval is wanted.
WorstResult worst_of(std::vector<Ranked> ranked, double share,
                     const std::array<std::int64_t, numbers::kReplicates>* totals) {
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.num < b.num; });
  WorstResult result;
  const auto total = static_cast<std::int64_t>(ranked.size());
  if (total == 0) return result;
  const std::int64_t wanted = worst_count(share, total);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < wanted; ++i) sum += ranked[static_cast<std::size_t>(i)].num;
  result.value = mean_of(sum, wanted);
  const bool spread =
      std::any_of(ranked.begin(), ranked.end(), [&](const Ranked& one) { return one.unit != ranked.front().unit; });
  if (totals != nullptr && spread) result.interval = worst_interval(ranked, share, *totals);
  return result;
}

void count(const Contribution& c, MetricRow& row) {
  row.n += c.state == State::kValue;
  row.failed += c.state == State::kFailed;
  row.missing += c.state == State::kMissing;
  row.not_applicable += c.state == State::kNotApplicable;
}

}  // namespace

RecordCounts Aggregate::records() const {
  const auto all = total();
  RecordCounts counts;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    counts.values[b] = all->sampled.den[b];
    counts.all[b] = all->sampled.den[b] + all->sampled.lost_den[b];
  }
  return counts;
}

MetricRow worst_share(MetricId metric, double share, const std::vector<Weighted>& distances,
                      const RecordCounts& records) {
  MetricRow row;
  row.metric = metric;
  std::vector<Ranked> leaked, kept, dropped;
  for (const auto& [c, unit] : distances) {
    count(c, row);
    if (c.state == State::kNotApplicable) continue;
    leaked.push_back({c.num, unit});
    kept.push_back({lost(c.state) ? c.best : c.num, unit});
    if (c.state == State::kValue) dropped.push_back({c.num, unit});
  }
  const WorstResult headline = worst_of(std::move(leaked), share, &records.all);
  const WorstResult values = worst_of(std::move(dropped), share, &records.values);
  row.value = headline.value;
  row.if_leaked = headline.value;
  row.if_private = worst_of(std::move(kept), share, nullptr).value;
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
