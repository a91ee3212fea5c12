#include "index/bm25/bm25_linker.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "index/bm25/bm25_batch.h"
#include "index/bm25/bm25_index.h"
#include "index/bm25/bm25_matcher.h"
#include "index/bm25/bm25_relinker.h"
#include "index/bm25/xapian_db.h"
#include "index/scored.h"
#include "text/words/analyzer.h"

namespace residue::index {
namespace {

// Postings held at once: 1 GiB. A larger batch is cut into halves.
constexpr std::uint64_t kMaxPostings = std::uint64_t{1} << 26;

// Queries in one call from which on building the kernel pays (bench/link_bench).
constexpr std::size_t kQueriesForKernel = 200;

struct Saturated {
  double saturation;  // of the term's frequency: the same for every query
  std::uint32_t rank;
};

// Distinct terms of the query, ascending.
NamedTerms merged(std::vector<std::string>&& terms) {
  std::sort(terms.begin(), terms.end());
  NamedTerms result;
  for (std::string& term : terms) {
    if (result.empty() || result.back().term != term) result.push_back({std::move(term), 0});
    ++result.back().wqf;
  }
  return result;
}

// Xapian's exceptions stop at the edge of each task.
template <class F>
void each(std::size_t n, const F& f) {
  parallel_ranges(n, 1, [&](const TaskRange& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) guarded("of this run", [&] { f(i); });
  });
}

}  // namespace

struct Bm25Linker::Impl {
  Bm25Index index;
  const text::Analyzer& analyzer;
  Way way;
  KernelOptions kernel_options;
  mutable std::mutex building;
  mutable std::unique_ptr<const Bm25Batch> built;
  mutable std::atomic<const Bm25Batch*> batch = nullptr;

  std::vector<std::string> words_of(std::string_view text) const {
    std::vector<std::string> words;
    analyzer.terms(text, words);
    return words;
  }

  NamedTerms terms_of(std::string_view text) const { return merged(words_of(text)); }

  bool wants_kernel(std::size_t queries) const {
    if (index.documents() == 0 || !kernel_allows(index.options())) return false;
    if (way != Way::kAutomatic) return way == Way::kKernel;
    return queries >= kQueriesForKernel || batch.load(std::memory_order_acquire) != nullptr;
  }

  const Bm25Batch& kernel() const {
    if (const Bm25Batch* ready = batch.load(std::memory_order_acquire)) return *ready;
    const std::lock_guard lock(building);
    if (!built) built = std::make_unique<const Bm25Batch>(index, kernel_options);
    batch.store(built.get(), std::memory_order_release);
    return *built;
  }

  // ---- exact scores

  std::vector<Saturated> postings(const Xapian::Database& db, const std::string& term) const {
    std::vector<Saturated> result;
    result.reserve(db.get_termfreq(term));
    for (auto it = db.postlist_begin(term), end = db.postlist_end(term); it != end; ++it) {
      const std::uint32_t rank = index.rank(*it);
      result.push_back({bm25_saturation(it.get_wdf(), index.norm(rank)), rank});
    }
    return result;
  }

  // Adds up in ascending term order. `postings_of` gives a term's postings.
  template <class PostingsOf>
  std::vector<Scored> score_all(const NamedTerms& terms, std::vector<double>& sums,
                                const PostingsOf& postings_of) const {
    sums.resize(index.candidates().size(), 0.0);
    std::vector<Scored> touched;
    for (const NamedTerm& term : terms) {
      const auto& list = postings_of(term.term);
      const double w = index.weight(list.size(), term.wqf);
      for (const Saturated& posting : list) {
        double& sum = sums[posting.rank];
        if (sum == 0) touched.push_back({posting.rank, 0});
        sum += w * posting.saturation;
      }
    }
    for (Scored& scored : touched) scored.score = std::exchange(sums[scored.rank], 0.0);
    return touched;
  }

  std::vector<Scored> score_all(const NamedTerms& terms) const {
    auto& r = index.reader();
    std::vector<Saturated> list;
    return score_all(terms, r.sums, [&](const std::string& term) -> const std::vector<Saturated>& {
      return list = postings(r.db, term);
    });
  }

