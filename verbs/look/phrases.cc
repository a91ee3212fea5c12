#include "verbs/look/phrases.h"

namespace residue::verbs {

query::RunPhrases phrases(storage::Store& store, const PhrasesOptions& options) {
  const storage::Lock held = store.hold_texts();
  return query::load_phrases(store, options.dataset, options.run, options.limit,
                             {options.memory_bytes, options.interrupted});
}

}  // namespace residue::verbs
