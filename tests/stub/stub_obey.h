// A model that does as the passage says.
#pragma once

#include <string>

namespace residue::stub {

// White space as single spaces.
std::string one_line(const std::string& text);

// What a passage wants every claim to be rated; 0: it says nothing of it.
int wanted_rating(const std::string& passage);

}  // namespace residue::stub
