// The evidence of an explanation as tables and as JSON: terms, words, votes or cosines of the winner and the truth,
// side by side.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/print/table.h"
#include "query/explain/explain.h"

namespace residue::cli {

// Tables for people, each behind an empty line; "" where nothing was found. One column where there is one text to speak
// of.
std::string shown_evidence(const query::LinkExplanation& why, const Look& look);

// For programs: a row for each term, word, vote, or text; the columns depend on the linker alone.
Table evidence_table(const query::LinkExplanation& why);

// Adds "winner", "truth" and the evidence.
void add_evidence(Json& json, const query::LinkExplanation& why);

}  // namespace residue::cli
