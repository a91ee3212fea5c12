// leaks --phrases: the rare phrases of a run as a table, CSV and JSON.
#pragma once

#include <cstddef>

#include "cli/command.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::cli {

struct PhraseFlags {
  std::size_t limit = 0;  // 0: all
  std::size_t memory_mib = 0;
  bool no_text = false;
};

int leaks_phrases(Context& context, storage::Store& store, const storage::Target& target, const PhraseFlags& flags);

}  // namespace residue::cli
