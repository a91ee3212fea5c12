#include "query/metric/aggregate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace residue::query {
namespace {

__extension__ typedef __int128 Wide;  // exact products of two sums

double ratio(Wide num, Wide den, Kind kind) {
  const double value = static_cast<double>(num) / static_cast<double>(den);
  return kind == Kind::kMean ? value / static_cast<double>(kOne) : value;
}

std::optional<double> ratio_or_nothing(Wide num, Wide den, Kind kind) {
  if (den == 0) return std::nullopt;
  return ratio(num, den, kind);
}

void add_all(const numbers::ReplicateSums& from, numbers::ReplicateSums& to) {
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) to[b] += from[b];
}

bool lost(State state) { return state == State::kFailed || state == State::kMissing; }

// What a lost record says all the same: of a pooled rate, its units that are decided whatever the others are.
struct Decided {
  std::int64_t num = 0, den = 0;
};

Decided decided(const MetricDefinition& metric, const Contribution& c) {
  if (metric.kind != Kind::kPooled || !lost(c.state)) return {};
  return {std::min(c.num, c.best), c.den - std::abs(c.num - c.best)};
}

bool unknown_units(const Contribution& c) { return lost(c.state) && c.den == 0; }

// What the numerator can have for one of the denominator: least, greatest, and if everything missing leaked.
std::int64_t in_numerator(const MetricDefinition& metric, double bound) {
  if (!std::isfinite(bound)) return 0;  // nobody asks: such a metric has no interval, and no units
  return metric.kind == Kind::kMean ? fixed(bound) : std::llround(bound);
}
std::int64_t leaked(const MetricDefinition& metric) {
  return in_numerator(metric, metric.higher_is_private ? metric.low : metric.high);
}
std::int64_t kept(const MetricDefinition& metric) {
  return in_numerator(metric, metric.higher_is_private ? metric.high : metric.low);
}

// Records whose units nobody knows, and the mean number of units of the others: units / records.
struct Unknown {
  std::int64_t count = 0;
  const numbers::ReplicateSums* weights = nullptr;
  std::int64_t units = 1, records = 1;

  // round(weight * mean), halves up.
  [[nodiscard]] std::int64_t of(std::int64_t weight) const {
    return static_cast<std::int64_t>((2 * Wide{weight} * units + records) / (2 * Wide{records}));
  }
};

Unknown unknown_of(const MetricDefinition& metric, const Sums& sums, const Sums& from, const Replicates& weights,
                   bool units_of_from = false) {
  Unknown unknown;
  if (!counts_units(metric.kind) || from.unknown == 0) return unknown;
  unknown.count = from.unknown;
  unknown.weights = &weights.unknown;
  const Sums& counted = units_of_from ? from : sums;
  unknown.units = counted.den + counted.lost_den;
  unknown.records = from.n + from.failed + from.missing - from.unknown;
  // Nobody has any: one stands for each of them.
  if (unknown.units == 0 || unknown.records == 0) unknown.units = std::llround(metric.parts), unknown.records = 1;
  return unknown;
}

// One reading of a metric: what is lost counted as if it had leaked, or left out.
struct Reading {
  const MetricDefinition& metric;
  const Sums& sums;
  const Replicates& sampled;
  const Unknown& unknown;
  bool with_lost = true;

  [[nodiscard]] std::optional<double> value() const {
    if (metric.kind == Kind::kNet && sums.den == 0) return std::nullopt;
    if (!with_lost) return ratio_or_nothing(sums.num, sums.den, metric.kind);
    const Wide num = Wide{sums.num} + sums.lost_num, den = Wide{sums.den} + sums.lost_den;
    if (unknown.count == 0) return ratio_or_nothing(num, den, metric.kind);
    const Wide more = Wide{unknown.count} * unknown.units;
    return ratio_or_nothing(num * unknown.records + more * leaked(metric), den * unknown.records + more, metric.kind);
  }
  // Records in all.
  [[nodiscard]] std::int64_t records() const { return sums.n + (with_lost ? sums.failed + sums.missing : 0); }
  [[nodiscard]] std::int64_t den() const {
    return sums.den + (with_lost ? sums.lost_den + unknown.of(unknown.count) : 0);
  }
  [[nodiscard]] std::int64_t num_in(std::size_t b) const {
    if (!with_lost) return sampled.num[b];
    return sampled.num[b] + sampled.lost_num[b] + unknown_in(b) * leaked(metric);
  }
  [[nodiscard]] std::int64_t den_in(std::size_t b) const {
    return with_lost ? sampled.den[b] + sampled.lost_den[b] + unknown_in(b) : sampled.den[b];
  }

