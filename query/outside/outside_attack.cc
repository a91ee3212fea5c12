#include "query/outside/outside_attack.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/hash.h"
#include "numbers/stats/bootstrap.h"
#include "query/inputs/sort_unique.h"
#include "query/metric/outside_metrics.h"
#include "query/outside/anonymeter.h"
#include "query/outside/too_few.h"
#include "query/outside/two_samples.h"
#include "query/score/scores.h"
#include "query/stored/record_input.h"

namespace residue::query {
namespace {

// What a lost record counts as.
enum class Lost { kLeaked, kSafe, kLeftOut };
// How many claims a lost record counts with of which nobody knows how many it has: as the others on average, or at
// most.
enum class Claims { kMean, kMost };

bool is_lost(const Contribution& one) { return one.state == State::kFailed || one.state == State::kMissing; }

Contribution rate_of(const AttackedRecord& record, MetricId metric) {
  const std::vector<std::optional<std::uint8_t>> unknown(record.claims.size());
  for (Contribution& one : judge_scores(record.facts, record.claims.size(), record.ratings, unknown)) {
    if (one.metric == metric) return std::move(one);
  }
  return {};
}

// One side of a net: a rate's contributions, and whose they are.
struct Side {
  std::vector<std::pair<Contribution, std::uint64_t>> records;
  std::int64_t n = 0, failed = 0, missing = 0, not_applicable = 0;

  Side(const std::vector<AttackedRecord>& attacked, MetricId metric) {
    for (const AttackedRecord& one : attacked) {
      records.emplace_back(rate_of(one, metric), one.unit);
      const State state = records.back().first.state;
      (state == State::kValue     ? n
       : state == State::kFailed  ? failed
       : state == State::kMissing ? missing
                                  : not_applicable) += 1;
    }
  }

  // All are scaled by how many records have claims: the mean is a whole number then.
  [[nodiscard]] std::vector<Units> units(Lost lost, Claims claims = Claims::kMean) const {
    std::int64_t known = 0, all = 0, most = 0;
    for (const auto& [one, unit] : records) {
      if (one.state == State::kNotApplicable || one.den == 0) continue;
      ++known;
      all += one.den;
      most = std::max(most, one.den);
    }
    const std::int64_t scale = std::max<std::int64_t>(known, 1);
    const std::int64_t of_unknown = claims == Claims::kMean ? all : most * scale;
    std::vector<Units> units;
    for (const auto& [one, unit] : records) {
      if (one.state == State::kNotApplicable || (is_lost(one) && lost == Lost::kLeftOut)) continue;
      const std::int64_t den = one.den == 0 ? of_unknown : one.den * scale;
      const std::int64_t num = !is_lost(one) ? one.num * scale : lost == Lost::kLeaked ? den : 0;
      if (den > 0) units.push_back({num, den, unit});
    }
    return units;
  }
};

MetricRow net_row(MetricId metric, MetricId rate, const std::vector<AttackedRecord>& attacked,
                  const std::vector<AttackedRecord>& outside) {
  const Side members(attacked, rate), controls(outside, rate);
  MetricRow row;
  row.metric = metric;
  row.n = members.n + controls.n;
  row.failed = members.failed + controls.failed;
  row.missing = members.missing + controls.missing;
  row.not_applicable = members.not_applicable + controls.not_applicable;
  const std::vector<Units> leaked = members.units(Lost::kLeaked), safe = controls.units(Lost::kSafe);
  row.reason = too_few(persons_in(leaked), persons_in(safe));
  if (!row.reason.empty()) return row;
  const auto all = unpaired_net(leaked, safe);
  if (!all) {
    row.reason = "the attack finds all that the controls have";
    return row;
  }
  row.value = all->value;
  row.low = all->interval.low;
  row.high = all->interval.high;
  row.if_leaked =
      unpaired_net_value(members.units(Lost::kLeaked, Claims::kMost), controls.units(Lost::kSafe, Claims::kMost));
  row.if_private =
      unpaired_net_value(members.units(Lost::kSafe, Claims::kMost), controls.units(Lost::kLeaked, Claims::kMost));
  const auto known = unpaired_net(members.units(Lost::kLeftOut), controls.units(Lost::kLeftOut));
  if (!known) return row;
  row.drop_value = known->value;
  row.drop_low = known->interval.low;
  row.drop_high = known->interval.high;
  return row;
}

// The claim that stands for a person.
struct Guess {
  std::uint64_t draw = 0;
  State state = State::kNotApplicable;
  bool success = false;
};

// Of the claim at `place`.
Guess guess_of(const AttackedRecord& record, std::size_t place) {
  Guess guess{hash_of(numbers::kBootstrapSeed, record.key, record.claims[place])};
  const std::optional<std::uint8_t> rating =
      record.facts.linked && place < record.ratings.size() ? record.ratings[place] : std::optional<std::uint8_t>(3);
  guess.state = record.facts.failed         ? State::kFailed
                : !record.facts.has_claims  ? State::kMissing
                : rating                    ? State::kValue
                : record.facts.judge_failed ? State::kFailed
                                            : State::kMissing;
  guess.success = guess.state == State::kValue && *rating == 1;
  return guess;
}

struct Guesses {
  std::int64_t n = 0, failed = 0, missing = 0, not_applicable = 0, successes = 0;

