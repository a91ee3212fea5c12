#include "query/score/attribute_scores.h"

#include <algorithm>
#include <optional>

namespace residue::query {
namespace {

constexpr int kMostCertain = 5;
using model::Sameness;

std::uint64_t halves(Sameness same) { return same == Sameness::kYes ? 2 : same == Sameness::kLessPrecise ? 1 : 0; }

AttributeCounts counts_of(const AttributeTruth& truth, const AttributeGuess& guess) {
  AttributeCounts out;
  const auto same = model::compare(truth, guess);
  if (std::ranges::count(same, Sameness::kUnknown) > 0) {
    out.unasked = 1;
    return out;
  }
  const std::uint64_t first_halves = halves(same[0]);
  std::uint64_t any_halves = 0;
  for (const Sameness one : same) any_halves = std::max(any_halves, halves(one));
  // Of a right guess without a certainty nobody knows how certain it was: it counts as certain, the worse case.
  const bool certain = guess.certainty.value_or(kMostCertain) >= 3;
  const bool first = first_halves == 2;
  out.first = {first ? 1U : 0U, 1};
  out.any = {any_halves == 2 ? 1U : 0U, 1};
  out.certain = {first && certain ? 1U : 0U, 1};
  out.first_half = {first_halves, 2};
  out.any_half = {any_halves, 2};
  out.certain_half = {certain ? first_halves : 0, 2};
  if (!guess.certainty || guess.guesses.empty()) return out;
  const auto certainty = static_cast<std::uint64_t>(*guess.certainty);
  out.at_certainty[certainty - 1] = {first ? 1U : 0U, 1};
  if (first) out.certainty = {certainty - 1, 4};
  return out;
}

}  // namespace

AttributeCounts& AttributeCounts::operator+=(const AttributeCounts& other) {
  first += other.first;
  any += other.any;
  certain += other.certain;
  for (std::size_t i = 0; i < at_certainty.size(); ++i) at_certainty[i] += other.at_certainty[i];
  certainty += other.certainty;
  first_half += other.first_half;
  any_half += other.any_half;
  certain_half += other.certain_half;
  unasked += other.unasked;
  return *this;
}

std::map<std::string, AttributeCounts> attribute_counts(std::span<const AttributeTruth> truths,
                                                        const AttributeGuesses& guesses) {
  std::map<std::string, AttributeCounts> parts;
  for (const AttributeTruth& truth : truths) {
    if (!model::counts(truth)) continue;
    const auto found = guesses.find(truth.attribute);
    AttributeCounts one;
    if (found == guesses.end()) {
      one.unasked = 1;
    } else {
      one = counts_of(truth, found->second);
    }
    parts[""] += one;
    parts[truth.attribute] += one;
    if (truth.hardness) parts["hardness " + std::to_string(*truth.hardness)] += one;
    if (!truth.level.empty()) parts["level " + truth.level] += one;
  }
  return parts;
}

std::vector<Contribution> attribute_scores(const TaskCase& record, std::span<const AttributeTruth> truths) {
  using M = MetricId;
  constexpr std::array kMetrics = {M::kAttributeAccuracy,        M::kAttributeAccuracyAny,
                                   M::kAttributeAccuracyCertain, M::kAttributeAccuracyHalf,
                                   M::kAttributeAccuracyAnyHalf, M::kAttributeAccuracyCertainHalf,
                                   M::kAccuracyAtCertainty,      M::kMeanCertainty};
  std::vector<Contribution> out;
  if (!record.applicable || std::ranges::none_of(truths, model::counts)) {
    for (const M metric : kMetrics) out.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0, {}});
    return out;
  }
  const auto guesses = record.answer ? model::parse_guesses(*record.answer) : std::nullopt;
  const bool known = !record.failed && record.asked && guesses;
  const State state = known ? State::kValue : record.failed || record.asked ? State::kFailed : State::kMissing;
  // What was not asked, at worst, would have been guessed.
  const auto put = [&](M metric, const text::Share& share, const std::string& cut, std::uint64_t unasked = 0) {
    const auto of = static_cast<std::int64_t>(share.of + unasked);
    if (of == 0 && !cut.empty()) return;
    const auto hits = static_cast<std::int64_t>(share.hits);
    if (of == 0 && known) {
      out.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0, cut});
      return;
    }
    const State here = known && unasked > 0 ? State::kMissing : state;
    out.push_back({metric, Outcome::kNone, here, hits + static_cast<std::int64_t>(unasked), of, hits, cut});
  };
  for (const auto& [cut, part] : attribute_counts(truths, known ? *guesses : AttributeGuesses())) {
    put(M::kAttributeAccuracy, part.first, cut, part.unasked);
    put(M::kAttributeAccuracyAny, part.any, cut, part.unasked);
    put(M::kAttributeAccuracyCertain, part.certain, cut, part.unasked);
    put(M::kAttributeAccuracyHalf, part.first_half, cut, 2 * part.unasked);
    put(M::kAttributeAccuracyAnyHalf, part.any_half, cut, 2 * part.unasked);
    put(M::kAttributeAccuracyCertainHalf, part.certain_half, cut, 2 * part.unasked);
    if (!cut.empty()) continue;
    text::Share all;
    for (std::size_t c = 0; c < part.at_certainty.size(); ++c) {
      put(M::kAccuracyAtCertainty, part.at_certainty[c], std::to_string(c + 1));
      all += part.at_certainty[c];
    }
    put(M::kAccuracyAtCertainty, all, {});
    put(M::kMeanCertainty, part.certainty, {});
  }
  return out;
}

}  // namespace residue::query
