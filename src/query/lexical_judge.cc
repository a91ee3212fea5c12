#include "query/lexical_judge.h"

#include <fmt/format.h>
#include <unicode/uvernum.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "query/lexical_weights.h"
#include "query/verbatim.h"
#include "text/support.h"
#include "text/support_words.h"

namespace residue::query {
namespace {

using text::kSupportOne;

// (1 + x/1024)^1024 from products alone: std::exp may differ in its last bit between C libraries, and scores are
// stored.
double exponential(double x) {
  double power = 1.0 + std::clamp(x, -30.0, 30.0) / 1024.0;
  for (int i = 0; i < 10; ++i) power *= power;
  return power;
}

double logistic(std::int64_t points) {
  return 1.0 / (1.0 + exponential(-static_cast<double>(points) / (double{kLexicalWeights.spread} * kSupportOne)));
}

// In points times kSupportOne, so that nothing is rounded.
std::int64_t points_of(const text::SupportFeatures& f) {
  const auto& w = kLexicalWeights;
  return std::int64_t{w.coverage} * f.coverage + std::int64_t{w.window_coverage} * f.window_coverage +
         std::int64_t{w.names} * f.names + std::int64_t{w.numbers} * f.numbers + std::int64_t{w.bigrams} * f.bigrams +
         std::int64_t{w.negation} * f.negation + std::int64_t{w.missing} * f.missing +
         std::int64_t{w.length} * std::min(f.length, w.longest) * kSupportOne;
}

constexpr Rating kCertain{1, 1.0};
constexpr Rating kUnsupported{3, 0.0};

Rating rating_of(const text::SupportFeatures& f) {
  if (f.verbatim) return kCertain;
  if (f.plain) return kUnsupported;
  auto points = points_of(f);
  if (f.names < kSupportOne || f.numbers < kSupportOne) {
    points = std::min(points, std::int64_t{kLexicalWeights.same} * kSupportOne - 1);
    // Most of the rest is said: the name or value is gone or wrong, what it belongs to leaks.
    if (f.rest * 3 >= kSupportOne * kLexicalWeights.rest_thirds && f.negation * 2 < kSupportOne) {
      points = std::max(points, std::int64_t{kLexicalWeights.similar} * kSupportOne);
    }
  }
  const auto above_same = points - std::int64_t{kLexicalWeights.same} * kSupportOne;
  const auto above_similar = points - std::int64_t{kLexicalWeights.similar} * kSupportOne;
  Rating out;
  out.rating = above_same >= 0 ? 1 : above_similar >= 0 ? 2 : 3;
  // The expected support of the ordinal logistic: full counts 1, partial one half.
  out.score = (logistic(above_same) + logistic(above_similar)) / 2;
  return out;
}

std::optional<Rating> rate_pair(const text::SupportPassage& passage, const text::SupportClaim& claim) {
  if (claim.empty()) return rate_verbatim(passage.text(), claim.text());
  return rating_of(text::support_features(passage, claim));
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
  if (!e.number_conflicts.empty()) add("it lacks the numbers " + list(e.number_conflicts));
  if (!e.unsupported.empty()) add("nothing near the evidence matches " + list(e.unsupported));
  if (reasons.empty()) reasons = e.rating == 1 ? ": all words of weight are there" : ": too few of its words are there";
  return out + reasons + ".";
}

}  // namespace

LexicalJudge::LexicalJudge() {
  const auto& w = kLexicalWeights;
  const nlohmann::json spec = {
      {"claims_per_request", 1},
      {"judge", "lexical"},
      {"version", kLexicalVersion},
      {"weights",
       {{"coverage", w.coverage},
        {"window_coverage", w.window_coverage},
        {"names", w.names},
        {"numbers", w.numbers},
        {"bigrams", w.bigrams},
        {"negation", w.negation},
        {"missing", w.missing},
        {"length", w.length},
        {"longest", w.longest},
        {"rest_thirds", w.rest_thirds}}},
      {"thresholds", {w.same, w.similar}},
      {"spread", w.spread},
      {"window", text::kSupportWindow},
      {"words", fmt::format("{:016x}", text::support_words_digest())},
      {"stemmer", "porter-martin"},
      {"icu", U_ICU_VERSION_MAJOR_NUM},
  };
  spec_ = spec.dump();
}

std::vector<std::vector<std::optional<Rating>>> LexicalJudge::rate(std::span<const Request> requests) const {
  thread_local text::SupportPassage passage;
  thread_local text::SupportClaim claim;
  std::vector<std::vector<std::optional<Rating>>> out(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    passage.assign(requests[i].passage);
    out[i].reserve(requests[i].claims.size());
    for (const auto text : requests[i].claims) {
      claim.assign(text);
      out[i].push_back(rate_pair(passage, claim));
    }
  }
  return out;
}

Explanation LexicalJudge::explain(std::string_view passage_text, std::string_view claim_text) const {
  text::SupportPassage passage;
  text::SupportClaim claim;
  passage.assign(passage_text);
  claim.assign(claim_text);
  Explanation out;
  const auto rating = rate_pair(passage, claim).value_or(kUnsupported);
  out.rating = rating.rating;
  out.score = rating.score;
  text::SupportDetail detail;
  const auto f = text::support_features(passage, claim, &detail);
  out.window_begin = detail.window_begin;
  out.window_end = detail.window_end;
  out.unsupported.assign(detail.unsupported.begin(), detail.unsupported.end());
  out.number_conflicts.assign(detail.missing_numbers.begin(), detail.missing_numbers.end());
  out.negation_conflict = !f.verbatim && f.negation * 2 >= kSupportOne;
  const auto real = [](std::int32_t fixed) { return static_cast<double>(fixed) / kSupportOne; };
  out.features = {{"coverage", real(f.coverage)}, {"window_coverage", real(f.window_coverage)},
                  {"names", real(f.names)},       {"numbers", real(f.numbers)},
                  {"bigrams", real(f.bigrams)},   {"negation", real(f.negation)},
                  {"missing", real(f.missing)},   {"length", static_cast<double>(f.length)}};
  out.sentence = sentence_of(out);
  return out;
}

}  // namespace residue::query
