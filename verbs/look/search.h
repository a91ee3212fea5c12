// `search`: the original records that match a text, with the words that match.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "query/explain/search.h"
#include "query/explain/snippet.h"
#include "storage/store.h"

namespace residue::verbs {

struct SearchOptions {
  std::string dataset, text;
  std::size_t k = query::kDefaultHits;  // at most query::kMaxHits
  std::size_t columns = 160;            // of a snippet, about
};

struct FoundRecord {
  query::TextHit hit;
  query::Snippet snippet;
};

// Best first, by BM25; none: no term of the text occurs. The index of the originals is built where it is missing. Holds
// the texts meanwhile. Throws as query::open_run.
std::vector<FoundRecord> search(storage::Store& store, const SearchOptions& options);

}  // namespace residue::verbs
