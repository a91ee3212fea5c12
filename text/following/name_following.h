// Names found once in a record are found again throughout it: "Mr Cengiz Polat was arrested. Polat's lawyer ..."
//
//   text, entities ──> names and their parts ──> every word of the text, looked up ──> entities between those
//
// Pure, linear, no locale.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::text {

// Where names, places and organisations among `found` (of the whole text, in order, disjoint) stand again, in order,
// disjoint, and apart from all of `found`:
//
// - of a person the words of the name, joined initials ("F.L.") and the initials of a full name, with the initials
//   before them, never the 's behind them;
// - of an organisation and a place the whole name; of a firm also the name without "Ltd"; of an institution that is
//   called by its kind and something more ("Ministry of Justice"), the only one of its kind here, also "the Ministry".
//
// - of a person and an organisation also within longer tokens (names_in_tokens.h): file names, handles.
//
// Letters of either case count as the same. A part of a name that is also a word ("Rose", "Will"; known by the lists,
// by a list of ours, or because the record has it in small letters behind "the", "to", "she" ...) counts only where it
// is capitalized and can be no word: not where a sentence begins, unless 's or another part of a name stands beside
// it, and not within another capitalized phrase. Months and what people are called for their office ("President") are
// no part of a name.
std::vector<Entity> follow_names(std::string_view text, std::span<const Entity> found, const NameLists& lists);

}  // namespace residue::text
