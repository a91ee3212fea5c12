#include "text/encodings/leet.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/ascii.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewestPlaces = 3;
constexpr std::size_t kFewestLetters = 8;  // A letter that is missing from fewer says nothing.
constexpr std::size_t kRare = 6;           // A letter that is written so seldom for one that is encoded.

struct Sign {
  char sign;
  char letter;
  bool frequent;  // in English, so that its absence says something
};
constexpr Sign kLeet[] = {{'0', 'o', true},  {'1', 'i', true},  {'1', 'l', true},  {'3', 'e', true},
                          {'4', 'a', true},  {'5', 's', true},  {'7', 't', true},  {'@', 'a', true},
                          {'$', 's', true},  {'!', 'i', true},  {'|', 'l', true},  {'+', 't', true},
                          {'2', 'z', false}, {'6', 'g', false}, {'8', 'b', false}, {'9', 'g', false}};
constexpr std::string_view kReadAlone = "013457";
// Words that tell a language from codes; each has letters that are encoded. English, and what its neighbours share.
constexpr std::string_view kTelling[] = {
    "the", "of",  "and", "to",   "in",   "is",  "was",  "for",  "with",  "he",   "she",   "his",
    "her", "has", "had", "from", "that", "on",  "at",   "are",  "were",  "they", "have",  "not",
    "it",  "as",  "an",  "who",  "no",   "or",  "but",  "this", "which", "also", "after", "der",
    "die", "das", "und", "ist",  "von",  "mit", "ein",  "eine", "sie",   "le",   "la",    "les",
    "de",  "des", "est", "une",  "dans", "il",  "elle", "el",   "los",   "que",  "en",    "una",
    "es",  "con", "di",  "che",  "non",  "het", "een",  "van",  "met",   "och",  "det",   "som"};

bool is_vowel(char c) { return std::string_view("aeiouy").find(static_cast<char>(c | 0x20)) != std::string_view::npos; }

// What an ASCII character may be in such a word.
enum class Part : std::uint8_t { kNone, kLetter, kSign };
constexpr std::array<Part, 256> kParts = [] {
  std::array<Part, 256> parts{};
  for (int c = 0; c < 128; ++c) {
    const bool letter = is_alpha(static_cast<char>(c));
    parts[static_cast<std::size_t>(c)] = letter ? Part::kLetter : Part::kNone;
  }
  for (const Sign& one : kLeet) parts[static_cast<unsigned char>(one.sign)] = Part::kSign;
  return parts;
}();
Part part_of(char c) { return kParts[static_cast<unsigned char>(c)]; }
bool is_sign(char c) { return part_of(c) == Part::kSign; }

// Letters and signs in a row with a letter and a sign; signs that are no digits stand between others.
std::vector<Span> mixed_words(std::string_view text) {
  std::vector<Span> out;
  const auto inside = [&](std::size_t i) { return i < text.size() && part_of(text[i]) != Part::kNone; };
  for (std::size_t at = 0; at < text.size();) {
    if (!is_sign(text[at])) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at;
    while (begin > 0 && inside(begin - 1)) --begin;
    while (inside(end)) ++end;
    Span word{begin, end};
    const auto ends = [](char c) { return c == '!' || c == '+' || c == '|'; };
    while (word.end > word.begin && ends(text[word.end - 1])) --word.end;
    while (word.begin < word.end && ends(text[word.begin])) ++word.begin;
    const std::string_view letters = slice(text, word);
    const bool address =
        letters.find('@') != std::string_view::npos && end < text.size() && text[end] == '.' && inside(end + 1);
    if (!address && std::any_of(letters.begin(), letters.end(), is_alpha) &&
        std::any_of(letters.begin(), letters.end(), is_sign)) {
      out.push_back(word);
    }
    at = end;
  }
  return out;
}

// The ending of the number that ends in `digit`: 1st, 22nd, 3rd, 54th.
bool is_ending(std::string_view letters, char digit) {
  return letters == (digit == '1' ? "st" : digit == '2' ? "nd" : digit == '3' ? "rd" : "th");
}
bool is_ordinal(std::string_view word) {
  const auto end = word.find_first_not_of("0123456789");
  return end != 0 && end != std::string_view::npos &&
         (is_ending(word.substr(end), word[end - 1]) || (end > 1 && word[end - 2] == '1' && word.substr(end) == "th"));
}

// A name or word whose digits stand for letters, whatever the rest of the text is: single ones between small letters
// but for a first capital. A code has its only digit before its last letter; 4th is a number.
bool reads_alone(std::string_view word) {
  if (word.size() < 4 || !is_alpha(word.front()) || !is_alpha(word.back())) return false;
  std::size_t signs = 0, last = 0;
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (is_lower(word[i])) continue;
    if (kReadAlone.find(word[i]) == std::string_view::npos || last + 1 == i + (signs == 0 ? 1 : 0)) return false;
    ++signs;
    last = i;
  }
  const std::string_view rest = word.substr(last + 1);
  return signs * 2 < word.size() && (signs > 1 || (rest.size() > 1 && !is_ending(rest, word[last])));
}

}  // namespace

