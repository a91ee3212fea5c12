// Models that let themselves be led: by what the passage says, or by the other claims of a request.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace residue::stub {

// White space as single spaces.
std::string one_line(const std::string& text);

// What a passage wants every claim to be rated; 0: it says nothing of it.
int wanted_rating(const std::string& passage);

// What one claim is rated among these: another number as soon as any of them or their order changes, most of the time.
int rating_among(const std::string& passage, const std::vector<std::string>& claims, std::size_t which);

}  // namespace residue::stub