  explicit Guesses(const std::vector<AttackedRecord>& records) {
    std::map<std::uint64_t, Guess> persons;
    for (const AttackedRecord& record : records) {
      Guess& best = persons[record.unit];
      const bool about_nothing = record.facts.empty_original || record.facts.all_known;
      if (about_nothing) continue;
      // Of a record without claims nobody knows what there was to guess: it counts where the person has no other.
      if (record.claims.empty() && record.facts.no_claims && best.state == State::kNotApplicable) {
        best = {~std::uint64_t{0}, record.facts.failed ? State::kFailed : State::kMissing, false};
      }
      for (std::size_t place = 0; place < record.claims.size(); ++place) {
        const Guess guess = guess_of(record, place);
        if (best.state == State::kNotApplicable || guess.draw < best.draw) best = guess;
      }
    }
    for (const auto& [unit, guess] : persons) {
      (guess.state == State::kValue     ? n
       : guess.state == State::kFailed  ? failed
       : guess.state == State::kMissing ? missing
                                        : not_applicable) += 1;
      successes += guess.success ? 1 : 0;
    }
  }

  [[nodiscard]] std::int64_t lost() const { return failed + missing; }
  [[nodiscard]] Successes with(Lost what) const {
    if (what == Lost::kLeftOut) return {successes, n};
    return {successes + (what == Lost::kLeaked ? lost() : 0), n + lost()};
  }
};

MetricRow risk_row(const std::vector<AttackedRecord>& attacked, const std::vector<AttackedRecord>& outside) {
  const Guesses members(attacked), controls(outside);
  MetricRow row;
  row.metric = MetricId::kAnonymeterRisk;
  row.n = members.n + controls.n;
  row.failed = members.failed + controls.failed;
  row.missing = members.missing + controls.missing;
  row.not_applicable = members.not_applicable + controls.not_applicable;
  row.reason = too_few(static_cast<std::size_t>(members.n + members.lost()),
                       static_cast<std::size_t>(controls.n + controls.lost()));
  if (!row.reason.empty()) return row;
  const ResidualRisk all = residual_risk(members.with(Lost::kLeaked), controls.with(Lost::kSafe));
  row.value = row.if_leaked = all.value;
  row.low = all.interval.low;
  row.high = all.interval.high;
  row.if_private = residual_risk(members.with(Lost::kSafe), controls.with(Lost::kLeaked)).value;
  if (members.n == 0 || controls.n == 0) return row;
  const ResidualRisk known = residual_risk(members.with(Lost::kLeftOut), controls.with(Lost::kLeftOut));
  row.drop_value = known.value;
  row.drop_low = known.interval.low;
  row.drop_high = known.interval.high;
  return row;
}

// Members and controls as the records of one dataset, of which only the members have texts in the run, and claims that
// votes could go to. So every linker attacks the controls as it attacks anybody.
struct Together {
  DatasetView dataset;
  RunView run;
  AuxiliaryView known;  // of the controls alone

  explicit Together(const OutsideAttack& attack) : dataset(attack.released), run(attack.run) {
    const std::size_t members = dataset.records.size();
    known.id = attack.control_auxiliary.id;
    known.everything = attack.control_auxiliary.everything;
    known.known.resize(members);
    for (std::size_t i = 0; i < attack.control.records.size(); ++i) {
      dataset.position[attack.control.records[i].id] = dataset.records.size();
      dataset.records.push_back(attack.control.records[i]);
      dataset.claims.emplace_back();
      known.known.push_back(attack.control_auxiliary.known[i]);
    }
    dataset.requests.insert(attack.control.requests.begin(), attack.control.requests.end());
    if (run.aligned()) run.variants.resize(dataset.records.size());
  }

