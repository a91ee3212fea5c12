#include "index/bm25_kernel/bm25_search.h"

#include <algorithm>
#include <functional>

namespace residue::index {
namespace {}  // namespace

std::vector<RankedHit> Bm25Search::run(const KernelQuery& query, std::span<const Block> blocks) {
  TopList best(k_);
  look_up(query);
  if (terms_.empty()) return {};
  const bool bounded = bounds_.set(terms_, weights_, facts_);
  hint_ = query.hint;
  if (hint_ != KernelQuery::kNoHint) {
    const Block& block = blocks[hint_ / blocks.front().size()];
    best.offer(hint_, block.score(lookup_, hint_ - block.first()));
  }
  for (const Block& block : blocks) {
    if (bounded) {
      by_bounds(block, best);
    } else {
      score_all(block, best);
    }
  }
  return best.hits();
}

void Bm25Search::look_up(const KernelQuery& query) {
  terms_.clear();
  weights_.clear();
  facts_.clear();
  for (const KernelTerm& term : query.terms) {
    const TermFacts& facts = all_[term.term];
    if (facts.max_impact == 0) continue;
    terms_.push_back(term.term);
    weights_.push_back(facts.idf * term.wqf);
    facts_.push_back(facts);
  }
  lookup_.set(terms_, weights_);
}

void Bm25Search::score_all(const Block& block, TopList& best) {
  for (std::uint32_t document = 0; document < block.size(); ++document) {
    const std::uint32_t rank = block.first() + document;
    if (rank != hint_) best.offer(rank, block.score(lookup_, document));
  }
}

std::uint32_t Bm25Search::needed(const TopList& best) const {
  const double threshold = best.threshold();
  return threshold > 0 ? bounds_.units(threshold) : 1;
}

void Bm25Search::by_bounds(const Block& block, TopList& best) {
  const std::size_t chunks = block.width() / kChunk;
  sums_.resize(std::max(sums_.size(), block.width()), 0);
  maxima_.resize(std::max(maxima_.size(), chunks));
  shown_.clear();
  add_lists(block);
  ops_.maxima(sums_.data(), block.width(), maxima_.data());

  // The best by rare terms alone first: they raise the threshold, and then most chunks need no rows.
  if (!bounds_.groups().empty()) {
    verify(block, kth_largest_maximum(chunks), best);
    add_rows(block, needed(best));
    forget_shown();
  }
  verify(block, std::max(needed(best), kth_largest_maximum(chunks)), best);
  verify(block, needed(best), best);
  std::fill_n(sums_.begin(), block.width(), std::uint16_t{0});
}

void Bm25Search::add_rows(const Block& block, std::uint32_t least) {
  const std::size_t chunks = block.width() / kChunk;
  // The rows' largest impacts by chunk, added up like the rows: what a document of the chunk gets at most.
  chunks_.clear();
  for (std::uint32_t c = 0; c < block.maxima_width(); c += kChunk) chunks_.push_back(c);
  from_rows_.assign(block.maxima_width(), 0);
  add_groups(from_rows_.data(), [&](std::size_t row) { return block.row_maxima(row); });

  chunks_.clear();
  for (std::size_t c = 0; c < chunks; ++c) {
    if (maxima_[c] + std::uint32_t{from_rows_[c]} >= least) {
      chunks_.push_back(static_cast<std::uint32_t>(c * kChunk));
    } else {
      maxima_[c] = 0;
    }
  }
  if (chunks_.empty()) return;
  add_groups(sums_.data(), [&](std::size_t row) { return block.row(row); });
  for (const std::uint32_t first : chunks_) ops_.maxima(sums_.data() + first, kChunk, &maxima_[first / kChunk]);
}

template <class RowAt>
void Bm25Search::add_groups(std::uint16_t* sums, const RowAt& row_at) {
  for (const QueryBounds::Group& group : bounds_.groups()) {
    rows_.clear();
    for (const QueryBounds::Row& row : bounds_.rows().subspan(group.first, group.count)) {
      rows_.push_back({row_at(row.row), row.weight});
    }
    ops_.add(sums, chunks_, rows_, group.factor);
  }
}

void Bm25Search::add_lists(const Block& block) {
  // Where the lists begin is far apart in memory: all are asked for before the first is read.
  lists_.clear();
  for (const QueryBounds::List& mine : bounds_.lists()) {
    lists_.push_back(block.list(mine.term));
    __builtin_prefetch(lists_.back().documents);
    __builtin_prefetch(lists_.back().impacts);
  }
  std::uint16_t* const sums = sums_.data();
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    const Block::List list = lists_[l];
    const std::uint32_t weight = bounds_.lists()[l].weight;
    for (std::size_t i = 0; i < list.size; ++i) {
      std::uint16_t& sum = sums[list.documents[i]];
      sum = static_cast<std::uint16_t>(sum + ((list.impacts[i] * weight + 255) >> 8));
    }
  }
}

std::uint32_t Bm25Search::kth_largest_maximum(std::size_t chunks) {
  const auto end = maxima_.begin() + static_cast<std::ptrdiff_t>(chunks);
  if (k_ == 1) return std::max<std::uint32_t>(1, *std::max_element(maxima_.begin(), end));
  if (k_ > chunks) return 1;
  sorted_.assign(maxima_.begin(), end);
  const auto kth = sorted_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
  std::nth_element(sorted_.begin(), kth, sorted_.end(), std::greater<>());
  return std::max<std::uint32_t>(1, *kth);
}

void Bm25Search::forget_shown() {
  for (const std::uint32_t document : shown_) {
    const std::size_t chunk = document / kChunk;
    sums_[document] = 0;
    if (maxima_[chunk] > 0) ops_.maxima(sums_.data() + chunk * kChunk, kChunk, &maxima_[chunk]);
  }
}

void Bm25Search::verify(const Block& block, std::uint32_t least, TopList& best) {
  const std::size_t chunks = block.width() / kChunk;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (maxima_[chunk] < least) continue;
    for (std::size_t document = chunk * kChunk; document < (chunk + 1) * kChunk; ++document) {
      if (sums_[document] < least) continue;
      shown_.push_back(static_cast<std::uint32_t>(document));
      sums_[document] = 0;  // less than any `least`: not again
      const auto rank = block.first() + static_cast<std::uint32_t>(document);
      if (rank != hint_) best.offer(rank, block.score(lookup_, static_cast<std::uint32_t>(document)));
      least = std::max(least, needed(best));
    }
  }
}

}  // namespace residue::index
