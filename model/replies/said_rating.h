// Ratings that are said in a sentence: "I would rate this 2.", "My rating is 3", "I'd give it a 4 out of 5".
#pragma once

#include <string_view>
#include <vector>

namespace residue::model {

// The numbers, as parts of `words`, in their order: "2", "2.5", "-1". A word that is no rating of the speaker's ("a
// heart rate of 80") says none.
std::vector<std::string_view> ratings_said(std::string_view words);

}  // namespace residue::model
