#include "query/place/open_world.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"

namespace residue::query {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t kSteps = 20;

// Claims at or above a threshold.
struct Claims {
  std::int64_t present = 0, absent = 0;
  std::int64_t right = 0;  // in units of 2^-32

  // How many there are, of roles that are played at all.
  [[nodiscard]] std::int64_t count(std::int64_t share) const {
    return (share < kShareOne ? present : 0) + (share > 0 ? absent : 0);
  }
  // Both in units of 2^-32, times kShareOne.
  [[nodiscard]] Wide weight_right(std::int64_t share) const { return Wide{right} * (kShareOne - share); }
  [[nodiscard]] Wide weight(std::int64_t share) const {
    return (Wide{present} * (kShareOne - share) + Wide{absent} * share) * kOne;
  }
};

Claims claims_at(std::span<const OpenTarget> targets, std::int64_t threshold) {
  Claims claims;
  for (const OpenTarget& target : targets) {
    if (target.sure && *target.sure >= threshold) ++claims.present, claims.right += target.right;
    claims.absent += target.rest_sure && *target.rest_sure >= threshold ? 1 : 0;
  }
  return claims;
}

struct Event {
  std::int64_t sure = 0;
  Claims claims;
};

struct Level {
  MetricId metric;
  std::int64_t percent;
};
constexpr std::array kLevels = {Level{MetricId::kOpenRecall90, 90}, Level{MetricId::kOpenRecall95, 95},
                                Level{MetricId::kOpenRecall99, 99}};

MetricRow counts_of(MetricId metric, std::span<const PlacedRecord> targets) {
  MetricRow row;
  row.metric = metric;
  for (const PlacedRecord& target : targets) {
    row.n += target.state == State::kValue;
    row.failed += target.state == State::kFailed;
    row.missing += target.state == State::kMissing;
    row.not_applicable += target.state == State::kNotApplicable;
  }
  return row;
}

// The mean over targets of `num`, or over claims where `den` counts them.
class Rate {
 public:
  explicit Rate(MetricId metric) : about_(as_mean(metric)), sums_(about_) {}

  void add(const Contribution& c, std::uint64_t unit, const numbers::Weights& weights) {
    sums_.add(c, weights);
    clusters_.add(c, unit);
  }
  [[nodiscard]] MetricRow row(bool independent) const {
    return sums_.finish(independent, [&]() -> const Clusters& { return clusters_; }).front();
  }

 private:
  static MetricDefinition as_mean(MetricId metric) {
    MetricDefinition about = definition(metric);
    about.kind = Kind::kMean;
    return about;
  }
  MetricDefinition about_;
  Aggregate sums_;
  Clusters clusters_;
};

std::vector<MetricRow> level_rows(const Level& level, std::span<const PlacedRecord> targets, bool independent) {
  std::array<std::vector<OpenTarget>, 2> halves;
  for (const PlacedRecord& target : targets) {
    if (target.state == State::kValue) {
      halves[second_half(target.unit) ? 1 : 0].push_back(open_target(target.unit, target.place));
    }
  }
  const std::array<Learned, 2> learned = {learn_threshold(halves[0], level.percent, kHalfAbsent),
                                          learn_threshold(halves[1], level.percent, kHalfAbsent)};
  if (learned[0].too_few || learned[1].too_few) {
    MetricRow row = counts_of(level.metric, targets);
    row.not_applicable += row.n + row.failed + row.missing;
    row.n = row.failed = row.missing = 0;
    row.reason = "too few persons: a half of them makes too few claims of such a precision";
    return {row};
  }
  Rate recall(level.metric), precision(level.metric);
  numbers::Weights weights;
  for (const PlacedRecord& target : targets) {
    Contribution found{level.metric, Outcome::kNone, target.state, 0, 1, 0};
    Contribution claimed{level.metric, Outcome::kNone, target.state, 0, 0, 0};
    if (target.state == State::kNotApplicable) {
      found.den = 0;
    } else if (target.state != State::kValue) {
      found.num = kOne;
    } else {
      const auto& threshold = learned[second_half(target.unit) ? 0 : 1].threshold;
      const OpenTarget one = open_target(target.unit, target.place);
      const Claims claims = threshold ? claims_at(std::span(&one, 1), *threshold) : Claims{};
      found.num = found.best = claims.right;
      claimed.num = claimed.best = claims.right;
      claimed.den = claims.present + claims.absent;  // both roles weigh the same
    }
    numbers::draw_weights(target.unit, weights);
    recall.add(found, target.unit, weights);
    precision.add(claimed, target.unit, weights);
  }
  MetricRow realised = precision.row(independent);
  realised.slice = Slice::Cut{"precision"};
  return {recall.row(independent), realised};
}

}  // namespace

