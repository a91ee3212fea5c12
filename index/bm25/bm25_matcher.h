// One query by Xapian's matcher: the peer that the other ways are measured against.
// Behind the Xapian wall (index/xapian_db.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "index/bm25/bm25_index.h"
#include "index/scored.h"

namespace residue::index {

// The best `k` > 0 of an index that is not empty, rescored exactly; nothing if too many documents score like the k-th.
std::optional<std::vector<Hit>> matcher_top(const Bm25Index& index, const NamedTerms& terms, std::size_t k);

}  // namespace residue::index
