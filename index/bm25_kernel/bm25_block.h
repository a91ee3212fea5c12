// A block of documents as the BM25 kernel sees it: by term for bounds, by document for exact scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/bm25_kernel/bm25_kernel.h"
#include "index/bm25_kernel/bm25_rows.h"

namespace residue::index {

// A term frequency that does not fit into a byte.
struct LargeTf {
  std::uint32_t rank;
  std::uint32_t term;
  std::uint32_t tf;
};

// What a query says about its terms. Scores documents by looking each of their terms up.
class QueryTerms {
 public:
  // `weights`: idf * wqf, in the order of the terms, which are distinct and ascending.
  void set(std::span<const std::uint32_t> terms, std::span<const double> weights);

  // The weight of a term, nothing (null) if the query does not have it.
  [[nodiscard]] const double* find(std::uint32_t term) const {
    for (std::size_t at = term & mask_; slots_[at] != 0; at = (at + 1) & mask_) {
      if (terms_[slots_[at] - 1] == term) return &weights_[slots_[at] - 1];
    }
    return nullptr;
  }

 private:
  std::vector<std::uint32_t> slots_;  // index into terms_ plus one; a power of two of them
  std::size_t mask_ = 0;
  std::span<const std::uint32_t> terms_;
  std::span<const double> weights_;
};

class Block {
 public:
  // Documents of ranks first to first + documents - 1.
  Block(std::uint32_t first, std::uint32_t documents);

  // Building: the postings of each term, one after another; a tf of 255 says "see the large ones".
  void reserve(std::size_t postings);
  void add(std::uint32_t rank, std::uint8_t tf) {
    documents_.push_back(static_cast<std::uint16_t>(rank - first_));
    impacts_.push_back(tf);
  }
  void end_term() { ends_.push_back(static_cast<std::uint32_t>(documents_.size())); }

  // Ends building: `large` ascending by rank, then term; `norms` by rank; `row_terms`: those that get a row.
  void finish(std::span<const LargeTf> large, std::span<const double> norms, std::span<const std::uint32_t> row_terms);

  [[nodiscard]] std::uint32_t first() const { return first_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  // The documents rounded up to whole chunks.
  [[nodiscard]] std::size_t width() const { return width_; }

  // A term's documents (from 0 in this block) and their impacts: 255 * bm25_saturation, rounded up.
  struct List {
    const std::uint16_t* documents;
    const std::uint8_t* impacts;
    std::size_t size;
  };
  [[nodiscard]] List list(std::uint32_t term) const {
    const std::uint32_t begin = term == 0 ? 0 : ends_[term - 1];
    return {documents_.data() + begin, impacts_.data() + begin, ends_[term] - begin};
  }

  // Impacts of all documents of the block for row_terms[row].
  [[nodiscard]] const std::uint8_t* row(std::size_t row) const { return rows_.data() + row * width_; }

  // The same for chunks: the largest impact in each, and zeros up to maxima_width().
  [[nodiscard]] const std::uint8_t* row_maxima(std::size_t row) const {
    return row_maxima_.data() + row * maxima_width_;
  }
  [[nodiscard]] std::size_t maxima_width() const { return maxima_width_; }

  // The exact score of a document, as bm25.h defines it.
  [[nodiscard]] double score(const QueryTerms& query, std::uint32_t document) const;

  // Replaces `out` by the document's terms, ascending.
  void read(std::uint32_t document, std::vector<DocumentTerm>& out) const;

 private:
  void order_by_document();
  [[nodiscard]] std::uint32_t exact_tf(std::uint32_t document, std::uint32_t term) const;

  std::uint32_t first_, size_;
  std::size_t width_, maxima_width_;
  std::span<const double> norms_;
  std::span<const LargeTf> large_;
  std::vector<std::uint32_t> ends_;  // by term
  std::vector<std::uint16_t> documents_;
  std::vector<std::uint8_t> impacts_;  // while building: term frequencies
  Aligned<std::uint8_t> rows_, row_maxima_;
  std::vector<std::uint32_t> document_ends_;
  std::vector<std::uint32_t> terms_;  // of each document, ascending
  std::vector<std::uint8_t> tfs_;
};

}  // namespace residue::index
