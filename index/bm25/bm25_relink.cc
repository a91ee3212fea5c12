#include "index/bm25/bm25_relink.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/relinker.h"

namespace residue::index {
namespace {

// Scoring a document costs as much as so many parts of terms.
constexpr std::size_t kPartsPerScore = 64;

bool ahead(const RankedHit& a, const RankedHit& b) { return a.score != b.score ? a.score > b.score : a.rank < b.rank; }

// `known` in order. Ties are counted among all of them: what is not known scores less.
std::vector<RankedHit> first_hits(const std::vector<RankedHit>& known, double bound, std::size_t k) {
  std::vector<RankedHit> hits;
  for (auto first = known.begin(); first != known.end() && first->score > bound;) {
    const auto next = std::find_if(first, known.end(), [&](const RankedHit& h) { return h.score != first->score; });
    const auto tied = static_cast<std::uint32_t>(next - first - 1);
    for (; first != next; ++first) {
      if (hits.size() == k) return hits;
      hits.push_back({first->rank, first->score, tied});
    }
  }
  return hits;
}

}  // namespace

Bm25Relink::Bm25Relink(const Bm25Kernel& kernel, CollectionSize now, std::span<const std::uint32_t> changed,
                       CollectionSize gone, std::span<const std::uint32_t> gone_containing)
    : kernel_(kernel), changed_(changed.begin(), changed.end()), is_changed_(kernel.norms().size(), false) {
  for (const std::uint32_t rank : changed_) is_changed_[rank] = true;
  index_changed();
  CollectionSize came;
  std::vector<DocumentTerm> terms;
  for (const std::uint32_t rank : changed_) {
    kernel_.read(rank, terms);
    came.documents += terms.empty() ? 0 : 1;
    for (const DocumentTerm& term : terms) came.length += term.tf;
  }
  const CollectionSize before = {now.documents - came.documents + gone.documents,
                                 now.length - came.length + gone.length};
  if (before.documents > 0 && now.documents > 0) {
    stretch_ = saturation_stretch(before.average(), now.average());
    shrink_ = saturation_stretch(now.average(), before.average());
  }
  idf_before_.assign(kernel_.terms(), 0);
  for (std::uint32_t term = 0; term < idf_before_.size(); ++term) {
    const std::uint64_t unchanged = kernel_.containing(term) - (ends_[term + 1] - ends_[term]);
    if (unchanged > 0) idf_before_[term] = bm25_idf(before.documents, unchanged + gone_containing[term]);
  }
}

void Bm25Relink::index_changed() {
  std::vector<DocumentTerm> terms;
  ends_.assign(kernel_.terms() + 1, 0);
  for (const std::uint32_t rank : changed_) {
    kernel_.read(rank, terms);
    for (const DocumentTerm& term : terms) ++ends_[term.term + 1];
  }
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  parts_.resize(ends_.back());
  std::vector<std::uint32_t> at(ends_.begin(), ends_.end() - 1);
  for (std::uint32_t document = 0; document < changed_.size(); ++document) {
    kernel_.read(changed_[document], terms);
    const double norm = kernel_.norms()[changed_[document]];
    for (const DocumentTerm& term : terms) parts_[at[term.term]++] = {document, bm25_saturation(term.tf, norm)};
  }
}

void Bm25Relink::look_up(const KernelQuery& query, Work& work) const {
  work.terms.clear();
  work.weights.clear();
  for (const KernelTerm& term : query.terms) {
    work.terms.push_back(term.term);
    work.weights.push_back(kernel_.idf(term.term) * term.wqf);
  }
  work.lookup.set(work.terms, work.weights);
}

double Bm25Relink::bound(double rest, std::span<const KernelTerm> terms, Work& work) const {
  work.bound.clear();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double before = idf_before_[terms[i].term];
    if (before == 0) continue;
    const double most = std::min(1.0, kernel_.most(terms[i].term) * shrink_ * kRoundingMargin);
    work.bound.push_back({before * terms[i].wqf, work.weights[i], most});
  }
  return bound_of_rest(rest, stretch_, work.bound);
}

