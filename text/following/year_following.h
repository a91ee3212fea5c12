// Years found once in a record are found again throughout it: "in 1998 ... c. 1998, class of 1998 (1998 to 2004)".
//
//   text, entities ──> all years, joined to lists and ranges ──> those of which one is known ──> entities
//
// A year that stays beside one that is replaced says by how much that one was moved. Pure, linear, no locale.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/identifiers/recognizers.h"

namespace residue::text {

// Where the years of dates and years among `found` (in order, disjoint) stand again as whole numbers, and where years
// stand that are joined to such a one ("1998, 2000 and 2002", "1998 to 2004", "1998-2004", "1998/99"), in order,
// disjoint, and apart from all of `found`. Numbers before a unit ("2000 mg") and years that laws are called by ("the
// 1998 Act") are none. A year between low lines, and one beside something that was found, is whole ("cv_1998.pdf").
std::vector<Entity> follow_years(std::string_view text, std::span<const Entity> found);

}  // namespace residue::text
