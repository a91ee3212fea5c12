// One and the same text for different records: what a sanitizer, or a model behind it, says instead of working.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace residue::ingest {

// "5 of 5 texts are one and the same: ...", or "27 of 29 texts are 9 different ones, each of several records: ...": of
// those that count as failed for it (model/suspicion/one_for_many.h);
// where there is none, of the text, byte by byte, that most records of an aligned run have, if they had three texts or
// more before. Nothing where there is none such with a word outside its tags ("[NAME] ****"). Reads the run's texts
// once. `if_meant` is what to add to the command where the texts are no failures; empty: nothing can be added.
std::optional<std::string> same_texts_note(storage::Store& store, std::string_view dataset, std::string_view run,
                                           std::string_view if_meant);

}  // namespace residue::ingest
