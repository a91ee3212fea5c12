// Words of names, titles with names, and the white space between their parts.
#include <algorithm>
#include <array>
#include <string_view>

#include "text/identifiers/matchers.h"
#include "text/identifiers/name_lists.h"

namespace residue::text::match {

namespace {

constexpr auto kTitles = std::to_array<std::string_view>(
    {"Dr",     "Mr",      "Mrs",      "Ms",     "Mx",       "Miss", "Prof",    "Professor", "Doctor",
     "Sir",    "Dame",    "Lady",     "Rev",    "Reverend", "Capt", "Captain", "Herr",      "Frau",
     "Mme",    "Mlle",    "Monsieur", "Madame", "Sr",       "Sra",  "Srta",    "Señor",     "Señora",
     "Signor", "Signora", "Doña",     "Dra",    "DR",       "MR",   "MRS"});
constexpr auto kParticles =
    std::to_array<std::string_view>({"de",  "la",  "las", "los", "del", "der", "den", "van", "von", "da",  "di", "do",
                                     "dos", "das", "du",  "le",  "el",  "al",  "bin", "ibn", "ter", "ten", "zu", "y"});

// A word that the lists know as one and not as a name: such begin sentences.
bool no_name(std::string_view word) {
  const NameBits bits = NameLists::own().bits_of(word);
  return bits.has(NameBits::kWord) && !bits.has(NameBits::kLast);
}

// The end of the title at `i` with its full stop, or 0.
std::size_t title(std::string_view t, std::size_t i) {
  const char second = peek(t, i + 1);
  for (const std::string_view word : kTitles) {
    if (word[1] != second || t.substr(i, word.size()) != word) continue;
    const std::size_t end = i + word.size();
    if (word_at(t, end)) continue;
    return peek(t, end) == '.' ? end + 1 : end;
  }
  return 0;
}

// The end of initials of which the first one and its full stop end at `i`: "F.", "F.L.", "J.-P.", "F.L" at a word's
// end.
std::size_t initials(std::string_view t, std::size_t i) {
  std::size_t end = i;
  for (int letters = 1; letters < 8; ++letters) {
    const std::size_t next = peek(t, end) == '-' ? end + 1 : end;
    if (next >= t.size()) return end;
    const Decoded letter = decode(t, next);
    if (letter.point < 0 || u_isUUppercase(letter.point) == 0) return end;
    if (peek(t, letter.next) != '.') return next == end && !word_at(t, letter.next) ? letter.next : end;
    end = letter.next + 1;
  }
  return end;
}

// Whether a line end may be within the name whose last word ends at `end`, the first or a later one of its words: a
// name goes on behind a first name, and behind one word that is no surname. "Ana Ruiz\nDirector" is whole.
bool unfinished(std::string_view t, std::size_t end, int words) {
  if (words == 0 || t[end - 1] == '.') return true;
  std::size_t begin = end;
  while (begin > 0 && end - begin < 64 && word_before(t, begin)) --begin;
  if (is_lower(peek(t, begin))) return true;  // "van"
  const NameBits bits = NameLists::own().bits_of(t.substr(begin, end - begin));
  if (bits.has(NameBits::kLast)) return false;
  if (bits.has(NameBits::kFirst)) return true;
  return words == 1 && !bits.has(NameBits::kPlace | NameBits::kOrganisation | NameBits::kWord);
}

// Whether a name that a line end cut may go on with the word at `i`: not with a heading, a label, a greeting's next
// sentence, nor with another person's first name, which is found by itself.
bool goes_on(std::string_view t, std::size_t i) {
  const std::size_t end = name_word(t, i);
  if (end == 0) return is_lower(peek(t, i));  // "van": what stands behind it decides
  const std::string_view word = t.substr(i, end - i);
  const NameBits bits = NameLists::own().bits_of(word);
  const bool other = bits.has(NameBits::kWord | NameBits::kFirst | NameBits::kPlace | NameBits::kOrganisation);
  if (other && !bits.has(NameBits::kLast)) return false;
  constexpr auto kOfThings = std::to_array<std::string_view>({"tion", "sion", "ment", "ness", "ology", "ations"});
  if (std::ranges::any_of(kOfThings, [&](std::string_view ending) { return word.ends_with(ending); })) return false;
  return peek(t, end) != ':' && !is_calendar_word(word) && !is_organisation_word(word);
}

}  // namespace

std::size_t next_of_name(std::string_view t, std::size_t i, int words) {
  if (const std::size_t next = after_space(t, i); next != 0 && peek(t, next) > ' ') return next;
  constexpr std::size_t kMostSpace = 24;
  std::size_t next = i, lines = 0;
  for (; next - i < kMostSpace; ++next) {
    const char c = peek(t, next);
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') break;
    lines += c == '\n' ? 1U : 0U;
  }
  if (next == i || next - i == kMostSpace || next >= t.size()) return 0;
  // Two spaces are a slip, more are a table's.
  if (lines == 0) return next - i <= 2 ? next : 0;
  return lines == 1 && unfinished(t, i, words) && goes_on(t, next) ? next : 0;
}

std::size_t name_word(std::string_view t, std::size_t i) {
  if (i >= t.size()) return 0;
  const Decoded first = decode(t, i);
  if (first.point < 0 || u_isUUppercase(first.point) == 0) return 0;
  std::size_t end = first.next;
  while (end < t.size() && end - i < 64) {
    if (word_at(t, end) && !is_digit(t[end]) && t[end] != '_') {
      end = decode(t, end).next;
      continue;
    }
    const std::size_t mark = t[end] == '\'' || t[end] == '-'     ? end + 1
                             : continues(t, end, "\xE2\x80\x99") ? end + 3
                                                                 : 0;
    if (mark == 0 || !word_at(t, mark) || is_digit(peek(t, mark))) break;
    if (t[end] != '-' && peek(t, mark) == 's' && !word_at(t, mark + 1)) break;
    end = mark;
  }
  if (end == first.next && peek(t, end) == '.') return initials(t, end + 1);
  return end;
}

std::size_t name(std::string_view t, std::size_t at) {
  std::size_t i = title(t, at);
  if (i == 0) return 0;
  std::size_t result = 0;
  int names = 0;
  for (int words = 0; words < 7; ++words) {
    const std::size_t next = next_of_name(t, i, names);
    if (next == 0) break;
    if (result == 0) {
      if (const std::size_t second = title(t, next); second != 0) {  // Prof. Dr. Hoffmann
        i = second;
        continue;
      }
    }
    if (const std::size_t end = name_word(t, next)) {
      if (result != 0 && t[i - 1] == '.' && no_name(t.substr(next, end - next))) break;  // "by Mr F.L. She"
      i = end;
      if (t[end - 1] != '.') ++names;
      // A single capital with a full stop counts only before another name: "Dr. K. Smith", not "Miss X. She". Several
      // are a name: "Mr F.L."
      if (t[end - 1] != '.' || t.substr(next, end - 1 - next).find('.') != std::string_view::npos) result = end;
      continue;
    }
    std::size_t end = next;
    while (end - next < 4 && is_lower(peek(t, end))) ++end;
    const std::string_view word = t.substr(next, end - next);
    if (word_at(t, end) || std::ranges::find(kParticles, word) == kParticles.end()) break;
    i = end;
  }
  return result;
}

}  // namespace residue::text::match
