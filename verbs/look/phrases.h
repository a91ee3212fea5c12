// `leaks --phrases`: which phrases of a run one person's originals alone have, worst first.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "query/corpus/phrase_list.h"
#include "storage/store.h"

namespace residue::verbs {

struct PhrasesOptions {
  std::string dataset, run;
  std::size_t limit = 0;  // 0: all
  std::size_t memory_bytes = query::kPhraseMemory;
  std::function<bool()> interrupted = {};
};

// Holds the texts meanwhile: nobody removes them. Throws as query::load_phrases.
query::RunPhrases phrases(storage::Store& store, const PhrasesOptions& options);

}  // namespace residue::verbs
