// A text that tests encode, and what such a text reads as.
#pragma once

#include <string>
#include <string_view>

#include "text/encodings/decoded.h"

namespace residue::text {

inline std::string read(std::string_view text) {
  std::string store;
  return std::string(decoded(text, store));
}

inline constexpr std::string_view kPlain =
    "Ann Holt is 54 years old and lives in Oslo. She sells old clocks, and her sister keeps bees.";

}  // namespace residue::text