  std::vector<Hit> top_of(const NamedTerms& terms, std::size_t k) const {
    if (k == 0 || terms.empty() || index.documents() == 0) return {};
    if (auto hits = matcher_top(index, terms, k)) return *std::move(hits);
    auto scored = score_all(terms);
    return best_of(scored, k, index.candidates());
  }

  // ---- many queries

  using Result = std::vector<std::vector<Hit>>;

  // Queries as the kernel wants them.
  struct Numbered {
    std::vector<std::vector<KernelTerm>> terms;
    std::vector<KernelQuery> queries;
  };
  Numbered numbered(std::span<const Query> queries) const {
    const Bm25Batch& ready = kernel();
    Numbered wanted{std::vector<std::vector<KernelTerm>>(queries.size()), std::vector<KernelQuery>(queries.size())};
    tbb::enumerable_thread_specific<text::TermCounter> words([&] { return text::TermCounter(analyzer); });
    parallel_ranges(queries.size(), 64, [&](const TaskRange& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        wanted.terms[i] = ready.numbered(queries[i].text, words.local());
        wanted.queries[i].terms = wanted.terms[i];
        if (const auto own = index.candidates().rank(queries[i].own)) wanted.queries[i].hint = *own;
      }
    });
    return wanted;
  }

  void by_kernel(std::span<const Query> queries, std::size_t k, Result& results) const {
    const auto found = kernel().kernel().top(numbered(queries).queries, k);
    for (std::size_t i = 0; i < found.size(); ++i) {
      results[i].reserve(found[i].size());
      for (const RankedHit& hit : found[i]) {
        results[i].push_back({index.candidates().id(hit.rank), hit.score, hit.tied});
      }
    }
  }

  // take(query, scores) for each, from several threads; `first`: the number of the first query.
  template <class Take>
  void by_postings(std::span<const NamedTerms> queries, const Take& take, std::size_t first = 0) const {
    std::vector<std::string_view> words;
    for (const NamedTerms& terms : queries) {
      for (const NamedTerm& term : terms) words.push_back(term.term);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());

    std::uint64_t total = 0;
    for (const std::string_view word : words) total += index.reader().db.get_termfreq(std::string(word));
    if (total > kMaxPostings && queries.size() > 1) {
      const std::size_t half = queries.size() / 2;
      by_postings(queries.first(half), take, first);
      by_postings(queries.subspan(half), take, first + half);
      return;
    }

    std::vector<std::vector<Saturated>> lists(words.size());
    each(words.size(), [&](std::size_t i) { lists[i] = postings(index.reader().db, std::string(words[i])); });
    const auto list_of = [&](std::string_view term) -> const std::vector<Saturated>& {
      return lists[static_cast<std::size_t>(std::lower_bound(words.begin(), words.end(), term) - words.begin())];
    };
    each(queries.size(), [&](std::size_t i) {
      auto scored = score_all(queries[i], index.reader().sums, list_of);
      take(first + i, scored);
    });
  }

  // `scored`: all that share a term.
  Place place_among(std::span<const Scored> scored, std::uint32_t own) const {
    const auto found = std::find_if(scored.begin(), scored.end(), [&](const Scored& s) { return s.rank == own; });
    const auto sharing = static_cast<std::uint32_t>(scored.size());
    if (found == scored.end()) return {sharing, static_cast<std::uint32_t>(index.candidates().size()) - sharing - 1};
    Place place;
    for (const Scored& one : scored) {
      place.ahead += one.score > found->score ? 1 : 0;
      place.level += one.score == found->score ? 1 : 0;
    }
    --place.level;  // itself
    return place;
  }
};

Bm25Linker::Bm25Linker(std::vector<std::filesystem::path> segments, CandidateTable candidates,
                       const text::Analyzer& analyzer, Bm25Options options, Way way, KernelOptions kernel) {
  guarded("of this run", [&] {
    impl_.reset(new Impl{{std::move(segments), std::move(candidates), options}, analyzer, way, kernel, {}, {}});
  });
}

Bm25Linker::~Bm25Linker() = default;

