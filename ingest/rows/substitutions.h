// What stands for what in a sanitized text: the table that a substituting sanitizer keeps of one record (ZSTS, LOP).
#pragma once

#include <string>

#include "ingest/read/value.h"

namespace residue::ingest {

// Canonical JSON [[original, replacement], ...] in the order of the file, from such a list, a list of {"original",
// "replacement"} or an object {original: replacement}; a string holds one of these as JSON (CSV). The empty list is
// a table too. Throws Refusal for anything else, and where one of a pair is empty.
std::string canonical_substitutions(const Value& value);

}  // namespace residue::ingest
