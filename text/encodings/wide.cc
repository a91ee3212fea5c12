#include "text/encodings/wide.h"

#include <cstddef>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewest = 4;  // letters

// The ASCII character that `c` is in wide, or 0.
char narrow(char32_t c) {
  constexpr char32_t kFirst = 0xFF01, kLast = 0xFF5E, kSpace = 0x3000;
  if (c == kSpace) return ' ';
  return c >= kFirst && c <= kLast ? static_cast<char>(c - kFirst + '!') : '\0';
}

// Kana, Han and Hangul, and what stands between them.
bool is_east_asian(char32_t c) {
  return (c >= 0x3041 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x20000 && c <= 0x3FFFF);
}

}  // namespace

std::optional<std::string> without_wide(std::string_view text) {
  if (text.find('\xEF') == std::string_view::npos) return std::nullopt;  // Wide letters begin with it.
  std::size_t letters = 0, others = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    letters += is_alpha(narrow(c.value)) ? 1 : 0;
    others += is_east_asian(c.value) ? 1 : 0;
    at += c.bytes;
  }
  if (letters < kFewest || letters <= others) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    if (const char ascii = narrow(c.value); ascii != '\0') {
      out += ascii;
    } else {
      out += text.substr(at, c.bytes);
    }
    at += c.bytes;
  }
  return out;
}

}  // namespace residue::text
