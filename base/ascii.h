// Questions about ASCII characters, whatever the locale.
#pragma once

namespace residue {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace residue
