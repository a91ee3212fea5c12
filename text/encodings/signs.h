// Signs, white space and letters: where words and letters are joined by what stands for a space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

// What may stand for a space, or between letters.
inline constexpr std::string_view kSigns = "_.-+|/~*=#,:;^";
inline constexpr std::uint8_t kNoSign = 255;

// The place of `c` in kSigns, or kNoSign.
std::uint8_t sign_at(char c);

// How many bytes of white space stand at `at`, Unicode's too; 0: none.
std::size_t blank_at(std::string_view text, std::size_t at);

// ASCII's, or a byte of a letter of at most two bytes: in scripts beyond, texts without spaces are no disguise.
bool is_letter(char c);

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