 private:
  [[nodiscard]] std::int64_t unknown_in(std::size_t b) const {
    return unknown.count == 0 ? 0 : unknown.of((*unknown.weights)[b]);
  }
};

struct Sampled {
  numbers::ReplicateSums num, den;
};

std::unique_ptr<Sampled> sampled_of(const Reading& reading) {
  auto all = std::make_unique<Sampled>();
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    all->num[b] = reading.num_in(b);
    all->den[b] = reading.den_in(b);
  }
  return all;
}

// How many resampling units the reading is of.
std::int64_t units_of(const Reading& reading, Outcome outcome, bool independent, const ClusterSource& clusters) {
  const bool each_counts = !counts_units(reading.metric.kind);
  if (!clusters || (independent && each_counts)) return reading.records();
  return clusters().count(outcome, reading.with_lost);
}

// As ratio_interval(), but that a replicate whose control has everything says nothing: it counts at both ends.
numbers::Interval net_interval(const numbers::SampledRatio& ratio, double value) {
  std::vector<double> lows, highs;
  std::size_t open = 0;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    if (ratio.den[b] == 0) {
      ++open;
      continue;
    }
    const std::int64_t more = numbers::phantom_share(b, ratio.total, ratio.units);
    const auto den = static_cast<double>(ratio.den[b] + more);
    lows.push_back(static_cast<double>(ratio.num[b] + more * ratio.least) / den);
    highs.push_back(static_cast<double>(ratio.num[b] + more * ratio.greatest) / den);
  }
  const double least = std::min(value, lows.empty() ? -1.0 : *std::min_element(lows.begin(), lows.end()));
  lows.insert(lows.end(), open, std::min(least, -1.0));
  highs.insert(highs.end(), open, 1.0);
  return numbers::phantom_interval(lows, highs, value);
}

std::optional<numbers::Interval> interval_of(const Reading& reading, Outcome outcome, bool independent,
                                             const ClusterSource& clusters) {
  const Kind kind = reading.metric.kind;
  const auto value = reading.value();
  // Without bounds there is no phantom that is as leaky as can be.
  if (!value || !std::isfinite(reading.metric.low) || !std::isfinite(reading.metric.high)) return std::nullopt;
  if (kind == Kind::kShare && independent) {
    const Sums& sums = reading.sums;
    return numbers::wilson_interval(sums.num + (reading.with_lost ? sums.lost_num : 0), reading.den());
  }
  const auto sampled = sampled_of(reading);
  const numbers::SampledRatio ratio{
      .num = sampled->num,
      .den = sampled->den,
      .total = reading.den(),
      .units = std::max<std::int64_t>(1, units_of(reading, outcome, independent, clusters)),
      .least = in_numerator(reading.metric, reading.metric.low),
      .greatest = in_numerator(reading.metric, reading.metric.high),
      .one = kind == Kind::kMean ? static_cast<double>(kOne) : 1.0};
  return kind == Kind::kNet ? net_interval(ratio, *value) : numbers::ratio_interval(ratio, *value);
}

void put_intervals(const std::optional<numbers::Interval>& all, const std::optional<numbers::Interval>& dropped,
                   MetricRow& row) {
  if (all) {
    row.low = all->low;
    row.high = all->high;
  }
  if (dropped) {
    row.drop_low = dropped->low;
    row.drop_high = dropped->high;
  }
}

