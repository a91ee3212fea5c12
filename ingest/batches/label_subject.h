// What a label is about and who says so: one label stands for each, and the next one takes its place.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace residue::ingest {

// Canonical JSON of those fields of a label's payload that say whose label of what it is: always "annotator" and "run",
// and by kind
//   support    "claim", "claim_text", "passage"     span       "start", "end" (in bytes)
//   category   "claim", "claim_text"                entity     "entity"
//   attribute  "attribute"                          response   nothing more
// A span's "weight" is another thing than the span that must be masked.
// as far as the payload has them. The record is not in it. Two labels of one kind and record that speak of the same
// thing have equal texts. As confidential as the payload.
std::string label_subject(std::string_view kind, const Json& payload);

}  // namespace residue::ingest
