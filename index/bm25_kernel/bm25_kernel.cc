#include "index/bm25_kernel/bm25_kernel.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "index/bm25_kernel/bm25_block.h"
#include "index/bm25_kernel/bm25_bounds.h"
#include "index/bm25_kernel/bm25_places.h"
#include "index/bm25_kernel/bm25_search.h"

namespace residue::index {
namespace {

// Postings read before they are given to the blocks.
constexpr std::uint64_t kPostingsAtOnce = std::uint64_t{1} << 22;

// Bounds the memory of rows to this many bytes per document.
constexpr std::size_t kMaxRowTerms = 512;

// Queries that one task takes through all blocks: enough to keep a block's frequent rows warm.
constexpr std::size_t kQueriesAtOnce = 256;

using Facts = std::vector<TermFacts>;

}  // namespace

struct Bm25Kernel::Impl {
  KernelOptions options;
  std::vector<double> norms;
  std::vector<LargeTf> large;
  Facts facts;
  std::vector<Block> blocks;

  void make_blocks(std::uint64_t postings) {
    const auto all = static_cast<std::uint32_t>(norms.size());
    for (std::uint32_t first = 0; first < all; first += options.block) {
      const std::uint32_t size = std::min(options.block, all - first);
      if (postings / all * size > ~std::uint32_t{0} / 4) {
        throw Error(Code::kInternal, "too many postings for a block", "please report this");
      }
      blocks.emplace_back(first, size).reserve(postings * size / all * 17 / 16);
    }
  }

  // Terms [first, end), read in parallel, then given to the blocks in parallel.
  void read_terms(const PostingSource& source, std::uint32_t first, std::uint32_t end) {
    std::vector<std::vector<Posting>> lists(end - first);
    parallel_ranges(lists.size(), 16, [&](const TaskRange& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        source.read(first + static_cast<std::uint32_t>(i), lists[i]);
      }
    });
    parallel_ranges(blocks.size(), 1, [&](const TaskRange& range) {
      for (std::size_t b = range.begin(); b != range.end(); ++b) fill(blocks[b], lists);
    });
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (const Posting& posting : lists[i]) {
        if (posting.tf >= 255) large.push_back({posting.rank, first + static_cast<std::uint32_t>(i), posting.tf});
      }
    }
  }

  static void fill(Block& block, const std::vector<std::vector<Posting>>& lists) {
    for (const auto& list : lists) {
      for (const Posting& posting : list) {
        if (posting.rank - block.first() >= block.size()) continue;
        block.add(posting.rank, static_cast<std::uint8_t>(std::min(posting.tf, 255U)));
      }
      block.end_term();
    }
  }

  void read(const PostingSource& source) {
    const auto terms = static_cast<std::uint32_t>(source.terms());
    for (std::uint32_t first = 0; first < terms;) {
      std::uint64_t postings = 0;
      std::uint32_t end = first;
      while (end < terms && postings < kPostingsAtOnce) postings += source.containing(end++);
      read_terms(source, first, end);
      first = end;
    }
    std::sort(large.begin(), large.end(),
              [](const LargeTf& a, const LargeTf& b) { return a.rank != b.rank ? a.rank < b.rank : a.term < b.term; });
  }

  // The terms that get rows.
  std::vector<std::uint32_t> frequent(const PostingSource& source, std::uint64_t documents) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t term = 0; term < source.terms(); ++term) {
      if (std::uint64_t{source.containing(term)} * options.row_share > documents) chosen.push_back(term);
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return source.containing(a) > source.containing(b); });
    if (chosen.size() > kMaxRowTerms) chosen.resize(kMaxRowTerms);
    return chosen;
  }

  void find_max_impacts() {
    parallel_ranges(facts.size(), 1024, [&](const TaskRange& range) {
      for (std::size_t term = range.begin(); term != range.end(); ++term) {
        for (const Block& block : blocks) {
          const Block::List list = block.list(static_cast<std::uint32_t>(term));
          for (std::size_t i = 0; i < list.size; ++i) {
            facts[term].max_impact = std::max(facts[term].max_impact, list.impacts[i]);
          }
        }
      }
    });
  }
};

