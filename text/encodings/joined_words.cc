#include "text/encodings/joined_words.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewestHumps = 3;
constexpr std::size_t kRare = 3;      // A space to so many humps.
constexpr std::size_t kShortest = 3;  // letters of a word, on average

// Of addresses and programs.
bool is_code(char c) { return std::string_view("@/\\_{}[]<>=\"").find(c) != std::string_view::npos; }

// Whether a word begins with the character at `at` behind one that ends another.
bool is_hump(std::string_view text, std::size_t at) {
  return at > 0 && is_upper(text[at]) && (is_lower(text[at - 1]) || is_digit(text[at - 1]));
}

// Whether a space was left out there.
bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0 || is_blank(text[at - 1])) return false;
  const char before = text[at - 1], here = text[at];
  if (is_hump(text, at)) return true;
  if (is_upper(here) && is_upper(before)) return at + 1 < text.size() && is_lower(text[at + 1]);  // "ATailor"
  if (is_digit(here)) return is_lower(before);
  const bool stop = std::string_view(".,;:!?)").find(before) != std::string_view::npos;
  return stop && is_alpha(here) && at > 1 && !is_blank(text[at - 2]);
}

struct Letters {
  std::size_t humps = 0, capitals = 0, all = 0;
};
Letters letters_of(std::string_view text) {
  Letters out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out.humps += is_hump(text, at) ? 1 : 0;
    out.capitals += is_upper(text[at]) ? 1 : 0;
    out.all += is_alpha(text[at]) ? 1 : 0;
  }
  return out;
}

}  // namespace

std::optional<std::string> without_joined_words(std::string_view text) {
  const auto blanks = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_blank));
  if (letters_of(text).humps < std::max(kFewestHumps, kRare * blanks)) return std::nullopt;
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_blank(text[end]) == is_blank(text[begin])) ++end;
    const std::string_view chunk = text.substr(begin, end - begin);
    const Letters letters = letters_of(chunk);
    const bool joined = letters.humps >= kFewestHumps && letters.all >= kShortest * (letters.humps + 1) &&
                        2 * letters.capitals <= 3 * (letters.humps + 1) &&
                        std::none_of(chunk.begin(), chunk.end(), is_code);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (joined && begins_word(chunk, i)) out += ' ';
      out += chunk[i];
    }
    begin = end;
  }
  if (out == text) return std::nullopt;
  return out;
}

}  // namespace residue::text
