// The BM25 batch kernel: exact best k of all documents for many queries, without looking at most postings twice.
//
//   postings ── by blocks of documents ──> rows of one-byte impacts (frequent terms), lists (the rest), documents'
//   terms query ──> bounds of all scores in 16-bit integers ──> the few documents above the k-th best ──> exact scores
//
// A bound is never below the score, so what stays below the k-th best exact score cannot be a hit; what does not is
// scored in doubles, in the order of bm25.h. The idea is MaxScore's (Turtle and Flood 1995) with rows for the frequent
// terms; the results are those of the definition to the last bit (Bm25Oracle, tests/index/bm25_kernel_test.cc).
//
// Memory: 8 bytes per posting (distinct term of a document), at most 520 per document, 24 per term and 4 per term and
// block, and per thread 3 per document of a block; a million texts of 105 words take about 1 GB. Building takes 8 bytes
// more for each of some 4 million postings at a time.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/simd.h"
#include "index/bm25.h"
#include "index/linker.h"
#include "index/top_list.h"

namespace residue::index {

// One document of a term, by rank (index/candidates.h).
struct Posting {
  std::uint32_t rank;
  std::uint32_t tf;
};

// Terms are numbers from 0 in ascending byte order.
class PostingSource {
 public:
  virtual ~PostingSource() = default;
  [[nodiscard]] virtual std::size_t terms() const = 0;
  [[nodiscard]] virtual std::uint32_t containing(std::uint32_t term) const = 0;
  // Replaces `out` by the term's postings, in any order. Called from several threads.
  virtual void read(std::uint32_t term, std::vector<Posting>& out) const = 0;
};

struct KernelOptions {
  Simd simd = best_simd();
  std::uint32_t block = 65'536;  // documents, 64 to 65,536 and a multiple of 64: for tests
  std::uint32_t row_share = 20;  // terms in more than 1 / row_share of all documents have a row
};

struct KernelTerm {
  std::uint32_t term;
  std::uint32_t wqf;  // occurrences in the query
};

// One term of a document.
struct DocumentTerm {
  std::uint32_t term;
  std::uint32_t tf;
};

class QueryTerms;  // index/bm25_block.h

struct KernelQuery {
  static constexpr std::uint32_t kNoHint = ~std::uint32_t{0};

  std::span<const KernelTerm> terms;  // distinct, ascending
  std::uint32_t hint = kNoHint;       // a document that may score high: decides how fast, never what
};

// The bounds assume that a saturation is at most 1.
inline bool kernel_allows(const Bm25Options& options) {
  return options.k1 >= 0 && std::isfinite(options.k1) && options.b >= 0 && options.b <= 1;
}

class Bm25Kernel {
 public:
  // Reads all of `source`. `norms`: bm25_norm by rank, with options that kernel_allows(); `documents`: N of the
  // definition. Parallel over terms and blocks. Throws Error{internal} if a block has more than 2^30 postings.
  Bm25Kernel(const PostingSource& source, std::span<const double> norms, std::uint64_t documents,
             KernelOptions options = {});
  ~Bm25Kernel();

  // The best `k` of each query; parallel over the queries, in the caller's TBB arena.
  [[nodiscard]] std::vector<std::vector<RankedHit>> top(std::span<const KernelQuery> queries, std::size_t k) const;

  // Where the document that a query hints at stands among all documents, with or without terms. All postings of the
  // query's terms are added up, whatever the scores: cost is theirs, and a look at each document. Memory: 10 bytes for
  // each posting of a block. Parallel as top().
  [[nodiscard]] std::vector<Place> places(std::span<const KernelQuery> queries) const;

  [[nodiscard]] std::span<const double> norms() const;
  [[nodiscard]] std::size_t terms() const;
  [[nodiscard]] double idf(std::uint32_t term) const;
  [[nodiscard]] std::uint64_t containing(std::uint32_t term) const;
  // At least the saturation of the term in any document; 0: none has it.
  [[nodiscard]] double most(std::uint32_t term) const;

  // Replaces `out` by the document's terms, ascending.
  void read(std::uint32_t rank, std::vector<DocumentTerm>& out) const;

  // The exact score of one document.
  [[nodiscard]] double score(const QueryTerms& query, std::uint32_t rank) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::index
