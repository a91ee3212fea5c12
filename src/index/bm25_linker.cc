#include "index/bm25_linker.h"

#include <tbb/enumerable_thread_specific.h>
#include <xapian.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "index/bm25_weight.h"
#include "index/xapian_db.h"
#include "text/analyzer.h"

namespace residue::index {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Postings held at once: 1 GiB. A larger batch is cut into halves.
constexpr std::uint64_t kMaxPostings = std::uint64_t{1} << 26;

// The matcher's sums are in another order than ours; they differ by far less than this, relatively.
constexpr double kMargin = 1e-9;

// Hits beyond those wanted that the matcher is asked for first, and beyond which reading all postings is cheaper.
constexpr std::size_t kExtraHits = 16;
constexpr std::size_t kMaxExtraHits = 1024;

struct QueryTerm {
  std::string term;
  std::uint32_t wqf = 0;
};
using Terms = std::vector<QueryTerm>;  // distinct, in ascending byte order

struct Posting {
  double saturation;  // of the term's frequency: the same for every query
  std::uint32_t rank;
};

struct Scored {
  std::uint32_t rank;
  double score;
};

bool better(const Scored& a, const Scored& b) { return a.score != b.score ? a.score > b.score : a.rank < b.rank; }

// Distinct terms of the query, ascending.
Terms merged(std::vector<std::string>&& terms) {
  std::sort(terms.begin(), terms.end());
  Terms result;
  for (std::string& term : terms) {
    if (result.empty() || result.back().term != term) result.push_back({std::move(term), 0});
    ++result.back().wqf;
  }
  return result;
}

// The best `k` of all candidates that share a term, and how many are tied with each. Reorders `all`.
std::vector<Hit> best(std::vector<Scored>& all, std::size_t k, const Candidates& candidates) {
  std::vector<Hit> hits;
  if (k == 0 || all.empty()) return hits;
  auto end = all.end();
  if (k < all.size()) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k - 1), all.end(), better);
    const double last = all[k - 1].score;
    end = std::partition(all.begin() + static_cast<std::ptrdiff_t>(k), all.end(),
                         [&](const Scored& s) { return s.score == last; });
  }
  std::sort(all.begin(), end, better);
  for (auto first = all.begin(); first != end && hits.size() < k;) {
    const auto next = std::find_if(first, end, [&](const Scored& s) { return s.score != first->score; });
    const auto tied = static_cast<std::uint32_t>(next - first - 1);
    for (; first != next && hits.size() < k; ++first) hits.push_back({candidates.id(first->rank), first->score, tied});
    first = next;
  }
  return hits;
}

// What one thread needs: Xapian's handles belong to one thread each.
struct Reader {
  Reader(std::span<const std::filesystem::path> files, Bm25Options options) : db(open_segments(files)), enquire(db) {
    enquire.set_weighting_scheme(Bm25Weight(options));
    enquire.set_docid_order(Xapian::Enquire::DONT_CARE);
  }
  Xapian::Database db;
  Xapian::Enquire enquire;
  std::vector<double> sums;  // by rank, all zero between queries
};

}  // namespace

struct Bm25Linker::Impl {
  using Readers = tbb::enumerable_thread_specific<std::unique_ptr<Reader>>;

  std::vector<std::filesystem::path> files;
  CandidateTable candidates;
  const text::Analyzer& analyzer;
  Bm25Options options;
  Way way;

  std::uint64_t documents = 0;  // N
  std::vector<std::uint32_t> rank_of_docid;
  std::vector<Xapian::docid> docid_of_rank;  // 0: no document
  std::vector<double> norm_of_rank;
  mutable Readers readers;

  Reader& reader() const {
    auto& mine = readers.local();
    if (!mine) mine = std::make_unique<Reader>(files, options);
    return *mine;
  }

  // ---- opening

  void read_documents() {
    const Xapian::Database& db = reader().db;
    documents = db.get_doccount();
    const double average = static_cast<double>(db.get_total_length()) / static_cast<double>(documents);
    rank_of_docid.assign(std::size_t{db.get_lastdocid()} + 1, kNone);
    docid_of_rank.assign(candidates->size(), 0);
    norm_of_rank.assign(candidates->size(), 0);
    for (auto it = db.postlist_begin(""), end = db.postlist_end(""); it != end; ++it) {
      const auto rank = candidates->rank(candidate_in(db.get_document(*it).get_data()));
      if (!rank || docid_of_rank[*rank] != 0) mismatch();
      rank_of_docid[*it] = *rank;
      docid_of_rank[*rank] = *it;
      norm_of_rank[*rank] = bm25_norm(options, it.get_doclength(), average);
    }
  }

