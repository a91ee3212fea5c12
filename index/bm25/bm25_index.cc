#include "index/bm25/bm25_index.h"

#include <utility>

#include "base/error.h"
#include "index/bm25/bm25_weight.h"
#include "index/bm25/xapian_db.h"

namespace residue::index {
namespace {

[[noreturn]] void mismatch() {
  throw Error(Code::kCorrupt, "the index does not belong to this run's records",
              "indexes are derived: delete the run's files below index/ and run the command again");
}

CandidateId candidate_in(const std::string& data) {
  if (data.size() != 8) mismatch();
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(data[i]);
  return {static_cast<std::int64_t>(value)};
}

}  // namespace

Bm25Index::Reader::Reader(const std::vector<std::filesystem::path>& files, Bm25Options options)
    : db(open_segments(files)), enquire(db) {
  enquire.set_weighting_scheme(Bm25Weight(options));
  enquire.set_docid_order(Xapian::Enquire::DONT_CARE);
}

Bm25Index::Bm25Index(std::vector<std::filesystem::path> files, CandidateTable candidates, Bm25Options options)
    : files_(std::move(files)), candidates_(std::move(candidates)), options_(options) {
  read_documents();
}

Bm25Index::Reader& Bm25Index::reader() const {
  auto& mine = readers_.local();
  if (!mine) mine = std::make_unique<Reader>(files_, options_);
  return *mine;
}

void Bm25Index::read_documents() {
  const Xapian::Database& db = reader().db;
  documents_ = db.get_doccount();
  length_ = db.get_total_length();
  const double average = static_cast<double>(length_) / static_cast<double>(documents_);
  rank_of_docid_.assign(std::size_t{db.get_lastdocid()} + 1, kNone);
  docid_of_rank_.assign(candidates_->size(), 0);
  norm_of_rank_.assign(candidates_->size(), 0);
  for (auto it = db.postlist_begin(""), end = db.postlist_end(""); it != end; ++it) {
    const auto rank = candidates_->rank(candidate_in(db.get_document(*it, Xapian::DOC_ASSUME_VALID).get_data()));
    if (!rank || docid_of_rank_[*rank] != 0) mismatch();
    rank_of_docid_[*it] = *rank;
    docid_of_rank_[*rank] = *it;
    norm_of_rank_[*rank] = bm25_norm(options_, it.get_doclength(), average);
  }
}

}  // namespace residue::index
