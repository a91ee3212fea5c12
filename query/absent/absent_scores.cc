#include "query/absent/absent_scores.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace residue::query {
namespace {

constexpr std::array kMetrics = {
    MetricId::kLeakRateAbsent,   MetricId::kFullLeakRateAbsent, MetricId::kSemanticDistanceAbsent,
    MetricId::kLeakRateNet,      MetricId::kFullLeakRateNet,    MetricId::kLeakRateGain,
    MetricId::kFullLeakRateGain, MetricId::kNetLeakage,         MetricId::kAbsentLeftOut};

// The claims of one record under one of the two attacks.
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

class Both {
 public:
  Both(const Side& attack, const Side& control, std::size_t judged)
      : attack_(attack), control_(control), state_(both(attack.state, control.state)), units_(count(judged)) {}

  void add(bool fully, std::vector<Contribution>& out) const {
    const std::vector<bool>& attack = fully ? attack_.leaks_fully : attack_.leaks;
    const std::vector<bool>& control = fully ? control_.leaks_fully : control_.leaks;
    std::int64_t leaked = 0, by_others = 0, gained = 0;
    for (std::size_t i = 0; i < attack.size(); ++i) {
      leaked += attack[i];
      by_others += control[i];
      gained += attack[i] && !control[i];
    }
    const std::int64_t free = units_ - by_others;
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

std::vector<Contribution> absent_scores(const RecordCase& record, std::size_t judged, Ratings linked, bool rest_linked,
                                        Ratings rest, std::size_t left_out) {
  std::vector<Contribution> out;
  const bool nothing_judged = judged == 0 && !record.no_claims;
  if (record.empty_original || record.all_known || nothing_judged) {
    for (const MetricId metric : kMetrics) out.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0});
    return out;
  }
  const Side attack = side_of(record, judged, record.linked, linked, true);
  const Side control = side_of(record, judged, rest_linked, rest, false);
  const Both sides(attack, control, judged);
  for (const bool fully : {false, true}) sides.add(fully, out);
  sides.add_distances(out);
  const auto others = static_cast<std::int64_t>(left_out) * kOne;
  out.push_back(record.attacked
                    ? Contribution{MetricId::kAbsentLeftOut, Outcome::kNone, State::kValue, others, 1, others}
                    : Contribution{MetricId::kAbsentLeftOut, Outcome::kNone, State::kNotApplicable, 0, 0, 0});
  return out;
}

}  // namespace residue::query
