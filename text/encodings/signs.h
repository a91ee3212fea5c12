// Signs, white space and letters: where words and letters are joined by what stands for a space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {

// What may stand for a space, or between letters.
inline constexpr std::string_view kSigns = "_.-+|/~*=#,:;^";
inline constexpr std::uint8_t kNoSign = 255;

inline constexpr std::array<std::uint8_t, 256> kSignAt = [] {
  std::array<std::uint8_t, 256> at{};
  at.fill(kNoSign);
  for (std::uint8_t i = 0; i < kSigns.size(); ++i) at[static_cast<unsigned char>(kSigns[i])] = i;
  return at;
}();

// The place of `c` in kSigns, or kNoSign.
inline std::uint8_t sign_at(char c) { return kSignAt[static_cast<unsigned char>(c)]; }

// How many bytes of white space beyond ASCII stand at `at`; 0: none.
std::size_t wide_blank_at(std::string_view text, std::size_t at);

// How many bytes of white space stand at `at`, Unicode's too; 0: none.
inline std::size_t blank_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (static_cast<unsigned char>(c) >= 0x80) return wide_blank_at(text, at);
  return c == ' ' || (c >= '\t' && c <= '\r') ? 1 : 0;
}

// ASCII's, or a byte of a letter of at most two bytes: in scripts beyond, texts without spaces are no disguise.
inline bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_alpha(c) || (byte >= 0x80 && byte < 0xE0);
}

// The chunks between white space.
std::vector<Span> chunks_of(std::string_view text);

// The signs in a row around the one at `at`: up to three of one, empty where there are more; dots, dashes and what
// stands between clauses stand alone.
Span row_of_signs(std::string_view text, std::size_t at);

// Whether the sign at `at`, with those in a row, stands between letters, or between letters or digits.
bool joins_letters(std::string_view text, std::size_t at);
bool joins(std::string_view text, std::size_t at);

// How often a sign stands between letters or digits, and how many letters that text has.
struct Joints {
  std::array<std::size_t, kSigns.size()> count{};
  std::size_t underscores = 0;  // between letters
  std::size_t letters = 0;
};
Joints joints_of(std::string_view text);

}  // namespace residue::text
