#include "query/score/scores.h"

#include <algorithm>
#include <array>
#include <utility>

namespace residue::query {
namespace {

Contribution value(MetricId metric, std::int64_t num, std::int64_t den = 1) {
  return {metric, Outcome::kNone, State::kValue, num, den, num};
}

Contribution not_applicable(MetricId metric) { return {metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0}; }

// A record whose value is not known: `worst` if everything missing leaked, `best` if nothing did.
Contribution lost(MetricId metric, State state, std::int64_t worst, std::int64_t best, std::int64_t den = 1) {
  return {metric, Outcome::kNone, state, worst, den, best};
}

std::vector<Contribution> with_slice(std::vector<Contribution> contributions, Outcome slice) {
  for (Contribution& c : contributions) {
    if (definition(c.metric).split) c.slice = slice;
  }
  return contributions;
}

constexpr std::array kJudgeMetrics = {
    MetricId::kSemanticDistance, MetricId::kAuxOverlap,  MetricId::kExcessLeakage,     MetricId::kLeakRate,
    MetricId::kFullLeakRate,     MetricId::kExposedRate, MetricId::kDistanceHistogram, MetricId::kInjectionSuspect};
constexpr std::array kRougeMetrics = {MetricId::kRouge1F, MetricId::kRouge2F, MetricId::kRougeLF};
constexpr std::array kBleuMetrics = {MetricId::kBleu1, MetricId::kBleu2, MetricId::kBleu3, MetricId::kBleu4};
constexpr std::array kLexicalMetrics = {MetricId::kLexicalDistanceLinked, MetricId::kLexicalDistanceLinkedRecall,
                                        MetricId::kLexicalDistanceLinkedExclAux};
constexpr std::array kLinkageMetrics = {MetricId::kLinkageRatePerson, MetricId::kLinkageRate, MetricId::kMrr,
                                        MetricId::kHitAt10, MetricId::kMeanRisk};

template <std::size_t N>
std::vector<Contribution> all_not_applicable(const std::array<MetricId, N>& metrics) {
  std::vector<Contribution> out;
  for (const MetricId metric : metrics) out.push_back(not_applicable(metric));
  return out;
}

// Sum of (rating - 1) over the claims, or nothing if a rating is missing.
std::optional<std::int64_t> distance_sum(Ratings ratings) {
  std::int64_t sum = 0;
  for (const auto& rating : ratings) {
    if (!rating) return std::nullopt;
    sum += *rating - 1;
  }
  return sum;
}

std::int64_t count_up_to(Ratings ratings, std::uint8_t limit) {
  std::int64_t count = 0;
  for (const auto& rating : ratings) count += rating && *rating <= limit;
  return count;
}

std::int64_t distance(std::int64_t sum, std::int64_t claims) { return fixed(sum, 2 * claims); }

// The tenth that an exact distance sum / (2 * claims) lies in.
std::int64_t tenth(std::int64_t sum, std::int64_t claims) { return std::min<std::int64_t>(9, 10 * sum / (2 * claims)); }

// Of records whose linked text was judged by somebody who can be led.
Contribution injection(const RecordCase& record) {
  constexpr MetricId kMetric = MetricId::kInjectionSuspect;
  if (record.failed || !record.linked || record.trust == Trust::kUnchecked) return not_applicable(kMetric);
  if (record.trust == Trust::kFailed) return lost(kMetric, State::kFailed, 1, 0);
  return value(kMetric, record.trust == Trust::kSuspect ? 1 : 0);
}

// FSP D.4. Where nothing is linked, nothing occurs. A record without identifiers says nothing, in every run: neither
// where its text was lost.
std::vector<Contribution> pii_scores(const RecordCase& record, const LinkedOverlap& overlap) {
  using M = MetricId;
  const auto score = [&](M metric, const Share& share) {
    if (record.empty_original) return not_applicable(metric);
    const bool looked = record.has_claims && record.attacked;
    if (looked && share.of == 0) return not_applicable(metric);
    if (record.failed) return lost(metric, State::kFailed, 0, kOne);
    if (!looked) return lost(metric, State::kMissing, 0, kOne);
    return value(metric, record.linked ? fixed(share.count, share.of) : kOne);
  };
  // Whose identifiers the reference would look for nobody knows of a lost text.
  const auto reference = [&]() -> Contribution {
    constexpr M kMetric = M::kPiiExistenceReference;
    if (record.failed) return record.empty_original ? not_applicable(kMetric) : lost(kMetric, State::kFailed, 0, kOne);
    if (!record.aligned || (record.linked && !overlap.linked_identifiers)) return not_applicable(kMetric);
    return score(kMetric, overlap.linked_identifiers.value_or(overlap.identifiers));
  };
  return {score(M::kPiiExistence, overlap.identifiers), reference()};
}

std::int64_t one_minus(double similarity) { return kOne - fixed(similarity); }

// Whether they are applicable depends on no run: otherwise the denominators of runs would differ by which texts failed.
std::vector<Contribution> lexical_scores(const RecordCase& record, const LinkedOverlap& overlap) {
  if (record.empty_original || overlap.no_words) return all_not_applicable(kLexicalMetrics);
  const text::Prf whole = text::prf(overlap.whole);
  const text::Prf rest = text::prf(overlap.without_known.value_or(text::Overlap{}));
  const std::array<double, kLexicalMetrics.size()> similar = {whole.f, whole.r, rest.f};
  std::vector<Contribution> out;
  for (std::size_t i = 0; i < kLexicalMetrics.size(); ++i) {
    const MetricId metric = kLexicalMetrics[i];
    if (metric == MetricId::kLexicalDistanceLinkedExclAux && overlap.no_rest) {
      out.push_back(not_applicable(metric));
    } else if (record.failed || overlap.unreadable || !record.has_claims) {
      const bool failed = record.failed || overlap.unreadable;
      out.push_back(lost(metric, failed ? State::kFailed : State::kMissing, 0, kOne));
    } else {
      out.push_back(value(metric, record.linked ? one_minus(similar[i]) : kOne));
    }
  }
  return out;
}

}  // namespace

Outcome outcome(const RecordCase& record) {
  if (!record.attacked || record.failed || record.empty_original) return Outcome::kNone;
  if (!record.linked) return Outcome::kNotLinked;
  if (!record.aligned) return Outcome::kNone;
  return record.linked_own ? Outcome::kRight : Outcome::kWrong;
}

// A record without an auxiliary set was not attacked, which says nothing for the run. `--missing drop` leaves it out,
// as the papers do.
State attacked_state(const RecordCase& record) {
  if (!record.aligned || record.empty_original) return State::kNotApplicable;
  if (record.failed) return State::kFailed;
  return record.attacked ? State::kValue : State::kMissing;
}

State rated_state(const RecordCase& record, Ratings linked) {
  if (record.failed) return State::kFailed;
  if (!record.has_claims) return State::kMissing;
  if (!record.linked || std::find(linked.begin(), linked.end(), std::nullopt) == linked.end()) return State::kValue;
  return record.judge_failed ? State::kFailed : State::kMissing;
}

std::vector<Contribution> judge_scores(const RecordCase& record, std::size_t judged, Ratings linked,
                                       Ratings known_only) {
  using M = MetricId;
  if (record.empty_original || record.all_known) return all_not_applicable(kJudgeMetrics);
  if (judged == 0 && !record.no_claims) return all_not_applicable(kJudgeMetrics);
  if (!record.has_claims) {
    std::vector<Contribution> out;
    const auto units = static_cast<std::int64_t>(judged);
    const State state = record.failed ? State::kFailed : State::kMissing;
    const auto put = [&](M metric, std::int64_t worst, std::int64_t best, std::int64_t den) {
      out.push_back(lost(metric, state, worst, best, den));
    };
    put(M::kSemanticDistance, 0, kOne, 1);
    put(M::kAuxOverlap, 0, kOne, 1);
    put(M::kExcessLeakage, kOne, -kOne, 1);
    put(M::kLeakRate, units, 0, units);
    put(M::kFullLeakRate, units, 0, units);
    put(M::kExposedRate, 1, 0, 1);
    put(M::kDistanceHistogram, 0, 9, 1);
    out.push_back(not_applicable(M::kInjectionSuspect));
    return out;
  }

  const auto claims = static_cast<std::int64_t>(judged);
  std::vector<Contribution> out;
  const State unrated = record.judge_failed ? State::kFailed : State::kMissing;
  const auto known_sum = distance_sum(known_only);
  const std::int64_t overlap = known_sum ? distance(*known_sum, claims) : 0;
  out.push_back(known_sum ? value(M::kAuxOverlap, overlap) : lost(M::kAuxOverlap, unrated, 0, kOne));

  out.push_back(injection(record));

  const std::vector<std::optional<std::uint8_t>> nothing_found(record.linked ? 0 : judged, std::uint8_t{3});
  const Ratings ratings = record.linked ? linked : Ratings(nothing_found);
  const State state = rated_state(record, linked);
  if (state == State::kValue) {
    const auto sum = distance_sum(ratings);
    const std::int64_t semantic = distance(*sum, claims);
    out.push_back(value(M::kSemanticDistance, semantic));
    out.push_back(known_sum ? value(M::kExcessLeakage, overlap - semantic)
                            : lost(M::kExcessLeakage, unrated, kOne - semantic, -semantic));
    out.push_back(value(M::kLeakRate, count_up_to(ratings, 2), claims));
    out.push_back(value(M::kFullLeakRate, count_up_to(ratings, 1), claims));
    out.push_back(value(M::kExposedRate, *sum == 0 ? 1 : 0));
    out.push_back(value(M::kDistanceHistogram, tenth(*sum, claims)));
    return with_slice(std::move(out), outcome(record));
  }
  out.push_back(lost(M::kSemanticDistance, state, 0, kOne));
  out.push_back(known_sum ? lost(M::kExcessLeakage, state, overlap, overlap - kOne)
                          : lost(M::kExcessLeakage, state, kOne, -kOne));
  out.push_back(lost(M::kLeakRate, state, claims, 0, claims));
  out.push_back(lost(M::kFullLeakRate, state, claims, 0, claims));
  out.push_back(lost(M::kExposedRate, state, 1, 0));
  out.push_back(lost(M::kDistanceHistogram, state, 0, 9));
  return with_slice(std::move(out), outcome(record));
}

std::vector<Contribution> link_scores(const RecordCase& record, const LinkedOverlap& overlap, bool by_rouge_l) {
  using M = MetricId;
  std::vector<Contribution> out;
  const State state = attacked_state(record);
  if (state == State::kNotApplicable) {
    out = all_not_applicable(kLinkageMetrics);
  } else if (state != State::kValue) {
    out = {lost(M::kLinkageRatePerson, state, kOne, 0), lost(M::kLinkageRate, state, 1, 0),
           lost(M::kMrr, state, kOne, 0), lost(M::kHitAt10, state, 1, 0), lost(M::kMeanRisk, state, kOne, 0)};
  } else {
    out = {value(M::kLinkageRatePerson, record.linked_person), value(M::kLinkageRate, record.linked_own ? 1 : 0),
           value(M::kMrr, record.rank ? fixed(1, static_cast<std::int64_t>(*record.rank)) : 0),
           value(M::kHitAt10, record.rank ? 1 : 0), value(M::kMeanRisk, record.risk)};
  }

  const bool words = record.attacked && !record.empty_original && overlap.known_bigrams.of > 0;
  out.push_back(words ? value(M::kAuxBigramPrecision, fixed(overlap.known_bigrams.count, overlap.known_bigrams.of))
                      : not_applicable(M::kAuxBigramPrecision));

  for (Contribution& one : pii_scores(record, overlap)) out.push_back(std::move(one));

  std::vector<Contribution> lexical = lexical_scores(record, overlap);
  if (by_rouge_l) {
    const auto linked = std::find_if(lexical.begin(), lexical.end(),
                                     [](const Contribution& c) { return c.metric == M::kLexicalDistanceLinked; });
    lexical.push_back(*linked);
    lexical.back().metric = M::kLexicalDistance;
  }
  out.insert(out.end(), lexical.begin(), lexical.end());
  return with_slice(std::move(out), outcome(record));
}

std::vector<Contribution> text_scores(const RecordCase& record, const AlignedOverlap& overlap) {
  using M = MetricId;
  const bool nothing_to_keep = !record.aligned || record.empty_original;
  const std::array<double, 3> rouge = {text::prf(overlap.rouge1).f, text::prf(overlap.rouge2).f,
                                       text::prf(overlap.rouge_l).f};
  const auto bleu = text::nltk_bleu(overlap.bleu);
  std::vector<Contribution> out;
  // The worst value of a utility is 0.
  const auto put = [&](M metric, bool applicable, std::int64_t num, std::int64_t best) {
    if (!applicable) {
      out.push_back(not_applicable(metric));
    } else {
      out.push_back(record.failed ? lost(metric, State::kFailed, 0, best) : value(metric, num));
    }
  };
  for (std::size_t i = 0; i < rouge.size(); ++i) {
    if (!nothing_to_keep && overlap.unreadable) {
      out.push_back(lost(kRougeMetrics[i], State::kFailed, 0, kOne));
    } else {
      put(kRougeMetrics[i], !nothing_to_keep && !overlap.no_words, fixed(rouge[i]), kOne);
    }
  }
  for (std::size_t i = 0; i < bleu.size(); ++i) put(kBleuMetrics[i], !nothing_to_keep, fixed(bleu[i]), kOne);
  // Of equal texts sacrebleu may come out a rounding error above 100, which is far below a unit.
  put(M::kSacreBleu13a, !nothing_to_keep, fixed(overlap.sacre_bleu / 100), kOne);
  put(M::kSentimentAccuracy, !nothing_to_keep && overlap.sentiment, overlap.same_sentiment ? 1 : 0, 1);
  return out;
}

}  // namespace residue::query
