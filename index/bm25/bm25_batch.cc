#include "index/bm25/bm25_batch.h"

#include <algorithm>
#include <cstdint>

#include "index/bm25/xapian_db.h"

namespace residue::index {

class Bm25Batch::Source final : public PostingSource {
 public:
  explicit Source(const Bm25Index& index) : index_(index) {
    const Xapian::Database& db = index.reader().db;
    for (auto it = db.allterms_begin(), end = db.allterms_end(); it != end; ++it) {
      names_.add(*it);
      containing_.push_back(it.get_termfreq());
    }
    names_.finish();
  }

  [[nodiscard]] std::size_t terms() const override { return containing_.size(); }
  [[nodiscard]] std::uint32_t containing(std::uint32_t term) const override { return containing_[term]; }

  void read(std::uint32_t term, std::vector<Posting>& out) const override {
    out.clear();
    out.reserve(containing_[term]);
    guarded("of this run", [&] {
      const Xapian::Database& db = index_.reader().db;
      const std::string name(names_.name(term));
      for (auto it = db.postlist_begin(name), end = db.postlist_end(name); it != end; ++it) {
        out.push_back({index_.rank(*it), it.get_wdf()});
      }
    });
  }

  [[nodiscard]] const TermTable& names() const { return names_; }

 private:
  const Bm25Index& index_;
  TermTable names_;
  std::vector<std::uint32_t> containing_;
};

Bm25Batch::Bm25Batch(const Bm25Index& index, const KernelOptions& options) : Bm25Batch(Source(index), index, options) {}

Bm25Batch::Bm25Batch(const Source& source, const Bm25Index& index, const KernelOptions& options)
    : terms_(source.names()), kernel_(source, index.norms(), index.documents(), options) {}

std::vector<KernelTerm> Bm25Batch::numbered(std::string_view text, text::TermCounter& terms) const {
  const auto counts = terms.count(text);
  std::vector<std::uint64_t> hashes;
  hashes.reserve(counts.size());
  for (const auto& one : counts) hashes.push_back(terms_.prepare(terms.spelling(one.term)));
  std::vector<KernelTerm> result;
  result.reserve(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (const auto number = terms_.find(terms.spelling(counts[i].term), hashes[i])) {
      result.push_back({*number, counts[i].times});
    }
  }
  std::sort(result.begin(), result.end(), [](const KernelTerm& a, const KernelTerm& b) { return a.term < b.term; });
  return result;
}

std::vector<KernelTerm> Bm25Batch::numbered(std::span<const std::string> terms) const {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(terms.size());
  for (const std::string& term : terms) hashes.push_back(terms_.prepare(term));
  std::vector<KernelTerm> result;
  result.reserve(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (const auto number = terms_.find(terms[i], hashes[i])) result.push_back({*number, 1});
  }
  std::sort(result.begin(), result.end(), [](const KernelTerm& a, const KernelTerm& b) { return a.term < b.term; });
  std::size_t kept = 0;
  for (const KernelTerm& term : result) {
    if (kept > 0 && result[kept - 1].term == term.term) {
      ++result[kept - 1].wqf;
    } else {
      result[kept++] = term;
    }
  }
  result.resize(kept);
  return result;
}

}  // namespace residue::index
