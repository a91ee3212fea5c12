// The sanitized texts as the ROUGE-L linker reads them: stemmed tokens, shortest text first.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "index/candidates.h"
#include "text/measures/rouge.h"

namespace residue::index {

struct RougeText {
  CandidateId candidate;
  std::string_view text;
};

// A query's tokens. Those that no text has cannot match: they count for the length alone.
struct RougeQuery {
  std::uint32_t length = 0;                                     // tokens in all
  std::vector<std::uint32_t> known;                             // those that some text has, in order
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;  // distinct ones of `known`, and how often, rarest first
};

// Immutable once built, but for the words of queries, which it remembers: any thread may call it.
// Memory: 4 bytes a token, 16 a text, some 60 a distinct word, 4 an occurrence of a rare token; while building another
// 4 a token.
class RougeCorpus {
 public:
  // Throws Error{internal} for a candidate that is not in the table or occurs twice. Empty texts match nothing and are
  // left out. Cost: tokenizing, in one thread.
  RougeCorpus(const Candidates& candidates, std::span<const RougeText> texts);

  [[nodiscard]] std::size_t size() const { return ranks_.size(); }
  [[nodiscard]] std::uint32_t rank(std::size_t i) const { return ranks_[i]; }  // by key, among the candidates
  [[nodiscard]] text::Tokens tokens(std::size_t i) const {
    return text::Tokens(tokens_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  [[nodiscard]] std::uint32_t length(std::size_t i) const {
    return static_cast<std::uint32_t>(offsets_[i + 1] - offsets_[i]);
  }

  // Token numbers are below this; small ones are frequent.
  [[nodiscard]] std::uint32_t vocabulary() const { return vocabulary_; }

  // The texts that have a token; none if it is too frequent to tell much.
  [[nodiscard]] std::span<const std::uint32_t> rare_in(std::uint32_t token) const {
    return std::span(postings_).subspan(posting_offsets_[token], posting_offsets_[token + 1] - posting_offsets_[token]);
  }

  [[nodiscard]] RougeQuery query(std::string_view text) const;

 private:
  void index_rare_tokens();

  mutable std::mutex mutex_;
  mutable text::RougeTokenizer tokenizer_{true};
  std::vector<std::uint32_t> number_of_;  // of the tokenizer's numbers, by frequency
  std::uint32_t vocabulary_ = 0;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> tokens_;
  std::vector<std::uint64_t> posting_offsets_;
  std::vector<std::uint32_t> postings_;
};

}  // namespace residue::index