// If everything missing leaked, and if nothing did.
struct Bounds {
  std::optional<double> leaked, kept;
};

// `clusters` know the greatest number of units.
Bounds bounds_of(const Reading& reading, const ClusterSource& clusters) {
  const Sums& sums = reading.sums;
  if (reading.metric.kind == Kind::kNet && sums.den == 0) return {};
  std::int64_t most = 0;
  if (reading.unknown.count > 0) {
    const std::int64_t mean = (reading.unknown.units + reading.unknown.records - 1) / reading.unknown.records;
    most = reading.unknown.count * std::max(clusters ? clusters().most() : 0, mean);
  }
  const Wide den = Wide{sums.den} + sums.lost_den + most;
  const auto with = [&](std::int64_t lost_num, std::int64_t each, Wide of) {
    return ratio_or_nothing(Wide{sums.num} + lost_num + Wide{most} * each, of, reading.metric.kind);
  };
  // If everything missing leaked, the control of a gain has all that the attack has not: the denominator is no more
  // than what leaked. If nothing did, the control of a net has all that is missing: the denominator has none of it.
  const Wide least = Wide{sums.den} + sums.lost_num + most;
  const Wide above = reading.metric.kind == Kind::kGain && least > 0 ? least : den;
  const Wide below = reading.metric.kind == Kind::kNet ? Wide{sums.den} : den;
  return {with(sums.lost_num, leaked(reading.metric), above), with(sums.lost_best, kept(reading.metric), below)};
}

MetricRow row_of(const Reading& all, Outcome outcome, bool independent, const ClusterSource& clusters,
                 const ClusterSource& greatest = {}) {
  Reading dropped = all;
  dropped.with_lost = false;
  MetricRow row;
  row.metric = all.metric.id;
  row.n = all.sums.n;
  row.failed = all.sums.failed;
  row.missing = all.sums.missing;
  row.not_applicable = all.sums.not_applicable;
  row.value = all.value();
  row.drop_value = dropped.value();
  const Bounds bounds = bounds_of(all, greatest ? greatest : clusters);
  row.if_leaked = bounds.leaked;
  row.if_private = bounds.kept;
  if (counts_units(all.metric.kind)) {
    row.units = all.den();
    row.drop_units = dropped.den();
  }
  const bool lost = row.failed + row.missing + all.unknown.count > 0;
  const auto interval = interval_of(all, outcome, independent, clusters);
  put_intervals(interval, lost ? interval_of(dropped, outcome, independent, clusters) : interval, row);
  return row;
}

constexpr unsigned kLostBits = kOutcomes;  // the bits of `seen` above those of values

}  // namespace

std::optional<double> coverage_of(const MetricDefinition& metric, double n, double failed, double missing,
                                  double not_applicable) {
  const double all = n + failed + missing + (optional_for_records(metric) ? 0 : not_applicable);
  if (all == 0) return std::nullopt;
  return n / all;
}

void Clusters::add(const Contribution& c, std::uint64_t unit) {
  if (c.state == State::kNotApplicable || (c.den == 0 && !lost(c.state))) return;
  unsigned bits = 1U << (static_cast<unsigned>(c.slice) + (lost(c.state) ? kLostBits : 0));
  if (decided(definition(c.metric), c).den > 0) bits |= 1U << static_cast<unsigned>(c.slice);
  Unit& one = units_.place(unit, [&](const Unit& other) { return other.unit == unit; });
  one.unit = unit;
  if (one.seen != 0) --units_of_[one.seen];
  one.seen = static_cast<std::uint8_t>(one.seen | bits);
  ++units_of_[one.seen];
  most_ = std::max(most_, c.den);
}

std::int64_t Clusters::count(Outcome outcome, bool with_lost) const {
  const unsigned values = outcome == Outcome::kNone ? (1U << kOutcomes) - 1 : 1U << static_cast<unsigned>(outcome);
  const unsigned wanted = with_lost ? values | values << kLostBits : values;
  std::int64_t units = 0;
  for (std::size_t seen = 0; seen < units_of_.size(); ++seen) units += (seen & wanted) != 0 ? units_of_[seen] : 0;
  return units;
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
  unknown += other.unknown;
  return *this;
}

