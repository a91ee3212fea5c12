// Texts that differ in white space and letter case alone.
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

// What is read of the text (as_read.h), without white space: equal for texts that differ in spaces, line ends and
// letter case alone.
std::string as_read_without_space(std::string_view text);

}  // namespace residue::text