std::vector<std::vector<Hit>> Bm25Linker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> results(queries.size());
  if (k == 0) return results;
  if (impl_->wants_kernel(queries.size())) {
    guarded("of this run", [&] { impl_->by_kernel(queries, k, results); });
    return results;
  }
  std::vector<NamedTerms> terms(queries.size());
  each(queries.size(), [&](std::size_t i) { terms[i] = impl_->terms_of(queries[i].text); });
  if (impl_->way == Way::kMatcher) {
    each(queries.size(), [&](std::size_t i) { results[i] = impl_->top_of(terms[i], k); });
  } else {
    guarded("of this run", [&] {
      impl_->by_postings(terms, [&](std::size_t i, std::vector<Scored>& scored) {
        results[i] = best_of(scored, k, impl_->index.candidates());
      });
    });
  }
  return results;
}

std::vector<std::optional<Place>> Bm25Linker::places(std::span<const Query> queries, std::size_t) const {
  std::vector<std::optional<Place>> results(queries.size());
  const Candidates& candidates = impl_->index.candidates();
  std::vector<std::size_t> of;
  std::vector<Query> placed;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (!candidates.rank(queries[i].own)) continue;
    of.push_back(i);
    placed.push_back(queries[i]);
  }
  if (placed.empty()) return results;
  if (impl_->wants_kernel(placed.size())) {
    guarded("of this run", [&] {
      const auto places = impl_->kernel().kernel().places(impl_->numbered(placed).queries);
      for (std::size_t j = 0; j < of.size(); ++j) results[of[j]] = places[j];
    });
    return results;
  }
  std::vector<NamedTerms> terms(placed.size());
  each(placed.size(), [&](std::size_t j) { terms[j] = impl_->terms_of(placed[j].text); });
  guarded("of this run", [&] {
    impl_->by_postings(terms, [&](std::size_t j, std::span<const Scored> scored) {
      results[of[j]] = impl_->place_among(scored, *candidates.rank(placed[j].own));
    });
  });
  return results;
}

std::unique_ptr<Relinker> Bm25Linker::relinker(const DocumentChange& change) const {
  if (impl_->index.documents() == 0 || !kernel_allows(impl_->index.options())) return nullptr;
  return guarded("of this run", [&] {
    return std::make_unique<Bm25Relinker>(impl_->index, impl_->kernel(), impl_->analyzer, change);
  });
}

std::optional<std::vector<TermScore>> Bm25Linker::explain(std::string_view query, CandidateId candidate) const {
  const auto rank = impl_->index.candidates().rank(candidate);
  if (!rank || impl_->index.docid(*rank) == 0) return std::nullopt;
  const Xapian::docid docid = impl_->index.docid(*rank);
  std::vector<TermScore> shares;
  guarded("of this run", [&] {
    const Xapian::Database& db = impl_->index.reader().db;
    for (const NamedTerm& term : impl_->terms_of(query)) {
      auto it = db.postlist_begin(term.term);
      const auto end = db.postlist_end(term.term);
      if (it != end) it.skip_to(docid);
      if (it == end || *it != docid) continue;
      const std::uint64_t containing = db.get_termfreq(term.term);
      const double share = bm25_part(impl_->index.weight(containing, term.wqf), it.get_wdf(), impl_->index.norm(*rank));
      shares.push_back({term.term, share, term.wqf, it.get_wdf(), containing});
    }
  });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const TermScore& a, const TermScore& b) { return a.score > b.score; });
  return shares;
}

std::optional<std::size_t> Bm25Linker::rank_of(std::string_view query, CandidateId candidate) const {
  const auto rank = impl_->index.candidates().rank(candidate);
  if (!rank) return std::nullopt;
  const auto scored = guarded("of this run", [&] { return impl_->score_all(impl_->terms_of(query)); });
  const auto own = std::find_if(scored.begin(), scored.end(), [&](const Scored& s) { return s.rank == *rank; });
  if (own == scored.end()) return std::nullopt;
  const auto ahead = std::count_if(scored.begin(), scored.end(), [&](const Scored& s) { return better(s, *own); });
  return static_cast<std::size_t>(ahead) + 1;
}

}  // namespace residue::index
