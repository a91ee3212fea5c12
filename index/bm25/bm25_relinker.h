// The relinker over a run's index: texts as terms, candidates as ranks.
// Behind the Xapian wall (index/xapian_db.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/bm25/bm25_batch.h"
#include "index/bm25/bm25_relink.h"
#include "index/relinker.h"

namespace residue::text {
class Analyzer;
}

namespace residue::index {

class Bm25Relinker final : public Relinker {
 public:
  // All must outlive it. Analyzes the earlier texts; see Bm25Linker::relinker.
  Bm25Relinker(const Bm25Index& index, const Bm25Batch& batch, const text::Analyzer& analyzer,
               const DocumentChange& change);

  std::vector<Decision> decide(std::span<const Query> queries, std::span<const Standing> standings,
                               std::size_t k) const override;

 private:
  struct Gone {
    CollectionSize size;
    std::vector<std::uint32_t> containing;
  };
  static Gone gone_in(const DocumentChange& change, const Bm25Batch& batch, const text::Analyzer& analyzer);
  Bm25Relinker(const Bm25Index& index, const Bm25Batch& batch, const text::Analyzer& analyzer,
               const std::vector<std::uint32_t>& changed, const Gone& gone);
  [[nodiscard]] Decision translated(const RankedDecision& from) const;

  const Bm25Index& index_;
  const Bm25Batch& batch_;
  const text::Analyzer& analyzer_;
  Bm25Relink relink_;
};

}  // namespace residue::index