void Bm25Relink::add_changed(double least, Work& work) const {
  const auto most = [&](std::uint32_t i) { return work.weights[i] * kernel_.most(work.terms[i]); };
  work.order.clear();
  for (std::uint32_t i = 0; i < work.terms.size(); ++i) work.order.push_back(i);
  std::sort(work.order.begin(), work.order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::pair(most(a), a) < std::pair(most(b), b); });
  double optional = 0;
  std::size_t first = 0;
  while (first < work.order.size() && (optional + most(work.order[first])) * kRoundingMargin <= least) {
    optional += most(work.order[first++]);
  }
  work.sums.resize(changed_.size(), 0);
  work.touched.clear();
  for (std::size_t o = first; o < work.order.size(); ++o) {
    const std::uint32_t i = work.order[o];
    for (const Part& part : parts_of(work.terms[i])) {
      double& sum = work.sums[part.document];
      if (sum == 0) work.touched.push_back(part.document);
      sum += work.weights[i] * part.saturation;
    }
  }
  keep_touched(least, optional, work);
  // Their other terms, where reading those costs less than scoring so many documents.
  std::size_t parts = 0;
  for (std::size_t o = 0; o < first; ++o) parts += parts_of(work.terms[work.order[o]]).size();
  if (parts < work.touched.size() * kPartsPerScore) {
    for (std::size_t o = 0; o < first; ++o) {
      const std::uint32_t i = work.order[o];
      for (const Part& part : parts_of(work.terms[i])) {
        double& sum = work.sums[part.document];
        sum += sum == 0 ? 0 : work.weights[i] * part.saturation;
      }
    }
    keep_touched(least, 0, work);
  }
  for (const std::uint32_t document : work.touched) {
    work.sums[document] = 0;
    const double score = kernel_.score(work.lookup, changed_[document]);
    if (score > least) work.known.push_back({changed_[document], score, 0});
  }
}

void Bm25Relink::keep_touched(double least, double more, Work& work) {
  std::erase_if(work.touched, [&](std::uint32_t document) {
    const bool gone = (work.sums[document] + more) * kRoundingMargin <= least;
    if (gone) work.sums[document] = 0;
    return gone;
  });
}

bool Bm25Relink::rank_open(std::uint32_t own, double bound, std::size_t k, const Work& work) const {
  if (own == KernelQuery::kNoHint) return false;
  const RankedHit mine{own, kernel_.score(work.lookup, own), 0};
  if (mine.score == 0 || mine.score > bound) return false;
  const auto before =
      std::count_if(work.known.begin(), work.known.end(), [&](const RankedHit& hit) { return ahead(hit, mine); });
  return static_cast<std::size_t>(before) < k;
}

RankedDecision Bm25Relink::decide(const KernelQuery& query, const RankedStanding& before, std::size_t k,
                                  Work& work) const {
  RankedDecision decision;
  if (before.rest == std::numeric_limits<double>::infinity()) return decision;
  look_up(query, work);
  const double least = bound(before.rest, query.terms, work);
  work.known.clear();
  const auto add = [&](std::uint32_t rank) {
    if (is_changed_[rank]) return;  // Comes below, with its present text.
    if (const double score = kernel_.score(work.lookup, rank); score > 0) work.known.push_back({rank, score, 0});
  };
  const auto own = query.hint;
  for (const std::uint32_t rank : before.best) add(rank);
  if (own != KernelQuery::kNoHint && std::find(before.best.begin(), before.best.end(), own) == before.best.end()) {
    add(own);
  }
  add_changed(least, work);
  std::sort(work.known.begin(), work.known.end(), ahead);

  decision.link_open = work.known.empty() ? least > 0 : work.known.front().score <= least;
  if (decision.link_open) return decision;
  decision.rank_open = rank_open(own, least, k, work);
  if (decision.rank_open) return decision;
  decision.hits = first_hits(work.known, least, k);
  decision.standing.rest = least;
  const bool right = own == KernelQuery::kNoHint || work.known.empty() || work.known.front().rank == own;
  const std::size_t kept = std::min(work.known.size(), right ? kKeptIfRight : k);
  for (std::size_t i = 0; i < kept; ++i) decision.standing.best.push_back(work.known[i].rank);
  if (kept < work.known.size()) decision.standing.rest = std::max(least, work.known[kept].score);
  return decision;
}

}  // namespace residue::index