Replicates& Aggregate::replicates(Outcome outcome) {
  auto& slot = replicates_[static_cast<std::size_t>(outcome)];
  if (!slot) slot = std::make_unique<Replicates>();
  return *slot;
}

void Aggregate::change(const Contribution& c, const numbers::Weights& weights, int sign) {
  Sums& sums = sums_[static_cast<std::size_t>(c.slice)];
  const Decided known = decided(*definition_, c);
  switch (c.state) {
    case State::kValue:
      sums.n += sign;
      sums.num += sign * c.num;
      sums.den += sign * c.den;
      break;
    case State::kFailed:
    case State::kMissing:
      (c.state == State::kFailed ? sums.failed : sums.missing) += sign;
      sums.num += sign * known.num;
      sums.den += sign * known.den;
      sums.lost_num += sign * (c.num - known.num);
      sums.lost_best += sign * (c.best - known.num);
      sums.lost_den += sign * (c.den - known.den);
      sums.unknown += unknown_units(c) ? sign : 0;
      break;
    case State::kNotApplicable:
      sums.not_applicable += sign;
      return;
  }
  Replicates& sampled = replicates(c.slice);
  if (c.state == State::kValue) {
    numbers::add_weighted(weights, sign * c.num, sampled.num);
    numbers::add_weighted(weights, sign * c.den, sampled.den);
  } else {
    if (known.num != 0) numbers::add_weighted(weights, sign * known.num, sampled.num);
    if (known.den != 0) numbers::add_weighted(weights, sign * known.den, sampled.den);
    numbers::add_weighted(weights, sign * (c.num - known.num), sampled.lost_num);
    numbers::add_weighted(weights, sign * (c.den - known.den), sampled.lost_den);
  }
  if (unknown_units(c)) numbers::add_weighted(weights, sign, sampled.unknown);
}

std::string Aggregate::replicate_bytes(Outcome outcome) const {
  const auto& slot = replicates_[static_cast<std::size_t>(outcome)];
  if (!slot) return {};
  const bool without_lost = sums(outcome).failed + sums(outcome).missing == 0;
  std::string bytes;
  const auto append = [&](const numbers::ReplicateSums& part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), sizeof part);
  };
  append(slot->num);
  append(slot->den);
  if (!without_lost) {
    append(slot->lost_num);
    append(slot->lost_den);
  }
  if (sums(outcome).unknown > 0) append(slot->unknown);
  return bytes;
}

void Aggregate::load(Outcome outcome, const Sums& sums, std::string_view bytes) {
  sums_[static_cast<std::size_t>(outcome)] = sums;
  constexpr std::size_t kPart = sizeof(std::int64_t) * numbers::kReplicates;
  if (bytes.empty()) return;
  if (bytes.size() != 2 * kPart && bytes.size() != 4 * kPart && bytes.size() != 5 * kPart) {
    throw Error(Code::kCorrupt, "an aggregate of the catalog is damaged", "residue check --recompute --repair");
  }
  Replicates& sampled = replicates(outcome);
  const std::array<numbers::ReplicateSums*, 5> parts = {&sampled.num, &sampled.den, &sampled.lost_num,
                                                        &sampled.lost_den, &sampled.unknown};
  for (std::size_t i = 0; i * kPart < bytes.size(); ++i) std::memcpy(parts[i]->data(), bytes.data() + i * kPart, kPart);
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
    add_all(replicates_[i]->unknown, all->sampled.unknown);
  }
  return all;
}

