#include "text/encodings/escaped/bytes.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr unsigned char kFirst = 0x80, kLast = 0x9F;

// Of kFirst to kLast; 0 where it has none.
constexpr std::array<char16_t, 32> kWindows = {0x20AC, 0,      0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                               0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17D,  0,
                                               0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                               0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0,      0x17E,  0x178};

}  // namespace

char32_t windows_1252(unsigned char byte) { return kWindows[byte - kFirst]; }

unsigned char byte_of(char32_t c) {
  constexpr char32_t kEnd = 0x100;
  if (c >= kFirst && c < kEnd) return static_cast<unsigned char>(c);
  if (c < kEnd) return 0;
  const auto found = std::find(kWindows.begin(), kWindows.end(), c);
  return found == kWindows.end() ? 0 : static_cast<unsigned char>(kFirst + (found - kWindows.begin()));
}

std::size_t beyond_ascii_at(std::string_view bytes, std::size_t at) {
  const CodePoint c = code_point_at(bytes, at);
  return c.value >= kFirst && c.bytes > 1 ? c.bytes : 0;
}

std::optional<std::string> said_by(std::string_view bytes) {
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
  };
  if (std::any_of(bytes.begin(), bytes.end(), control)) return std::nullopt;
  if (valid_utf8(bytes)) return std::string(bytes);
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const char32_t value = byte >= kFirst && byte <= kLast ? windows_1252(byte) : byte;
    if (value == 0) return std::nullopt;
    append_utf8(out, value);
  }
  return out;
}

std::optional<char32_t> hex_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  char32_t value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    const char low = static_cast<char>(text[i] | 0x20);
    if (!is_digit(text[i]) && (low < 'a' || low > 'f')) return std::nullopt;
    value = value * 16 + static_cast<char32_t>(is_digit(text[i]) ? text[i] - '0' : low - 'a' + 10);
  }
  return value;
}

}  // namespace residue::text
