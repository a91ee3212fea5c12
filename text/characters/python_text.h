// What Python's str calls white space: scores of reference code written in Python depend on it.
#pragma once

#include <string_view>

#include "text/characters/unicode.h"

namespace residue::text {

constexpr bool is_ascii_python_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
}

// str.isspace() of one character: Unicode's white space and the four separators U+001C to U+001F.
inline bool is_python_space(char32_t c) { return c < 0x80 ? is_ascii_python_space(c) : is_space(c); }

// Calls `f(Span)` for every word of str.split(), in order.
template <class F>
void for_each_python_word(std::string_view text, F&& f) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t begin = kNone;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const CodePoint c = byte < 0x80 ? CodePoint{byte, 1} : code_point_at(text, at);
    const bool space = is_python_space(c.value);
    if (space && begin != kNone) {
      f(Span{begin, at});
      begin = kNone;
    } else if (!space && begin == kNone) {
      begin = at;
    }
    at += c.bytes;
  }
  if (begin != kNone) f(Span{begin, text.size()});
}

// str.strip() and str.rstrip().
std::string_view python_strip(std::string_view text);
std::string_view python_rstrip(std::string_view text);

}  // namespace residue::text