std::optional<std::string> without_leet(std::string_view text) {
  const std::vector<Span> words = mixed_words(text);
  const auto alone_at = [&](Span span) { return !is_ordinal(slice(text, span)) && reads_alone(slice(text, span)); };
  if (words.size() < kFewestPlaces && std::none_of(words.begin(), words.end(), alone_at)) return std::nullopt;
  std::array<std::size_t, 128> written{}, places{};
  // Capitals are often left as they are.
  const bool shouted =
      std::count_if(text.begin(), text.end(), is_upper) > std::count_if(text.begin(), text.end(), is_lower);
  for (const char c : text) {
    if (shouted ? is_alpha(c) : is_lower(c)) ++written[static_cast<unsigned char>(c | 0x20)];
  }
  for (const Span span : words) {
    for (const char c : slice(text, span)) ++places[static_cast<unsigned char>(c) & 0x7FU];
  }
  std::array<char, 128> letter{};
  std::size_t frequent = 0;
  bool either = false;  // 1 is i or l
  const auto encoded = [&](const Sign& one) {
    const std::size_t count = places[static_cast<unsigned char>(one.sign)];
    return count > 0 && written[static_cast<unsigned char>(one.letter)] * kRare <= count;
  };
  std::size_t total = 0;
  for (const Sign& one : kLeet) {
    if (!one.frequent || !encoded(one)) continue;
    char& found = letter[static_cast<unsigned char>(one.sign)];
    either = either || (one.sign == '1' && found != 0);
    if (found == 0) total += places[static_cast<unsigned char>(one.sign)];
    if (found == 0) found = one.letter;
    frequent += found == one.letter ? 1 : 0;
  }
  std::size_t letters = 0, signs = 0, woven = 0;  // signs between letters, where codes hardly have them
  for (const Span span : words) {
    std::size_t run = 0;
    for (std::size_t at = span.begin; at < span.end; ++at) {
      if (is_sign(text[at])) {
        ++signs;
        ++run;
        continue;
      }
      if (is_alpha(text[at])) ++letters;
      if (at > span.begin + run) woven += run;
      run = 0;
    }
  }
  const auto tells = [&](Span span) {
    std::string read;
    for (const char c : slice(text, span)) {
      const char found = letter[static_cast<unsigned char>(c) & 0x7FU];
      read += found != 0 ? found : static_cast<char>(c | 0x20);
    }
    return std::find(std::begin(kTelling), std::end(kTelling), read) != std::end(kTelling);
  };
  const bool whole = frequent > 1 && total >= kFewestPlaces && words.size() >= kFewestPlaces &&
                     letters >= kFewestLetters && woven * 4 > signs && std::any_of(words.begin(), words.end(), tells);
  for (const Sign& one : kLeet) {
    if (whole && !one.frequent && encoded(one)) letter[static_cast<unsigned char>(one.sign)] = one.letter;
  }
  std::string out(text);
  bool changed = false;
  for (const Span span : words) {
    const std::string_view word = slice(text, span);
    if (is_ordinal(word)) continue;
    const bool capitals =
        std::none_of(word.begin(), word.end(), is_lower) && std::count_if(word.begin(), word.end(), is_alpha) > 1;
    const bool alone = reads_alone(word);
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char sign = word[i];
      if (!is_sign(sign)) continue;
      char read = whole ? letter[static_cast<unsigned char>(sign)] : '\0';
      const bool guessed = read == 0 && alone;
      if (guessed) {
        read =
            std::find_if(std::begin(kLeet), std::end(kLeet), [&](const Sign& one) { return one.sign == sign; })->letter;
      }
      if (read == 0) continue;
      if (sign == '1' && (guessed || either)) {
        const bool between = i > 0 && i + 1 < word.size() && is_vowel(out[span.begin + i - 1]) && is_vowel(word[i + 1]);
        read = between ? 'l' : 'i';
      }
      out[span.begin + i] = capitals ? static_cast<char>(read & ~0x20) : read;
      changed = true;
    }
  }
  // Ann'5 is Ann's.
  const char possessive = whole ? letter['5'] : '\0';
  for (std::size_t at = out.find('5'); possessive != 0 && at != std::string::npos; at = out.find('5', at + 1)) {
    const std::string_view before = std::string_view(out).substr(0, at);
    const bool ends = at + 1 == out.size() || part_of(out[at + 1]) == Part::kNone;
    if (!ends || !(before.ends_with("'") || before.ends_with("\u2019"))) continue;
    out[at] = possessive;
    changed = true;
  }
  if (!changed) return std::nullopt;
  return out;
}

}  // namespace residue::text
