// What somebody else says for a span (a model, a program) held against the text: a tag or a phrase that says the words
// that it should hide.
#pragma once

#include <string>
#include <string_view>

namespace residue::ingest {

// `tagged` as a tag may show it: itself, without the "B-" or "I-" of a tagger, where it is of 1 to 32 letters, digits
// and low lines (ASCII, of either case; the tag has capitals) and where the text, `small_text` in small letters, has
// none of its words, usual names of types
// ("person", "GPE") aside; else "masked".
std::string safe_type(std::string_view small_text, const std::string& tagged);

// Whether `phrase` says `words` or what is telling in them, as it is read, in letters of either case and without
// accents: all of them in a row, a number, or a word of a name (one that the lists know, or capitalized and no word
// that they know). Cost: linear in both.
bool repeats_words(std::string_view phrase, std::string_view words);

// Whether a word tells who or what is meant: a number, or a word of a name. `written` is how it stands in the words
// that it is of, `word` the same as it is read; `first`: they begin with it, so its capital says little.
bool is_telling(std::string_view written, std::string_view word, bool first);

}  // namespace residue::ingest
