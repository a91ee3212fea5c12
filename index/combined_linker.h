// An attacker who holds several releases of the same people: scores are summed over them, the best record wins.
//
//   query ─┬─> linker of release 1 ─┐
//          └─> linker of release 2 ─┴─ sum per candidate, in order of the releases ──> hits
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"

namespace residue::index {

class CombinedLinker final : public Linker {
 public:
  // `releases`: at least one; a candidate id means the same record in each. `candidates`: all of theirs.
  CombinedLinker(std::vector<std::unique_ptr<Linker>> releases, CandidateTable candidates);

  // A candidate that some release lacks, or that shares no term with the query there, gets nothing from it. Sums of
  // doubles in order of the releases. Cost: a full ranking per release and query. Memory: about 50 MB beside the
  // releases' own.
  std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const override;

 private:
  std::vector<std::unique_ptr<Linker>> releases_;
  CandidateTable candidates_;
};

}  // namespace residue::index
