// The last resort of the embedded judges: a claim in which they find no words is compared as it is written.
#pragma once

#include <optional>
#include <string_view>

#include "query/judge/judge.h"

namespace residue::query {

// 1 where `claim`, without blanks around it and its final full stop, occurs in `passage` byte for byte, else 3; nothing
// for a blank claim, which asserts nothing: it must count as missing, not as private.
std::optional<Rating> rate_verbatim(std::string_view passage, std::string_view claim);

}  // namespace residue::query
