// A text in the letters that analyzers (text/words/analyzer.h) cut into words.
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

// Decoded, and as it is read. `written` itself, or what `store` holds then.
std::string_view as_analyzed(std::string_view written, std::string& store);

}  // namespace residue::text