  static CandidateId candidate_in(const std::string& data) {
    if (data.size() != 8) mismatch();
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(data[i]);
    return {static_cast<std::int64_t>(value)};
  }

  [[noreturn]] static void mismatch() {
    throw Error(Code::kCorrupt, "the index does not belong to this run's records",
                "indexes are derived: delete the run's files below index/ and run the command again");
  }

  // ---- exact scores

  Terms terms_of(std::string_view text) const {
    std::vector<std::string> terms;
    analyzer.terms(text, terms);
    return merged(std::move(terms));
  }

  double weight(std::uint64_t containing, std::uint32_t wqf) const { return bm25_idf(documents, containing) * wqf; }

  std::vector<Posting> postings(const Xapian::Database& db, const std::string& term) const {
    std::vector<Posting> result;
    result.reserve(db.get_termfreq(term));
    for (auto it = db.postlist_begin(term), end = db.postlist_end(term); it != end; ++it) {
      const std::uint32_t rank = rank_of_docid[*it];
      result.push_back({bm25_saturation(it.get_wdf(), norm_of_rank[rank]), rank});
    }
    return result;
  }

  // Adds up in ascending term order. `postings_of` gives a term's postings.
  template <class PostingsOf>
  std::vector<Scored> score_all(const Terms& terms, std::vector<double>& sums, const PostingsOf& postings_of) const {
    sums.resize(candidates->size(), 0.0);
    std::vector<Scored> touched;
    for (const QueryTerm& term : terms) {
      const auto& list = postings_of(term.term);
      const double w = weight(list.size(), term.wqf);
      for (const Posting& posting : list) {
        double& sum = sums[posting.rank];
        if (sum == 0) touched.push_back({posting.rank, 0});
        sum += w * posting.saturation;
      }
    }
    for (Scored& scored : touched) scored.score = std::exchange(sums[scored.rank], 0.0);
    return touched;
  }

  std::vector<Scored> score_all(const Terms& terms) const {
    Reader& r = reader();
    std::vector<Posting> list;
    return score_all(terms, r.sums, [&](const std::string& term) -> const std::vector<Posting>& {
      return list = postings(r.db, term);
    });
  }

  // The scores of the documents that the matcher found.
  std::vector<Scored> rescore(const Terms& terms, const Xapian::MSet& found) const {
    std::vector<Xapian::docid> docids;
    for (auto it = found.begin(); it != found.end(); ++it) docids.push_back(*it);
    std::sort(docids.begin(), docids.end());
    std::vector<Scored> result;
    for (const Xapian::docid docid : docids) result.push_back({rank_of_docid[docid], 0});
    const Xapian::Database& db = reader().db;
    for (const QueryTerm& term : terms) {
      const double w = weight(db.get_termfreq(term.term), term.wqf);
      auto it = db.postlist_begin(term.term);
      const auto end = db.postlist_end(term.term);
      for (std::size_t i = 0; i < docids.size() && it != end; ++i) {
        it.skip_to(docids[i]);
        if (it != end && *it == docids[i]) {
          result[i].score += bm25_part(w, it.get_wdf(), norm_of_rank[result[i].rank]);
        }
      }
    }
    return result;
  }

  // ---- one query

