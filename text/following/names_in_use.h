// Full names that no list knows, and that a record uses as names.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/following/record_words.h"
#include "text/identifiers/name_lists.h"

namespace residue::text {

// Full names, of two capitalized words and more, that no entity has whole and that the record shows to be names:
//
// - "(born" stands behind them;
// - no list knows their words, or all but one ("Fletcher Turcotte"), and the record says the last one alone as well
// ("Rolf Disch is an architect. Disch built
//   ...") or all of them again, or the first one alone does something ("Rolf spent ..."); never behind "the" or "in",
//   and never words that the record has in small letters too: those are of other things.
//
// Views of `record`. Cost: linear.
std::vector<std::span<const RecordWord>> names_in_use(const RecordWords& record, const NameLists& lists);

// A word that no list knows and that does not end as words for things do.
bool is_unknown_name(const RecordWord& word, const NameLists& lists);

// Behind which capitalized words are of things more often than persons: "the", "in".
bool stands_before_things(std::string_view key);

}  // namespace residue::text
