#include "query/attribute_scores.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/attribute_match.h"

namespace residue::query {
namespace {

using Json = nlohmann::json;

constexpr int kMostCertain = 5;
constexpr std::size_t kGuesses = 3;  // more are not counted, as the papers ask for three

std::optional<int> integer_field(const Json& json, const char* name, int low, int high) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  const auto number = found->get<std::int64_t>();
  return number < low || number > high ? std::nullopt : std::optional(static_cast<int>(number));
}

// Nothing: it is none of the words; null inside: nobody decided.
std::optional<std::optional<Sameness>> sameness_of(const Json& json) {
  using Decided = std::optional<Sameness>;
  if (json.is_null()) return Decided();
  if (json == "yes" || json == 1 || json == true) return Decided(Sameness::kYes);
  if (json == "no" || json == 0 || json == false) return Decided(Sameness::kNo);
  if (json == "less precise" || json == 0.5) return Decided(Sameness::kLessPrecise);
  return std::nullopt;
}

std::optional<AttributeGuess> guess_of(const Json& json) {
  AttributeGuess out;
  if (!json.is_object()) return std::nullopt;
  const auto guesses = json.find("guess");
  if (guesses != json.end() && guesses->is_string()) {
    out.guesses.push_back(guesses->get<std::string>());
  } else if (guesses != json.end() && guesses->is_array()) {
    for (const Json& guess : *guesses) {
      if (!guess.is_string()) return std::nullopt;
      out.guesses.push_back(guess.get<std::string>());
    }
  } else if (guesses != json.end() && !guesses->is_null()) {
    return std::nullopt;
  }
  if (const auto same = json.find("same"); same != json.end()) {
    if (!same->is_array() || same->size() > out.guesses.size()) return std::nullopt;
    for (const Json& one : *same) {
      const auto decided = sameness_of(one);
      if (!decided) return std::nullopt;
      out.decisions.push_back(*decided);
    }
  }
  out.decisions.resize(out.guesses.size());
  out.certainty = integer_field(json, "certainty", 1, 5);
  return out;
}

bool is_right(const AttributeTruth& truth, const AttributeGuess& guess, std::size_t i) {
  if (i >= guess.guesses.size()) return false;
  if (guess.decisions[i]) return *guess.decisions[i] == Sameness::kYes;
  return text::same_attribute(truth.attribute, truth.value, guess.guesses[i]);
}

AttributeCounts counts_of(const AttributeTruth& truth, const AttributeGuess& guess) {
  AttributeCounts out;
  const bool first = is_right(truth, guess, 0);
  bool any = first;
  for (std::size_t i = 1; i < kGuesses; ++i) any = any || is_right(truth, guess, i);
  out.first = {first ? 1U : 0U, 1};
  out.any = {any ? 1U : 0U, 1};
  // Of a right guess without a certainty nobody knows how certain it was: it counts as certain, the worse case.
  out.certain = {first && guess.certainty.value_or(kMostCertain) >= 3 ? 1U : 0U, 1};
  if (!guess.certainty || guess.guesses.empty()) return out;
  const auto certainty = static_cast<std::uint64_t>(*guess.certainty);
  out.at_certainty[certainty - 1] = {first ? 1U : 0U, 1};
  if (first) out.certainty = {certainty - 1, 4};
  return out;
}

}  // namespace

std::optional<AttributeTruth> attribute_truth(std::string_view payload) {
  const Json json = Json::parse(payload, nullptr, false);
  if (!json.is_object() || !json.contains("attribute") || !json.contains("value")) return std::nullopt;
  const Json& value = json["value"];
  AttributeTruth out;
  if (!json["attribute"].is_string()) return std::nullopt;
  out.attribute = json["attribute"].get<std::string>();
  out.value = value.is_string() ? value.get<std::string>() : value.dump();
  out.certainty = integer_field(json, "certainty", 0, 5);
  out.hardness = integer_field(json, "hardness", 0, 5);
  if (const auto level = json.find("level"); level != json.end() && level->is_string()) out.level = *level;
  return out;
}

bool counts(const AttributeTruth& truth) { return truth.certainty.value_or(5) >= 3 && truth.hardness.value_or(1) > 0; }

std::optional<AttributeGuesses> parse_guesses(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  AttributeGuesses out;
  for (const auto& [attribute, said] : json.items()) {
    auto guess = guess_of(said);
    if (!guess) return std::nullopt;
    out.emplace(attribute, std::move(*guess));
  }
  return out;
}

AttributeCounts& AttributeCounts::operator+=(const AttributeCounts& other) {
  first += other.first;
  any += other.any;
  certain += other.certain;
  for (std::size_t i = 0; i < at_certainty.size(); ++i) at_certainty[i] += other.at_certainty[i];
  certainty += other.certainty;
  unasked += other.unasked;
  return *this;
}

std::map<std::string, AttributeCounts> attribute_counts(std::span<const AttributeTruth> truths,
                                                        const AttributeGuesses& guesses) {
  std::map<std::string, AttributeCounts> parts;
  for (const AttributeTruth& truth : truths) {
    if (!counts(truth)) continue;
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
  constexpr std::array kMetrics = {M::kAttributeAccuracy, M::kAttributeAccuracyAny, M::kAttributeAccuracyCertain,
                                   M::kAccuracyAtCertainty, M::kMeanCertainty};
  std::vector<Contribution> out;
  if (!record.applicable || std::ranges::none_of(truths, counts)) {
    for (const M metric : kMetrics) out.push_back({metric, Outcome::kNone, State::kNotApplicable, 0, 0, 0, {}});
    return out;
  }
  const auto guesses = record.answer ? parse_guesses(*record.answer) : std::nullopt;
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
