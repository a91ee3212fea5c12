#include "index/bm25/bm25_matcher.h"

#include <algorithm>
#include <cstdint>

namespace residue::index {
namespace {

// The matcher's sums are in another order than ours; they differ by far less than this, relatively.
constexpr double kMargin = 1e-9;

// Hits beyond those wanted that the matcher is asked for first, and beyond which reading all postings is cheaper.
constexpr std::size_t kExtraHits = 16;
constexpr std::size_t kMaxExtraHits = 1024;

// The scores of the documents that the matcher found.
std::vector<Scored> rescore(const Bm25Index& index, const NamedTerms& terms, const Xapian::MSet& found) {
  std::vector<Xapian::docid> docids;
  for (auto it = found.begin(); it != found.end(); ++it) docids.push_back(*it);
  std::sort(docids.begin(), docids.end());
  std::vector<Scored> result;
  for (const Xapian::docid docid : docids) result.push_back({index.rank(docid), 0});
  const Xapian::Database& db = index.reader().db;
  for (const NamedTerm& term : terms) {
    const double w = index.weight(db.get_termfreq(term.term), term.wqf);
    auto it = db.postlist_begin(term.term);
    const auto end = db.postlist_end(term.term);
    for (std::size_t i = 0; i < docids.size() && it != end; ++i) {
      it.skip_to(docids[i]);
      if (it != end && *it == docids[i]) {
        result[i].score += bm25_part(w, it.get_wdf(), index.norm(result[i].rank));
      }
    }
  }
  return result;
}

}  // namespace

std::optional<std::vector<Hit>> matcher_top(const Bm25Index& index, const NamedTerms& terms, std::size_t k) {
  std::vector<Xapian::Query> parts;
  for (const NamedTerm& term : terms) parts.emplace_back(term.term, term.wqf);
  Xapian::Enquire& enquire = index.reader().enquire;
  enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, parts.begin(), parts.end()));
  for (std::size_t extra = kExtraHits; extra <= kMaxExtraHits; extra *= 8) {
    const std::size_t wanted = std::min<std::uint64_t>(k + extra, index.documents());
    const Xapian::MSet found = enquire.get_mset(0, static_cast<Xapian::doccount>(wanted));
    const bool all = found.size() < wanted || wanted == index.documents();
    if (!all) {
      const double kth = found[static_cast<Xapian::doccount>(k - 1)].get_weight();
      const double last = found[static_cast<Xapian::doccount>(wanted - 1)].get_weight();
      if (last >= kth * (1 - kMargin)) continue;
    }
    auto scored = rescore(index, terms, found);
    return best_of(scored, k, index.candidates());
  }
  return std::nullopt;
}

}  // namespace residue::index
