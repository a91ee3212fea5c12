#include "query/judge/rouge_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/json.h"
#include "query/judge/verbatim.h"
#include "text/encodings/decoded.h"
#include "text/measures/rouge.h"
#include "text/measures/rouge_reads.h"

namespace residue::query {
namespace {

constexpr char kVersion[] = "rouge-l-recall-v3";
constexpr std::uint64_t kSameTenths = 7;
constexpr std::uint64_t kSimilarTenths = 4;

class Matcher {
 public:
  void passage(std::string_view text) {
    tokenizer_.clear_if_large();
    text_ = text::compared(text, passage_store_);
    reads_ = text::rouge_reads(text_);
    tokenizer_.tokens(text_, passage_);
  }

  std::optional<Rating> rate(std::string_view written) {
    const std::string_view claim = text::compared(written, claim_store_);
    claim_.clear();
    const bool reads = reads_ && text::rouge_reads(claim);
    if (reads) tokenizer_.tokens(claim, claim_);
    if (claim_.empty()) {
      const auto rating = rate_verbatim(text_, claim);
      // What stands there as it is has leaked in any script. Of all else in a script that it cannot read it knows
      // nothing.
      if (!reads && rating && rating->rating != 1) return std::nullopt;
      return rating;
    }
    const std::uint64_t common = text::lcs_length(claim_, passage_);
    const std::uint64_t total = claim_.size();
    Rating out;
    out.rating = common * 10 >= total * kSameTenths ? 1 : common * 10 >= total * kSimilarTenths ? 2 : 3;
    out.score = static_cast<double>(common) / static_cast<double>(total);
    return out;
  }

 private:
  text::RougeTokenizer tokenizer_{true};
  std::string passage_store_, claim_store_;  // of what was encoded
  std::string_view text_;
  bool reads_ = true;
  std::vector<std::uint32_t> passage_;
  std::vector<std::uint32_t> claim_;
};

}  // namespace

std::array<double, 2> RougeJudge::thresholds() { return {kSimilarTenths / 10.0, kSameTenths / 10.0}; }

RougeJudge::RougeJudge() {
  const Json spec = {
      {"claims_per_request", 1},
      {"decoding", text::kDecoding},
      {"judge", "rouge"},
      {"stemmer", "porter-nltk"},
      {"thresholds_tenths", {kSameTenths, kSimilarTenths}},
      {"unseen", "failed"},
      {"version", kVersion},
  };
  spec_ = spec.sorted().dump();
}

std::vector<std::vector<std::optional<Rating>>> RougeJudge::rate(std::span<const Request> requests) const {
  thread_local Matcher matcher;
  std::vector<std::vector<std::optional<Rating>>> out(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    matcher.passage(requests[i].passage);
    out[i].reserve(requests[i].claims.size());
    for (const auto claim : requests[i].claims) out[i].push_back(matcher.rate(claim));
  }
  return out;
}

Explanation RougeJudge::explain(std::string_view passage, std::string_view claim) const {
  Matcher matcher;
  matcher.passage(passage);
  const auto rated = matcher.rate(claim);
  const Rating rating = rated.value_or(Rating{3, 0.0});
  Explanation out;
  out.rating = rating.rating;
  out.score = rating.score;
  // A subsequence may be anywhere: the evidence is the passage.
  out.window_end = rating.score > 0 ? passage.size() : 0;
  std::string store;
  auto there = text::rouge_tokens(text::compared(passage, store), true);
  std::sort(there.begin(), there.end());
  for (auto& token : text::rouge_tokens(text::compared(claim, store), true)) {
    if (!std::binary_search(there.begin(), there.end(), token)) out.unsupported.push_back(std::move(token));
  }
  out.features = {{"recall", rating.score}};
  out.sentence = fmt::format("ROUGE-L recall {:.3f}: rating {}.", out.score, out.rating);
  if (!rated) out.sentence = "ROUGE-L cannot read the script of the claim, or of the text: no rating.";
  return out;
}

}  // namespace residue::query