  // Nothing if too many documents score like the k-th.
  std::optional<std::vector<Hit>> matcher_top(const Terms& terms, std::size_t k) const {
    std::vector<Xapian::Query> parts;
    for (const QueryTerm& term : terms) parts.emplace_back(term.term, term.wqf);
    Xapian::Enquire& enquire = reader().enquire;
    enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, parts.begin(), parts.end()));
    for (std::size_t extra = kExtraHits; extra <= kMaxExtraHits; extra *= 8) {
      const std::size_t wanted = std::min<std::uint64_t>(k + extra, documents);
      const Xapian::MSet found = enquire.get_mset(0, static_cast<Xapian::doccount>(wanted));
      const bool all = found.size() < wanted || wanted == documents;
      if (!all) {
        const double kth = found[static_cast<Xapian::doccount>(k - 1)].get_weight();
        const double last = found[static_cast<Xapian::doccount>(wanted - 1)].get_weight();
        if (last >= kth * (1 - kMargin)) continue;
      }
      auto scored = rescore(terms, found);
      return best(scored, k, *candidates);
    }
    return std::nullopt;
  }

  std::vector<Hit> top_of(const Terms& terms, std::size_t k) const {
    if (k == 0 || terms.empty() || documents == 0) return {};
    if (auto hits = matcher_top(terms, k)) return *std::move(hits);
    auto scored = score_all(terms);
    return best(scored, k, *candidates);
  }

  // ---- many queries

  using Result = std::vector<std::vector<Hit>>;

  void batch(std::span<const Terms> queries, std::size_t k, std::span<std::vector<Hit>> results) const {
    std::vector<std::string_view> words;
    for (const Terms& terms : queries) {
      for (const QueryTerm& term : terms) words.push_back(term.term);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());

    std::uint64_t total = 0;
    for (const std::string_view word : words) total += reader().db.get_termfreq(std::string(word));
    if (total > kMaxPostings && queries.size() > 1) {
      const std::size_t half = queries.size() / 2;
      batch(queries.first(half), k, results.first(half));
      batch(queries.subspan(half), k, results.subspan(half));
      return;
    }

    std::vector<std::vector<Posting>> lists(words.size());
    each(words.size(), [&](std::size_t i) { lists[i] = postings(reader().db, std::string(words[i])); });
    const auto list_of = [&](std::string_view term) -> const std::vector<Posting>& {
      return lists[static_cast<std::size_t>(std::lower_bound(words.begin(), words.end(), term) - words.begin())];
    };
    each(queries.size(), [&](std::size_t i) {
      auto scored = score_all(queries[i], reader().sums, list_of);
      results[i] = best(scored, k, *candidates);
    });
  }

  // Xapian's exceptions stop at the edge of each task.
  template <class F>
  void each(std::size_t n, const F& f) const {
    parallel_ranges(n, 1, [&](const TaskRange& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) guarded("of this run", [&] { f(i); });
    });
  }
};

Bm25Linker::Bm25Linker(std::vector<std::filesystem::path> segments, CandidateTable candidates,
                       const text::Analyzer& analyzer, Bm25Options options, Way way)
    : impl_(new Impl{std::move(segments), std::move(candidates), analyzer, options, way, 0, {}, {}, {}, {}}) {
  guarded("of this run", [&] { impl_->read_documents(); });
}

Bm25Linker::~Bm25Linker() = default;

std::vector<std::vector<Hit>> Bm25Linker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> results(queries.size());
  std::vector<Terms> terms(queries.size());
  impl_->each(queries.size(), [&](std::size_t i) { terms[i] = impl_->terms_of(queries[i].text); });
  const bool batch = impl_->way != Way::kMatcher;
  if (batch && k > 0) {
    guarded("of this run", [&] { impl_->batch(terms, k, results); });
  } else {
    impl_->each(queries.size(), [&](std::size_t i) { results[i] = impl_->top_of(terms[i], k); });
  }
  return results;
}

std::optional<std::vector<TermScore>> Bm25Linker::explain(std::string_view query, CandidateId candidate) const {
  const auto rank = impl_->candidates->rank(candidate);
  if (!rank || impl_->docid_of_rank[*rank] == 0) return std::nullopt;
  const Xapian::docid docid = impl_->docid_of_rank[*rank];
  std::vector<TermScore> shares;
  guarded("of this run", [&] {
    const Xapian::Database& db = impl_->reader().db;
    for (const QueryTerm& term : impl_->terms_of(query)) {
      auto it = db.postlist_begin(term.term);
      const auto end = db.postlist_end(term.term);
      if (it != end) it.skip_to(docid);
      if (it == end || *it != docid) continue;
      const std::uint64_t containing = db.get_termfreq(term.term);
      const double share = bm25_part(impl_->weight(containing, term.wqf), it.get_wdf(), impl_->norm_of_rank[*rank]);
      shares.push_back({term.term, share, term.wqf, it.get_wdf(), containing});
    }
  });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const TermScore& a, const TermScore& b) { return a.score > b.score; });
  return shares;
}

std::optional<std::size_t> Bm25Linker::rank_of(std::string_view query, CandidateId candidate) const {
  const auto rank = impl_->candidates->rank(candidate);
  if (!rank) return std::nullopt;
  const auto scored = guarded("of this run", [&] { return impl_->score_all(impl_->terms_of(query)); });
  const auto own = std::find_if(scored.begin(), scored.end(), [&](const Scored& s) { return s.rank == *rank; });
  if (own == scored.end()) return std::nullopt;
  const auto ahead = std::count_if(scored.begin(), scored.end(), [&](const Scored& s) { return better(s, *own); });
  return static_cast<std::size_t>(ahead) + 1;
}

}  // namespace residue::index
