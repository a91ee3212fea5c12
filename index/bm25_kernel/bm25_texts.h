// BM25 of many queries over texts in memory: no store, no index on disk.
//
//   texts ── TermCounter ──> postings ──> Bm25Kernel <── terms ── queries
//
// The same scores, to the last bit, as those of a linker over the same texts (bm25.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "index/bm25.h"
#include "index/top_list.h"
#include "text/words/analyzer.h"

namespace residue::index {

class Bm25Texts {
 public:
  // The analyzer outlives it; the texts need not. Throws Error{interrupted} where `interrupted`, asked while texts are
  // counted, says so. Cost: one pass over the texts by one thread, then the kernel's.
  Bm25Texts(std::span<const std::string_view> texts, const text::Analyzer& analyzer, Bm25Options options = {},
            const std::function<bool()>& interrupted = {});
  ~Bm25Texts();

  // For each query its best `k` texts by number, score descending, then number ascending. Texts that share no term with
  // the query are no hits. Parallel over the queries, in the caller's TBB arena. One call at a time.
  std::vector<std::vector<RankedHit>> top(std::span<const std::string_view> queries, std::size_t k);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::index
