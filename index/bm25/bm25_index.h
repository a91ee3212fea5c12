// A run's segments, opened: documents by rank, lengths, and postings as Xapian stores them.
// This header shows xapian.h: only files behind the Xapian wall include it (index/xapian_db.h).
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <xapian.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/bm25.h"
#include "index/candidates.h"

namespace residue::index {

class Bm25Index {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Error{corrupt} if a document is of no candidate or of one that another document has. Xapian's exceptions pass.
  // Cost: reads the list of documents, about 0.7 us each.
  Bm25Index(std::vector<std::filesystem::path> files, CandidateTable candidates, Bm25Options options);

  // What one thread needs: Xapian's handles belong to one thread each.
  struct Reader {
    Reader(const std::vector<std::filesystem::path>& files, Bm25Options options);
    Xapian::Database db;
    Xapian::Enquire enquire;
    std::vector<double> sums;  // by rank, all zero between queries
  };
  [[nodiscard]] Reader& reader() const;

  [[nodiscard]] const Candidates& candidates() const { return *candidates_; }
  [[nodiscard]] const Bm25Options& options() const { return options_; }
  [[nodiscard]] std::uint64_t documents() const { return documents_; }  // N
  [[nodiscard]] std::uint64_t length() const { return length_; }        // of all documents together

  [[nodiscard]] std::uint32_t rank(Xapian::docid docid) const { return rank_of_docid_[docid]; }
  [[nodiscard]] Xapian::docid docid(std::uint32_t rank) const { return docid_of_rank_[rank]; }  // 0: no document
  [[nodiscard]] double norm(std::uint32_t rank) const { return norm_of_rank_[rank]; }
  [[nodiscard]] const std::vector<double>& norms() const { return norm_of_rank_; }

  // idf * wqf.
  [[nodiscard]] double weight(std::uint64_t containing, std::uint32_t wqf) const {
    return bm25_idf(documents_, containing) * wqf;
  }

 private:
  void read_documents();

  std::vector<std::filesystem::path> files_;
  CandidateTable candidates_;
  Bm25Options options_;
  std::uint64_t documents_ = 0;
  std::uint64_t length_ = 0;
  std::vector<std::uint32_t> rank_of_docid_;
  std::vector<Xapian::docid> docid_of_rank_;
  std::vector<double> norm_of_rank_;
  mutable tbb::enumerable_thread_specific<std::unique_ptr<Reader>> readers_;
};

}  // namespace residue::index