Bm25Kernel::Bm25Kernel(const PostingSource& source, std::span<const double> norms, std::uint64_t documents,
                       KernelOptions options)
    : impl_(new Impl{options, {norms.begin(), norms.end()}, {}, Facts(source.terms()), {}}) {
  std::uint64_t postings = 0;
  for (std::uint32_t term = 0; term < source.terms(); ++term) {
    postings += source.containing(term);
    impl_->facts[term].idf = bm25_idf(documents, source.containing(term));
  }
  impl_->make_blocks(postings);
  impl_->read(source);
  const auto row_terms = impl_->frequent(source, documents);
  for (std::uint32_t row = 0; row < row_terms.size(); ++row) impl_->facts[row_terms[row]].row = row;
  parallel_ranges(impl_->blocks.size(), 1, [&](const TaskRange& range) {
    for (std::size_t b = range.begin(); b != range.end(); ++b) {
      impl_->blocks[b].finish(impl_->large, impl_->norms, row_terms);
    }
  });
  impl_->find_max_impacts();
}

Bm25Kernel::~Bm25Kernel() = default;

std::vector<std::vector<RankedHit>> Bm25Kernel::top(std::span<const KernelQuery> queries, std::size_t k) const {
  std::vector<std::vector<RankedHit>> results(queries.size());
  if (k == 0 || impl_->blocks.empty()) return results;
  const RowOps& ops = row_ops(impl_->options.simd);
  tbb::enumerable_thread_specific<Bm25Search> searches([&] { return Bm25Search(impl_->facts, ops, k); });
  const std::size_t groups = (queries.size() + kQueriesAtOnce - 1) / kQueriesAtOnce;
  parallel_ranges(groups, 1, [&](const TaskRange& range) {
    Bm25Search& search = searches.local();
    for (std::size_t i = range.begin() * kQueriesAtOnce; i < std::min(queries.size(), range.end() * kQueriesAtOnce);
         ++i) {
      results[i] = search.run(queries[i], impl_->blocks);
    }
  });
  return results;
}

std::vector<Place> Bm25Kernel::places(std::span<const KernelQuery> queries) const {
  std::vector<Place> places(queries.size());
  std::vector<double> own(queries.size());
  const auto weight = [&](const KernelTerm& term) { return impl_->facts[term.term].idf * term.wqf; };
  struct Work {
    std::vector<std::uint32_t> terms;
    std::vector<double> weights;
    QueryTerms lookup;
    std::vector<double> sums;
  };
  tbb::enumerable_thread_specific<Work> works;
  parallel_ranges(queries.size(), 64, [&](const TaskRange& range) {
    Work& work = works.local();
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      work.terms.clear();
      work.weights.clear();
      for (const KernelTerm& term : queries[i].terms) {
        work.terms.push_back(term.term);
        work.weights.push_back(weight(term));
      }
      work.lookup.set(work.terms, work.weights);
      own[i] = score(work.lookup, queries[i].hint);
    }
  });
  for (const Block& block : impl_->blocks) {
    const ExactPostings postings(block, impl_->norms, impl_->facts.size());
    parallel_ranges(queries.size(), 16, [&](const TaskRange& range) {
      std::vector<double>& sums = works.local().sums;
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        sums.assign(block.size(), 0.0);
        for (const KernelTerm& term : queries[i].terms) postings.add(term.term, weight(term), sums.data());
        count_scores(sums, own[i], places[i]);
      }
    });
  }
  for (Place& place : places) --place.level;  // itself
  return places;
}

std::span<const double> Bm25Kernel::norms() const { return impl_->norms; }

std::size_t Bm25Kernel::terms() const { return impl_->facts.size(); }

double Bm25Kernel::idf(std::uint32_t term) const { return impl_->facts[term].idf; }

std::uint64_t Bm25Kernel::containing(std::uint32_t term) const {
  std::uint64_t documents = 0;
  for (const Block& block : impl_->blocks) documents += block.list(term).size;
  return documents;
}

double Bm25Kernel::most(std::uint32_t term) const { return impl_->facts[term].max_impact / 255.0; }

void Bm25Kernel::read(std::uint32_t rank, std::vector<DocumentTerm>& out) const {
  const Block& block = impl_->blocks[rank / impl_->options.block];
  block.read(rank - block.first(), out);
}

double Bm25Kernel::score(const QueryTerms& query, std::uint32_t rank) const {
  const Block& block = impl_->blocks[rank / impl_->options.block];
  return block.score(query, rank - block.first());
}

}  // namespace residue::index
