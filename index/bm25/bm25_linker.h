// BM25 over a run's segments: exact, explainable, the same bits on any number of segments and threads.
//
//   queries ── Analyzer ──> terms ─┬─ many: the kernel, over all postings in memory ──────┬─> exact scores ──> hits
//                                  ├─ few: their postings, read once for the call ────────┤
//                                  └─ for comparison: Xapian's matcher, query by query ───┘
//
// FSP section 2 (its retriever is Lucene's BM25). Every way gives the same hits; bench/link_bench compares their cost.
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
#include "index/bm25_kernel/bm25_kernel.h"
#include "index/candidates.h"
#include "index/linker.h"
#include "index/relinker.h"

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
  // kAutomatic: the kernel once a call brings so many queries that building it pays, postings before that.
  enum class Way { kAutomatic, kMatcher, kPostings, kKernel };

  // `segments` together hold each candidate at most once (Error{corrupt} otherwise, and for a candidate that is not in
  // the table). The files must stay until the linker is gone; the analyzer, the one they were built with, must outlive
  // it. They are not verified: see verify_segment. Cost: reads the list of documents, about 0.7 us each.
  Bm25Linker(std::vector<std::filesystem::path> segments, CandidateTable candidates, const text::Analyzer& analyzer,
             Bm25Options options = {}, Way way = Way::kAutomatic, KernelOptions kernel = {});
  ~Bm25Linker() override;

  // Parallel over the queries, in the caller's TBB arena. A query without a term of the index has no hits. The kernel
  // is built by the first call that uses it and kept: see its header for time and memory. `own` tells it where to look
  // first, which changes the time and nothing else.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

  // From all postings of the queries' terms; builds the kernel as top() does. `candidates`: those of the table.
  std::vector<std::optional<Place>> places(std::span<const Query> queries, std::size_t candidates) const override;

  // Decides queries by what an earlier search of other documents found; builds the kernel. Nothing if there are no
  // documents now. The linker must outlive it. Cost: the kernel's, and analyzing the earlier texts.
  std::unique_ptr<Relinker> relinker(const DocumentChange& change) const;

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
