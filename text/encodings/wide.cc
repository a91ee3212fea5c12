#include "text/encodings/wide.h"

#include <cstddef>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewest = 4;  // letters

// The ASCII character that `c` is in wide, or as a tag that nobody sees, or 0.
char narrow(char32_t c) {
  constexpr char32_t kFirst = 0xFF01, kLast = 0xFF5E, kSpace = 0x3000, kTag = 0xE0020, kLastTag = 0xE007E;
  if (c == kSpace) return ' ';
  if (c >= kTag && c <= kLastTag) return static_cast<char>(c - kTag + ' ');
  return c >= kFirst && c <= kLast ? static_cast<char>(c - kFirst + '!') : '\0';
}

// Hands over each code point with its ASCII character, or 0. The tags behind a black flag say whose it is.
template <class F>
void each_narrowed(std::string_view text, const F& take) {
  constexpr char32_t kFlag = 0x1F3F4, kTags = 0xE0020, kTagsEnd = 0xE0080;
  bool flag = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    flag = c.value == kFlag || (flag && c.value >= kTags && c.value < kTagsEnd);
    take(Span{at, at + c.bytes}, c.value, flag ? '\0' : narrow(c.value));
    at += c.bytes;
  }
}

// Kana, Han and Hangul, and what stands between them.
bool is_east_asian(char32_t c) {
  return (c >= 0x3041 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x20000 && c <= 0x3FFFF);
}

}  // namespace

std::optional<std::string> without_wide(std::string_view text) {
  constexpr char kWide = '\xEF', kTag = '\xF3';  // They begin with these.
  if (text.find(kWide) == std::string_view::npos && text.find(kTag) == std::string_view::npos) return std::nullopt;
  std::size_t letters = 0, others = 0;
  each_narrowed(text, [&](Span, char32_t c, char ascii) {
    letters += is_alpha(ascii) ? 1 : 0;
    others += is_east_asian(c) ? 1 : 0;
  });
  if (letters < kFewest || letters <= others) return std::nullopt;
  std::string out;
  each_narrowed(text, [&](Span span, char32_t, char ascii) {
    if (ascii != '\0') {
      out += ascii;
    } else {
      out += slice(text, span);
    }
  });
  return out;
}

}  // namespace residue::text
