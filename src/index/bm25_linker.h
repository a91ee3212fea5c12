// BM25 over a run's segments: exact, explainable, the same bits on any number of segments and threads.
//
//   queries ── Analyzer ──> terms ─┬─ postings, read once for all queries ─────┬─> exact scores ──> hits
//                                  └─ Xapian's matcher, for those that can win ┘
//
// FSP section 2 (its retriever is Lucene's BM25). Both ways give the same hits. Reading postings was faster in every
// case measured (bench/index_bench.cc: one query or all, 1,272 and 11,000 texts), so it is what kAutomatic does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bm25.h"
#include "index/candidates.h"
#include "index/linker.h"

namespace residue::text {
class Analyzer;
}

namespace residue::index {

// One query term's share of a score; the shares, summed in ascending byte order of the terms, are the score.
struct TermScore {
  std::string term;
  double score = 0;
  std::uint32_t in_query = 0;      // occurrences
  std::uint32_t in_candidate = 0;  // occurrences
  std::uint64_t documents = 0;     // with this term
};

class Bm25Linker final : public Linker {
 public:
  enum class Way { kAutomatic, kMatcher, kPostings };

  // `segments` together hold each candidate at most once (Error{corrupt} otherwise, and for a candidate that is not in
  // the table). The files must stay until the linker is gone; the analyzer, the one they were built with, must outlive
  // it. They are not verified: see verify_segment. Cost: reads the list of documents, about 1 us each.
  Bm25Linker(std::vector<std::filesystem::path> segments, CandidateTable candidates, const text::Analyzer& analyzer,
             Bm25Options options = {}, Way way = Way::kAutomatic);
  ~Bm25Linker() override;

  // Parallel over the queries, in the caller's TBB arena. A query without a term of the index has no hits.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

  // Why a candidate scores what it does: highest share first, then by term; terms that it lacks are left out.
  // Nothing if the candidate has no document.
  std::optional<std::vector<TermScore>> explain(std::string_view query, CandidateId candidate) const;

  // The position of a candidate among all hits, from 1; nothing if it shares no term.
  std::optional<std::size_t> rank_of(std::string_view query, CandidateId candidate) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::index
