// ROUGE-L linking: the text with the longest common subsequence with the query, relative to their lengths; exact.
//
//   queries ── stemmed tokens ─┬─ 64 at once, one per lane, through every text ─────────┬─> subsequences ──> hits
//                              └─ bounds for 512 texts at once, then those that can win ┘
//
// The linkers `rouge-l` and `rouge-l-recall`. The query is the reference and the text the hypothesis; scores are
// the doubles of text/rouge.h's prf: recall is the share of the query that the text has, F its harmonic mean with the
// share of the text that the query has. Both ways give the same hits; which is faster depends on how similar the texts
// are, and is found out while searching. No shared token: no hit.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"
#include "index/rouge/rouge_best.h"
#include "index/rouge/rouge_corpus.h"
#include "index/rouge/rouge_simd.h"
#include "text/measures/rouge.h"

namespace residue::index {

class RougeLinker final : public Linker {
 public:
  enum class Way { kAutomatic, kEveryPair, kBounds };

  // How to search; hits do not depend on it. kBounds does not apply to queries of more than kMaxCounted tokens.
  struct Options {
    RougeSimd simd = RougeSimd::kAutomatic;
    Way way = Way::kAutomatic;
  };

  // The texts are read during the call only. Each candidate has at most one text, and is in the table: Error{internal}
  // otherwise. Error{usage} if this machine lacks the instruction set asked for. Cost: tokenizing, about 2 us a text,
  // in one thread. Memory: see rouge_corpus.h; some 500 bytes a text of 110 tokens, and as much again while building.
  RougeLinker(CandidateTable candidates, std::span<const RougeText> texts, RougeScore score)
      : RougeLinker(std::move(candidates), texts, score, Options()) {}
  RougeLinker(CandidateTable candidates, std::span<const RougeText> texts, RougeScore score, Options options);
  ~RougeLinker() override;

  // Parallel over the queries, in the caller's TBB arena. Cost: 2 to 5 ns of AVX-512 a pair at worst. Memory: 24 bytes
  // a hit, some 500 a query; 13 bytes a thread for each token of the vocabulary.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

  // What top() does first; benchmarks take its time off.
  std::vector<RougeQuery> tokenize(std::span<const Query> queries) const;

  // What a score is made of: the subsequence and both lengths. Nothing if the candidate has no text with a token.
  std::optional<text::Overlap> explain(std::string_view query, CandidateId candidate) const;

  // The position of a candidate among all hits, from 1; nothing if it shares no token. Cost: every text is looked at.
  std::optional<std::size_t> rank_of(std::string_view query, CandidateId candidate) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::index
