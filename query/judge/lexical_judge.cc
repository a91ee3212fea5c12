#include "query/judge/lexical_judge.h"

#include <fmt/format.h>
#include <unicode/uvernum.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/json.h"
#include "numbers/learn/logistic.h"
#include "query/judge/verbatim.h"
#include "text/characters/scripts.h"
#include "text/encodings/decoded.h"
#include "text/support/support.h"
#include "text/support/support_tokens.h"
#include "text/support/support_words.h"

namespace residue::query {
namespace {

using text::kSupportOne;

constexpr Rating kCertain{1, 1.0};
constexpr Rating kUnsupported{3, 0.0};

// In thousandths of a logit times kSupportOne, so that nothing is rounded.
std::int64_t points_of(const LexicalModel& model, const text::SupportFeatures& f) {
  std::int64_t points = 0;
  const auto values = lexical_features(f);
  for (std::size_t i = 0; i < values.size(); ++i) points += std::int64_t{model.weights[i]} * values[i];
  return points;
}

// The share of what was matched that the passage says otherwise, or of somebody else.
std::int32_t contradiction(const text::SupportFeatures& f) { return std::max(f.negation, f.stranger); }

double above(std::int64_t points, std::int32_t threshold) {
  return static_cast<double>(points - std::int64_t{threshold} * kSupportOne) / (1000.0 * kSupportOne);
}

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string sentence_of(const Explanation& e) {
  static constexpr std::string_view kVerdicts[] = {"Supported", "Partly supported", "Not supported"};
  std::string out(kVerdicts[e.rating - 1]);
  std::string reasons;
  const auto add = [&reasons](const std::string& reason) { reasons += (reasons.empty() ? ": " : "; ") + reason; };
  if (e.negation_conflict) add("the passage says the opposite");
  if (e.stranger_conflict) add("the passage says it of a relative");
  if (!e.rivals.empty()) add("the passage has the opposite of " + list(e.rivals));
  if (!e.contested.empty()) add("the passage has something else in the place of " + list(e.contested));
  if (!e.general.empty()) add("the passage is more general than " + list(e.general));
  if (!e.number_conflicts.empty()) add("it lacks the numbers " + list(e.number_conflicts));
  if (!e.unsupported.empty()) add("nothing near the evidence matches " + list(e.unsupported));
  if (reasons.empty()) reasons = e.rating == 1 ? ": all words of weight are there" : ": too few of its words are there";
  return out + reasons + ".";
}

bool of_one_script(std::string_view passage, std::string_view claim) {
  return text::comparable(text::main_script(claim, text::kClaimLetters),
                          text::main_script(passage, text::kTextLetters));
}

}  // namespace

Rating lexical_rating(const LexicalModel& model, const text::SupportFeatures& f) {
  if (f.verbatim) return kCertain;
  if (f.plain) return kUnsupported;
  auto points = points_of(model, f);
  const auto against = contradiction(f);
  const bool contradicted = against * 2 >= kSupportOne;
  if (contradicted) points += std::int64_t{model.opposite} * against;
  Rating out;
  // The expected support of the ordinal logistic: full counts 1, partial one half.
  out.score = (numbers::logistic(above(points, model.same)) + numbers::logistic(above(points, model.similar))) / 2;
  out.rating = points >= std::int64_t{model.same} * kSupportOne      ? 1
               : points >= std::int64_t{model.similar} * kSupportOne ? 2
                                                                     : 3;
  if (f.coverage * 3 < kSupportOne * model.least_thirds) out.rating = 3;
  const bool identified = f.names == kSupportOne && f.numbers == kSupportOne && !f.opener;
  const bool otherwise = f.rival || f.contested || f.broader;
  const bool whole =
      identified && !otherwise && !(f.lacks && f.length <= model.atomic_words) && against * 4 < kSupportOne;
  if (!whole) out.rating = std::max<std::uint8_t>(out.rating, 2);
  const bool predicate = f.rest * 3 >= kSupportOne * model.rest_thirds;
  const bool generalized = f.general && f.names == kSupportOne && (predicate || !f.lacks);
  if (!contradicted && (((!identified || f.broader) && predicate) || generalized)) {
    out.rating = std::min<std::uint8_t>(out.rating, 2);
  }
  return out;
}

LexicalJudge::LexicalJudge(const LexicalModel& model) : LexicalJudge(nullptr, model) {}

LexicalJudge::LexicalJudge(std::shared_ptr<const Dictionary> dictionary, const LexicalModel& model)
    : model_(model), dictionary_(std::move(dictionary)), name_(dictionary_ ? kLexicalWordNet : "lexical") {
  Json spec = {
      {"claims_per_request", 1},
      {"judge", name_},
      {"model", model_json(model_)},
      {"window", text::kSupportWindow},
      {"words", fmt::format("{:016x}", text::support_words_digest())},
      {"decoding", text::kDecoding},
      {"doubts", fmt::format("{:016x}", text::doubts_digest())},
      {"stemmer", "porter-martin"},
      {"reading", text::kSupportReading},
      {"unseen", "failed"},
      {"icu", U_ICU_VERSION_MAJOR_NUM},
  };
  if (dictionary_) {
    spec["wordnet"] = {{"files", dictionary_->digest},
                       {"levels", text::kConceptLevels},
                       {"senses", text::kConceptSenses},
                       {"values", text::kRelationValues}};
  }
  spec_ = spec.sorted().dump();
}

std::optional<LexicalValidation> LexicalJudge::validation() const {
  if (!dictionary_) return lexical_validation();
  if (lexical_wordnet_validation().wordnet != dictionary_->digest) return std::nullopt;
  return lexical_wordnet_validation();
}

std::optional<Rating> LexicalJudge::rate_pair(const text::SupportPassage& passage,
                                              const text::SupportClaim& claim) const {
  if (claim.empty()) return rate_verbatim(passage.text(), claim.text());
  const Rating rating = lexical_rating(model_, text::support_features(passage, claim));
  // That no word of a claim stands in a text of another script says nothing about what the text says.
  if (rating.rating == 3 && !of_one_script(passage.text(), claim.text())) return std::nullopt;
  return rating;
}

std::array<double, 2> LexicalJudge::thresholds() const {
  const double apart = (model_.same - model_.similar) / 1000.0;
  return {(numbers::logistic(-apart) + 0.5) / 2, (0.5 + numbers::logistic(apart)) / 2};
}

std::vector<std::vector<std::optional<Rating>>> LexicalJudge::rate(std::span<const Request> requests) const {
  thread_local text::SupportPassage passage;
  thread_local text::SupportClaim claim;
  std::string passage_store, claim_store;
  std::vector<std::vector<std::optional<Rating>>> out(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    passage.assign(text::decoded(requests[i].passage, passage_store), wordnet());
    out[i].reserve(requests[i].claims.size());
    for (const auto said : requests[i].claims) {
      claim.assign(text::decoded(said, claim_store), wordnet());
      out[i].push_back(rate_pair(passage, claim));
    }
  }
  return out;
}

Explanation LexicalJudge::explain(std::string_view passage_text, std::string_view claim_text) const {
  text::SupportPassage passage;
  text::SupportClaim claim;
  std::string passage_store, claim_store;
  passage.assign(text::decoded(passage_text, passage_store), wordnet());
  claim.assign(text::decoded(claim_text, claim_store), wordnet());
  Explanation out;
  const auto rated = rate_pair(passage, claim);
  const auto rating = rated.value_or(kUnsupported);
  out.rating = rating.rating;
  out.score = rating.score;
  text::SupportDetail detail;
  const auto f = text::support_features(passage, claim, &detail);
  // Of a text that was encoded all is the evidence.
  const bool as_written = passage_store.empty();
  out.window_begin = as_written ? detail.window_begin : 0;
  out.window_end = as_written || detail.window_end == 0 ? detail.window_end : passage_text.size();
  out.unsupported.assign(detail.unsupported.begin(), detail.unsupported.end());
  out.number_conflicts.assign(detail.missing_numbers.begin(), detail.missing_numbers.end());
  out.general.assign(detail.general.begin(), detail.general.end());
  if (!f.verbatim) out.contested.assign(detail.contested.begin(), detail.contested.end());
  out.rivals.assign(detail.rivals.begin(), detail.rivals.end());
  out.negation_conflict = !f.verbatim && f.negation * 2 >= kSupportOne;
  out.stranger_conflict = !f.verbatim && f.stranger * 2 >= kSupportOne;
  const auto real = [](std::int32_t fixed) { return static_cast<double>(fixed) / kSupportOne; };
  out.features = {{"coverage", real(f.coverage)}, {"window_coverage", real(f.window_coverage)},
                  {"names", real(f.names)},       {"numbers", real(f.numbers)},
                  {"bigrams", real(f.bigrams)},   {"missing", real(f.missing)},
                  {"negation", real(f.negation)}, {"stranger", real(f.stranger)},
                  {"doubt", real(f.doubt)},       {"worst", real(f.worst)},
                  {"rest", real(f.rest)},         {"length", static_cast<double>(f.length)}};
  out.sentence = sentence_of(out);
  if (!rated && !claim.empty()) out.sentence = "Claim and text are written in different scripts: no rating.";
  return out;
}

}  // namespace residue::query
