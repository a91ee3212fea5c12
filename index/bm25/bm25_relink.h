// The kernel's part of linking again: exact scores of the few documents that can be best, a bound for all others.
//
//   documents kept of the last search ──┐
//   own document ───────────────────────┼─> exact scores ──> those above the bound are the best of all, in order
//   changed documents (own small index) ┘
//
// Of the changed documents only those are scored that can exceed the bound: a term's weight counts as optional while
// all optional ones together stay below it (MaxScore, Turtle and Flood 1995).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/bm25_kernel/bm25_block.h"
#include "index/bm25_kernel/bm25_kernel.h"
#include "index/relink_bound.h"

namespace residue::index {

// Standing and decision by rank (index/relinker.h).
struct RankedStanding {
  std::vector<std::uint32_t> best;
  double rest = 0;
};

struct RankedDecision {
  bool link_open = true;
  bool rank_open = true;
  std::vector<RankedHit> hits;
  RankedStanding standing;
};

// Documents with at least one term, and the term occurrences in all of them.
struct CollectionSize {
  std::uint64_t documents = 0;
  std::uint64_t length = 0;

  [[nodiscard]] double average() const { return static_cast<double>(length) / static_cast<double>(documents); }
};

class Bm25Relink {
 public:
  // `now`: the kernel's collection. `changed`: ranks whose document came or changed. `gone`: the collection of
  // documents that went or changed, and in how many of them each of the kernel's terms was. The kernel must outlive it.
  Bm25Relink(const Bm25Kernel& kernel, CollectionSize now, std::span<const std::uint32_t> changed, CollectionSize gone,
             std::span<const std::uint32_t> gone_containing);

  // One thread's work space.
  struct Work {
    std::vector<std::uint32_t> terms;
    std::vector<double> weights;
    QueryTerms lookup;
    std::vector<BoundTerm> bound;
    std::vector<RankedHit> known;
    std::vector<std::uint32_t> order;
    std::vector<double> sums;  // by changed document; zero between queries
    std::vector<std::uint32_t> touched;
  };

  // `before` is of the documents without the change; its `best` are documents of the kernel. `own`: as the hint.
  [[nodiscard]] RankedDecision decide(const KernelQuery& query, const RankedStanding& before, std::size_t k,
                                      Work& work) const;

 private:
  struct Part {  // of a term, in a changed document
    std::uint32_t document;
    double saturation;
  };
  void index_changed();
  [[nodiscard]] std::span<const Part> parts_of(std::uint32_t term) const {
    return std::span(parts_).subspan(ends_[term], ends_[term + 1] - ends_[term]);
  }
  void look_up(const KernelQuery& query, Work& work) const;
  [[nodiscard]] double bound(double rest, std::span<const KernelTerm> terms, Work& work) const;
  // Adds the changed documents that score more than `least`.
  void add_changed(double least, Work& work) const;
  // Of the touched documents those whose sum and `more` exceed `least`; the sums of the others become 0.
  static void keep_touched(double least, double more, Work& work);
  [[nodiscard]] bool rank_open(std::uint32_t own, double bound, std::size_t k, const Work& work) const;

  const Bm25Kernel& kernel_;
  double stretch_ = 1, shrink_ = 1;
  std::vector<double> idf_before_;  // by term; 0: no unchanged document has it
  std::vector<std::uint32_t> changed_;
  std::vector<bool> is_changed_;     // by rank
  std::vector<std::uint32_t> ends_;  // by term, in parts_
  std::vector<Part> parts_;
};

}  // namespace residue::index
