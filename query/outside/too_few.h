// When two samples are too small to be compared, in words.
#pragma once

#include <cstddef>
#include <string>

namespace residue::query {

// Empty: there are kLeastOutside persons on each side.
std::string too_few(std::size_t members, std::size_t controls);

}  // namespace residue::query
