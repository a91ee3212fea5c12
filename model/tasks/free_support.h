// Ratings in free text: what models write that were not told to keep to a form.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/tasks/claim_support.h"

namespace residue::model {

// As often as there are claims "rating: R", whole and from 1 to 3, in their order; "claim N" before one has to agree.
// "**Rating**: 2", "rating 2.", "Rating = 2/3" are ratings; "rating: 2.5", "rating: 4", "rating: 3 or 2", "rating: [1,
// 2, 3]", "rating: 3; or maybe 1" make the answer unusable. Of several claims that are not named so, each has a line of
// its own, whose first number, if any, is the claim's. `claims`: their words, or as many empty texts where nobody knows
// them; where what stands at a rating has more of another claim's words than of its own, the claims are out of order.
SupportAnswer parse_free_support(std::string_view text, std::span<const std::string> claims);

}  // namespace residue::model