  // Once the links are there.
  void add_claims(const DatasetView& control) {
    std::ranges::copy(control.claims, dataset.claims.end() - static_cast<std::ptrdiff_t>(control.claims.size()));
  }
};

// A record under attack, and the text that was found.
struct Looked {
  AttackedRecord record;
  std::vector<ClaimView> judged;
  TextId passage;  // 0: nothing, or the empty text
};

Looked look(const DatasetView& dataset, const RunView& run, const AuxiliaryView& auxiliary, const LinkView& link,
            std::size_t i) {
  Looked one;
  one.record.key = dataset.records[i].key;
  one.record.unit = dataset.records[i].unit;
  one.record.facts = attacked_case(dataset, run, auxiliary, link, i);
  one.judged = claims_outside(dataset.claims[i], auxiliary.known[i].claims);
  for (const ClaimView& claim : one.judged) one.record.claims.push_back(claim.n);
  if (!one.record.facts.linked) return one;
  const auto found = linked_variant(dataset, run, link.linked);
  if (!found) throw changed_meanwhile();
  one.passage = found->text;
  return one;
}

std::vector<Pair> pairs_of(const std::vector<Looked>& all) {
  std::vector<Pair> pairs;
  for (const Looked& one : all) {
    const RecordCase& facts = one.record.facts;
    if (one.passage.value == 0 || facts.failed || facts.empty_original || !facts.has_claims) continue;
    for (const ClaimView& claim : one.judged) pairs.push_back({one.passage, claim.text, claim.request});
  }
  return pairs;
}

std::vector<AttackedRecord> rated(std::vector<Looked>& all, const RatingMap& ratings, const Judge& judge) {
  std::vector<AttackedRecord> records;
  for (Looked& one : all) {
    one.record.facts.judge_failed = judge.answers();
    for (const ClaimView& claim : one.judged) {
      std::optional<std::uint8_t> rating;
      if (one.passage.value == 0) {
        rating = 3;  // an empty text supports nothing
      } else if (const auto found = ratings.find({one.passage, claim.text, claim.request}); found != ratings.end()) {
        rating = found->second;
      }
      one.record.ratings.push_back(rating);
    }
    records.push_back(std::move(one.record));
  }
  return records;
}

}  // namespace

std::vector<MetricRow> outside_rows(const std::vector<AttackedRecord>& members,
                                    const std::vector<AttackedRecord>& controls) {
  return {risk_row(members, controls), net_row(MetricId::kLeakRateNetOutside, MetricId::kLeakRate, members, controls),
          net_row(MetricId::kFullLeakRateNetOutside, MetricId::kFullLeakRate, members, controls)};
}

OutsideRated attack_outside(const OutsideAttack& attack, const Judge& judge, JudgeId judge_id,
                            const ProgressFunction& checkpoint) {
  Together together(attack);
  const std::size_t members = attack.released.records.size();
  const std::vector<LinkView> links =
      compute_links(attack.store, together.dataset, {&together.run}, together.known, attack.protocol, checkpoint);
  together.add_claims(attack.control);
  std::vector<Looked> inside, outside;
  for (std::size_t i = 0; i < members; ++i) {
    if (!attack.sampled.empty() && !attack.sampled[i]) continue;
    inside.push_back(look(attack.released, attack.run, attack.auxiliary, attack.links[i], i));
    if (!attack.unreadable.empty() && attack.unreadable[i]) inside.back().record.facts.failed = true;
  }
  for (std::size_t i = members; i < together.dataset.records.size(); ++i) {
    outside.push_back(look(together.dataset, together.run, together.known, links[i], i));
    if (together.run.aligned()) outside.back().record.facts.failed = false;  // it has no text to lose
  }
  std::vector<Pair> theirs = pairs_of(outside);
  sort_unique(theirs);
  OutsideRated result;
  const RatingMap of_controls =
      rate_pairs(attack.store, judge, judge_id, theirs, result.rated, together.dataset.requests);
  result.known = of_controls.size() > result.rated ? of_controls.size() - result.rated : 0;
  std::vector<Pair> own = pairs_of(inside);
  sort_unique(own);
  const RatingMap of_members = known_ratings(attack.store.db(), judge_id, own);
  result.rows = outside_rows(rated(inside, of_members, judge), rated(outside, of_controls, judge));
  return result;
}

}  // namespace residue::query