OpenTarget open_target(std::uint64_t unit, const LinkPlace& place) {
  OpenTarget target{unit, std::nullopt, std::nullopt, place.risk()};
  if (place.sure) target.sure = place.sure->value;
  if (place.rest_sure) target.rest_sure = place.rest_sure->value;
  return target;
}

std::vector<OpenPoint> open_curve(std::span<const OpenTarget> targets, std::uint64_t lost, std::int64_t absent) {
  std::vector<OpenPoint> curve;
  for (std::int64_t step = 0; step <= kSteps; ++step) {
    const Claims claims = claims_at(targets, fixed(step, kSteps));
    OpenPoint point;
    point.threshold = static_cast<double>(step) / static_cast<double>(kSteps);
    point.claims = static_cast<std::uint64_t>(claims.count(absent));
    const Wide weight = claims.weight(absent);
    if (weight > 0) {
      point.precision = static_cast<double>(claims.weight_right(absent)) / static_cast<double>(weight);
    }
    const double all = static_cast<double>(targets.size()) + static_cast<double>(lost);
    const double found = static_cast<double>(claims.right) / static_cast<double>(kOne) + static_cast<double>(lost);
    if (all > 0) point.recall = found / all;
    curve.push_back(point);
  }
  return curve;
}

Learned learn_threshold(std::span<const OpenTarget> targets, std::int64_t percent, std::int64_t absent) {
  const std::int64_t wanted = 100 / (100 - percent);
  std::vector<Event> events;
  for (const OpenTarget& target : targets) {
    if (target.sure) events.push_back({*target.sure, {1, 0, target.right}});
    if (target.rest_sure) events.push_back({*target.rest_sure, {0, 1, 0}});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.sure > b.sure; });
  Learned learned;
  Claims claims;
  bool precise = false;  // some claims are of that precision, be they few
  for (std::size_t i = 0; i < events.size(); ++i) {
    claims.present += events[i].claims.present;
    claims.absent += events[i].claims.absent;
    claims.right += events[i].claims.right;
    if (i + 1 < events.size() && events[i + 1].sure == events[i].sure) continue;
    if (100 * claims.weight_right(absent) < percent * claims.weight(absent)) continue;
    if (claims.count(absent) >= wanted) learned.threshold = events[i].sure;
    precise = true;
  }
  const std::int64_t made = claims.count(absent);
  const auto roles = static_cast<std::int64_t>(targets.size()) * (absent > 0 && absent < kShareOne ? 2 : 1);
  // Nobody may claim anything. Then it is too few only if so few could have been claimed.
  learned.too_few = made == 0 ? roles < wanted : made < wanted || (precise && !learned.threshold);
  return learned;
}

bool second_half(std::uint64_t unit) {
  constexpr std::uint64_t kHalves = 0x68616c766573;  // "halves" in ASCII
  return (mix(unit ^ kHalves) & 1U) != 0;
}

std::vector<MetricRow> open_rows(std::span<const PlacedRecord> targets, bool absent_made, bool independent) {
  std::vector<MetricRow> rows;
  for (const Level& level : kLevels) {
    if (absent_made) {
      for (MetricRow& row : level_rows(level, targets, independent)) rows.push_back(std::move(row));
      continue;
    }
    MetricRow row = counts_of(level.metric, targets);
    row.not_applicable += row.n + row.failed + row.missing;
    row.n = row.failed = row.missing = 0;
    row.reason = "no absent attack is made";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace residue::query
