// Substitutions taken back: a text about a sanitized one, told in the original's words again.
//
//   text ── words ──> replacements found, the longest first ──> the originals' words
//
// ZSTS, "Question Answering": the substitution table used in reverse.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue::text {

// (original, replacement), in the order of the table.
using Substitutions = std::vector<std::pair<std::string, std::string>>;

// The words of `text` (Analyzer::plain()) with every occurrence of a replacement told as its original. From left to
// right: of several replacements that begin at a word the longest in words counts, of equal ones the first of the
// table. What was put in is not looked at again. Cost: words of the text times rows of the table.
std::vector<std::string> restored_words(std::string_view text, const Substitutions& table);

}  // namespace residue::text
