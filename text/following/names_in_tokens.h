// Names of a record within longer tokens: file names, handles, hosts ("polatkan_cv.pdf", "Polatkan2020").
#pragma once

#include <functional>
#include <vector>

#include "text/characters/unicode.h"
#include "text/following/name_parts.h"
#include "text/following/record_words.h"

namespace residue::text {

// A token is a run of letters, digits, low lines, hyphens and apostrophes that has a digit or low line, a small
// letter before a capital, or several capitals before a small letter. Its pieces are its letters between all other
// signs, also parted where a small letter stands before a capital and before the last of several capitals
// ("PDFPolatkan"); a piece behind "Mc", "De" and the like is none. A piece of at least four letters that names a person
// or an organisation of the record by itself, in any case, also with an s behind it, and is no word besides, is that
// name; so are pieces that make up the whole name of one, and of a person's name the other parts beside it, of whatever
// length ("cem_polatkan", "PolatkanCem").
//
// Spans of record.text(), in order, disjoint; what is not free has been found, and parts what stands beside it. Cost:
// one pass.
struct NameInToken {
  Span span;
  EntityType type = EntityType::kName;
};
std::vector<NameInToken> names_in_tokens(const RecordWords& record, const NameParts& parts,
                                         const std::function<bool(Span)>& is_free);

}  // namespace residue::text