MetricRow Aggregate::harmonic(const Aggregate& other, MetricId metric, const ClusterSource& clusters,
                              const ClusterSource& other_clusters) const {
  const auto a = total(), b = other.total();
  const Unknown unknown_a = unknown_of(*definition_, a->sums, a->sums, a->sampled);
  const Unknown unknown_b = unknown_of(*other.definition_, b->sums, b->sums, b->sampled);
  const auto mean = [](std::optional<double> x, std::optional<double> y) -> std::optional<double> {
    if (!x || !y) return std::nullopt;
    return *x + *y == 0 ? 0 : 2 * *x * *y / (*x + *y);
  };
  const auto interval = [&](const Reading& first, const Reading& second) -> std::optional<numbers::Interval> {
    const auto value = mean(first.value(), second.value());
    if (!value) return std::nullopt;
    const std::int64_t units = std::max<std::int64_t>(1, units_of(first, Outcome::kNone, false, clusters));
    const std::int64_t others = std::max<std::int64_t>(1, units_of(second, Outcome::kNone, false, other_clusters));
    std::vector<double> lows, highs;
    for (std::size_t i = 0; i < numbers::kReplicates; ++i) {
      const std::int64_t more = numbers::phantom_share(i, first.den(), units);
      const std::int64_t other_more = numbers::phantom_share(i, second.den(), others);
      const auto at = [&](std::int64_t hits) {
        return mean(
            ratio_or_nothing(first.num_in(i) + more * hits, first.den_in(i) + more, Kind::kPooled),
            ratio_or_nothing(second.num_in(i) + other_more * hits, second.den_in(i) + other_more, Kind::kPooled));
      };
      const auto low = at(0), high = at(1);
      if (!low || !high) continue;
      lows.push_back(*low);
      highs.push_back(*high);
    }
    if (lows.empty()) return std::nullopt;
    return numbers::phantom_interval(lows, highs, *value);
  };
  const Reading all{*definition_, a->sums, a->sampled, unknown_a};
  const Reading other_all{*other.definition_, b->sums, b->sampled, unknown_b};
  Reading dropped = all, other_dropped = other_all;
  dropped.with_lost = other_dropped.with_lost = false;
  const Bounds bounds = bounds_of(all, clusters), other_bounds = bounds_of(other_all, other_clusters);
  MetricRow row;
  row.metric = metric;
  row.n = a->sums.n;
  row.failed = a->sums.failed;
  row.missing = a->sums.missing;
  row.not_applicable = a->sums.not_applicable;
  row.value = mean(all.value(), other_all.value());
  row.drop_value = mean(dropped.value(), other_dropped.value());
  row.if_leaked = mean(bounds.leaked, other_bounds.leaked);
  row.if_private = mean(bounds.kept, other_bounds.kept);
  put_intervals(interval(all, other_all), interval(dropped, other_dropped), row);
  return row;
}

std::vector<MetricRow> Aggregate::finish(bool independent, const ClusterSource& clusters, const Whole& whole) const {
  static const Replicates kNone{};
  std::vector<MetricRow> rows;
  const auto all = total();
  const auto from = whole.aggregate != nullptr ? whole.aggregate->total() : nullptr;
  const Unknown unknown = unknown_of(*definition_, all->sums, from ? from->sums : all->sums,
                                     from ? from->sampled : all->sampled, whole.of_claims);
  rows.push_back(row_of({*definition_, all->sums, all->sampled, unknown}, Outcome::kNone, independent, clusters,
                        whole.of_claims ? whole.clusters : ClusterSource()));
  if (from && !whole.of_claims) rows.back().missing += unknown.count;
  if (!definition_->split) return rows;
  for (std::size_t i = 1; i < kOutcomes; ++i) {
    const Replicates& sampled = replicates_[i] ? *replicates_[i] : kNone;
    const auto outcome = static_cast<Outcome>(i);
    const Unknown of_slice = unknown_of(*definition_, sums_[i], sums_[i], sampled);
    rows.push_back(row_of({*definition_, sums_[i], sampled, of_slice}, outcome, independent, clusters));
    rows.back().slice = outcome;
  }
  return rows;
}

RecordWeights Aggregate::records() const {
  const auto all = total();
  RecordWeights weights;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    weights.values[b] = all->sampled.den[b];
    weights.all[b] = all->sampled.den[b] + all->sampled.lost_den[b];
  }
  return weights;
}

}  // namespace residue::query
