#include "query/absent/absent_scores.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace residue::query {
namespace {

constexpr std::array kMetrics = {MetricId::kLeakRateAbsent,         MetricId::kFullLeakRateAbsent,
                                 MetricId::kSemanticDistanceAbsent, MetricId::kLeakRateNet,
                                 MetricId::kFullLeakRateNet,        MetricId::kLeakRateGain,
                                 MetricId::kFullLeakRateGain,       MetricId::kNetLeakage,
                                 MetricId::kAbsentLeftOut,          MetricId::kLeakRateGainChance,
                                 MetricId::kFullLeakRateGainChance};

// The claims of one record under one of the attacks.
struct Side {
  State state = State::kValue;
  std::vector<bool> leaks, leaks_fully;  // by claim; of a lost record what counts for it
  std::int64_t distance_sum = 0;         // of rating - 1
};

Side side_of(const RecordCase& record, std::size_t judged, bool found, Ratings ratings, bool lost_leaks) {
  RecordCase as_found = record;
  as_found.linked = found;
  Side side;
  side.state = rated_state(as_found, ratings);
  for (std::size_t i = 0; i < judged; ++i) {
    const std::uint8_t rating = side.state != State::kValue ? (lost_leaks ? 1 : 3) : found ? *ratings[i] : 3;
    side.leaks.push_back(rating <= 2);
    side.leaks_fully.push_back(rating == 1);
    side.distance_sum += rating - 1;
  }
  return side;
}

// Failed, where one of both failed; missing, where one is.
State both(State attack, State control) {
  if (attack == State::kFailed || control == State::kFailed) return State::kFailed;
  return attack == State::kValue ? control : attack;
}

// How many claims `control` does not leak, and how many of these `attack` leaks.
struct Gain {
  std::int64_t gained = 0, of = 0;
};

Gain gain_of(const std::vector<bool>& attack, const std::vector<bool>& control) {
  Gain gain;
  for (std::size_t i = 0; i < attack.size(); ++i) {
    gain.gained += attack[i] && !control[i];
    gain.of += !control[i];
  }
  return gain;
}

// What is lost is leaked by neither side: the least that chance can give.
Contribution chance(bool fully, const Side& second, const Side& third) {
  const Gain gain = fully ? gain_of(second.leaks_fully, third.leaks_fully) : gain_of(second.leaks, third.leaks);
  const State state = both(second.state, third.state);
  const bool known = state == State::kValue;
  return {fully ? MetricId::kFullLeakRateGainChance : MetricId::kLeakRateGainChance,
          Outcome::kNone,
          state,
          known ? gain.gained : 0,
          gain.of,
          known ? gain.gained : gain.of};
}

class Both {
 public:
  Both(const Side& attack, const Side& control, std::size_t judged)
      : attack_(attack), control_(control), state_(both(attack.state, control.state)), units_(count(judged)) {}

  void add(bool fully, std::vector<Contribution>& out) const {
    const std::vector<bool>& attack = fully ? attack_.leaks_fully : attack_.leaks;
    const std::vector<bool>& control = fully ? control_.leaks_fully : control_.leaks;
    const std::int64_t leaked = std::ranges::count(attack, true), by_others = std::ranges::count(control, true);
    const auto [gained, free] = gain_of(attack, control);
    const bool control_known = control_.state == State::kValue;
    out.push_back(of(fully ? MetricId::kFullLeakRateAbsent : MetricId::kLeakRateAbsent, control_.state, by_others,
                     control_known ? by_others : units_, units_));
    // If nothing missing leaked, the attack had nothing, and others had it all.
    out.push_back(of(fully ? MetricId::kFullLeakRateNet : MetricId::kLeakRateNet, state_, leaked - by_others,
                     state_ == State::kValue ? leaked - by_others : -units_, free));
    out.push_back(of(fully ? MetricId::kFullLeakRateGain : MetricId::kLeakRateGain, state_, gained,
                     state_ == State::kValue ? gained : 0, free));
  }

  void add_distances(std::vector<Contribution>& out) const {
    const std::int64_t attack = distance(attack_), control = distance(control_);
    const bool control_known = control_.state == State::kValue, attack_known = attack_.state == State::kValue;
    out.push_back(of(MetricId::kSemanticDistanceAbsent, control_.state, control, control_known ? control : 0, 1));
    out.push_back(of(MetricId::kNetLeakage, state_, control - attack,
                     (control_known ? control : 0) - (attack_known ? attack : kOne), 1));
  }

 private:
  static std::int64_t count(std::size_t judged) { return static_cast<std::int64_t>(judged); }
  static Contribution of(MetricId metric, State state, std::int64_t worst, std::int64_t best, std::int64_t den) {
    return {metric, Outcome::kNone, state, worst, den, best};
  }
  // Of a lost record without claims nothing is known: the attack has found it all, others nothing.
  [[nodiscard]] std::int64_t distance(const Side& side) const {
    if (units_ == 0) return &side == &attack_ ? 0 : kOne;
    return fixed(side.distance_sum, 2 * units_);
  }

  const Side& attack_;
  const Side& control_;
  State state_;
  std::int64_t units_;
};

}  // namespace

std::vector<Contribution> absent_scores(const RecordCase& record, std::size_t judged, Ratings linked,
                                        const AbsentFound& rest, const AbsentFound& third, std::size_t left_out) {
  std::vector<Contribution> out;
  const bool nothing_judged = judged == 0 && !record.no_claims;
  if (record.empty_original || record.all_known || nothing_judged) {
    for (const MetricId metric : kMetrics) out.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0});
    return out;
  }
  const Side attack = side_of(record, judged, record.linked, linked, true);
  const Side control = side_of(record, judged, rest.linked, rest.ratings, false);
  const Side others = side_of(record, judged, third.linked, third.ratings, false);
  const Both sides(attack, control, judged);
  for (const bool fully : {false, true}) {
    sides.add(fully, out);
    out.push_back(chance(fully, control, others));
  }
  sides.add_distances(out);
  // Of a failed record it is known, too; but there is no text of its own to leave out.
  const auto candidates = static_cast<std::int64_t>(left_out) * kOne;
  const State state = !record.attacked ? State::kNotApplicable : record.failed ? State::kFailed : State::kValue;
  out.push_back({MetricId::kAbsentLeftOut, Outcome::kNone, state, record.attacked ? candidates : 0,
                 record.attacked ? 1 : 0, record.attacked ? candidates : 0});
  return out;
}

}  // namespace residue::query
