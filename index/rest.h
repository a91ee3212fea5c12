// The best candidate when some candidates are left out, from a ranking that has them.
//
//   hits of Linker::top ── without those left out ──> the best of the rest, or how much deeper to search
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "index/linker.h"

namespace residue::index {

struct Rest {
  std::optional<Hit> best = {};  // `tied`: others that are not left out; nothing: no other candidate is a hit
  // Not 0: `hits` cannot tell. The best so many hits of the same query can.
  std::size_t needs = 0;
};

// `hits`: the best `k` of one query, as Linker::top gives them. `left_out`: ascending, each once.
Rest best_of_rest(std::span<const Hit> hits, std::size_t k, std::span<const CandidateId> left_out);

}  // namespace residue::index
