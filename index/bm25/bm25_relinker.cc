#include "index/bm25/bm25_relinker.h"

#include <tbb/enumerable_thread_specific.h>

#include <string>

#include "base/parallel_ranges.h"
#include "text/words/analyzer.h"

namespace residue::index {
namespace {

std::vector<std::uint32_t> ranks_of(const std::vector<CandidateId>& ids, const Candidates& candidates) {
  std::vector<std::uint32_t> ranks;
  for (const CandidateId id : ids) {
    if (const auto rank = candidates.rank(id)) ranks.push_back(*rank);
  }
  return ranks;
}

}  // namespace

Bm25Relinker::Gone Bm25Relinker::gone_in(const DocumentChange& change, const Bm25Batch& batch,
                                         const text::Analyzer& analyzer) {
  Gone gone;
  gone.containing.assign(batch.kernel().terms(), 0);
  std::vector<std::string> words;
  for (const std::string& text : change.before) {
    analyzer.terms(text, words);
    if (words.empty()) continue;
    ++gone.size.documents;
    gone.size.length += words.size();
    for (const KernelTerm& term : batch.numbered(words)) ++gone.containing[term.term];
  }
  return gone;
}

Bm25Relinker::Bm25Relinker(const Bm25Index& index, const Bm25Batch& batch, const text::Analyzer& analyzer,
                           const DocumentChange& change)
    : Bm25Relinker(index, batch, analyzer, ranks_of(change.now, index.candidates()), gone_in(change, batch, analyzer)) {
}

Bm25Relinker::Bm25Relinker(const Bm25Index& index, const Bm25Batch& batch, const text::Analyzer& analyzer,
                           const std::vector<std::uint32_t>& changed, const Gone& gone)
    : index_(index),
      batch_(batch),
      analyzer_(analyzer),
      relink_(batch.kernel(), {index.documents(), index.length()}, changed, gone.size, gone.containing) {}

std::vector<Decision> Bm25Relinker::decide(std::span<const Query> queries, std::span<const Standing> standings,
                                           std::size_t k) const {
  std::vector<Decision> decisions(queries.size());
  tbb::enumerable_thread_specific<Bm25Relink::Work> works;
  parallel_ranges(queries.size(), 64, [&](const TaskRange& range) {
    Bm25Relink::Work& work = works.local();
    std::vector<std::string> words;
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      analyzer_.terms(queries[i].text, words);
      const std::vector<KernelTerm> terms = batch_.numbered(words);
      KernelQuery query{terms};
      if (const auto own = index_.candidates().rank(queries[i].own)) query.hint = *own;
      RankedStanding before{{}, standings[i].rest};
      for (const CandidateId id : standings[i].best) {
        if (const auto rank = index_.candidates().rank(id)) before.best.push_back(*rank);
      }
      decisions[i] = translated(relink_.decide(query, before, k, work));
    }
  });
  return decisions;
}

Decision Bm25Relinker::translated(const RankedDecision& from) const {
  Decision decision;
  decision.open = from.link_open   ? Decision::Open::kLink
                  : from.rank_open ? Decision::Open::kRank
                                   : Decision::Open::kNothing;
  if (decision.open != Decision::Open::kNothing) return decision;
  const Candidates& candidates = index_.candidates();
  for (const RankedHit& hit : from.hits) decision.hits.push_back({candidates.id(hit.rank), hit.score, hit.tied});
  for (const std::uint32_t rank : from.standing.best) decision.standing.best.push_back(candidates.id(rank));
  decision.standing.rest = from.standing.rest;
  return decision;
}

}  // namespace residue::index
