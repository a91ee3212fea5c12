// Words of names, titles with names, and the white space between their parts.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "text/identifiers/matchers.h"
#include "text/identifiers/name_lists.h"

namespace residue::text::match {

namespace {

// Behind which a capitalized word is a name.
constexpr auto kTitles = std::to_array<std::string_view>(
    {"Dr",     "Mr",       "Mrs",  "Ms",     "Mx",     "Miss",    "Prof",   "Professor", "Doctor", "Dame",
     "Rev",    "Reverend", "Capt", "Herr",   "Herrn",  "Frau",    "Hr",     "Mme",       "Mlle",   "Monsieur",
     "Madame", "Sr",       "Sra",  "Srta",   "Señor",  "Señora",  "Signor", "Signora",   "Doña",   "Dra",
     "DR",     "MR",       "MRS",  "Mister", "Senhor", "Senhora", "Sgt",    "Lt"});
// Which are words of other things too ("Justice Department", "Major General", "Father Christmas"): the word behind them
// must be none that lists know as a word, a place or a firm, and no rank.
constexpr auto kRanks = std::to_array<std::string_view>(
    {"Judge",      "Justice",  "Lord",      "Lady",      "Sir",     "General",  "Colonel",   "Captain",
     "Lieutenant", "Major",    "Inspector", "Detective", "Officer", "Sergeant", "President", "Minister",
     "Senator",    "Governor", "Mayor",     "Father",    "Sister",  "Brother",  "Bishop",    "Rabbi",
     "Imam",       "Nurse",    "Attorney",  "Don",       "Pan",     "Pani"});
// What stands behind ranks and is of no person.
constexpr auto kOfNobody = std::to_array<std::string_view>(
    {"Above",     "Act",      "Airport",        "Almighty",   "Assembly",     "Attorney",    "Board",
     "Brothers",  "Cabinet",  "Chamber",        "Chancellor", "Chief",        "Christmas",   "Cities",
     "City",      "Club",     "Commissioner",   "Committee",  "Constable",    "Corporation", "Counsel",
     "Court",     "Day",      "Depot",          "Elect",      "Electric",     "Emeritus",    "Figure",
     "Force",     "Garage",   "General",        "God",        "Hall",         "House",       "Hood",
     "In",        "Jacket",   "Jesus",          "League",     "Lieutenant",   "Life",        "Major",
     "Manager",   "Motors",   "Music",          "Nature",     "Office",       "Officer",     "Order",
     "Palace",    "Pacific",  "American",       "Party",      "Practitioner", "Practice",    "Prime",
     "Privy",     "Provost",  "Public",         "Register",   "Regulation",   "Rights",      "School",
     "Secretary", "Ship",     "Sister",         "Staff",      "State",        "States",      "Store",
     "Street",    "Superior", "Superintendent", "Supper",     "System",       "Talk",        "Team",
     "Time",      "Training", "Union",          "Ward"});
constexpr auto kParticles =
    std::to_array<std::string_view>({"de",  "la",  "las", "los", "del", "der", "den", "van", "von", "da",  "di", "do",
                                     "dos", "das", "du",  "le",  "el",  "al",  "bin", "ibn", "ter", "ten", "zu", "y"});

// For each capital, the second letters of titles and ranks that begin with it, as bits: most words have none of them.
constexpr std::array<std::uint32_t, 26> kSecondLetters = [] {
  std::array<std::uint32_t, 26> letters{};
  const auto add = [&](std::string_view word) {
    letters[static_cast<std::size_t>(word[0] - 'A')] |= 1U << (static_cast<unsigned>(word[1]) % 32U);
  };
  for (const std::string_view word : kTitles) add(word);
  for (const std::string_view word : kRanks) add(word);
  return letters;
}();

bool begins_title(char first, char second) {
  return is_upper(first) && is_alpha(second) &&
         (kSecondLetters[static_cast<std::size_t>(first - 'A')] >> (static_cast<unsigned>(second) % 32U) & 1U) != 0;
}

// A word that the lists know as one and not as a name: such begin sentences.
bool no_name(std::string_view word) {
  const NameBits bits = NameLists::own().bits_of(word);
  return bits.has(NameBits::kWord) && !bits.has(NameBits::kLast);
}

// Whether the word behind a rank is a name: no word, place or firm of the lists that is no name besides, no heading.
bool names_behind_rank(std::string_view t, std::size_t rank_end) {
  const std::size_t next = next_of_name(t, rank_end, 0);
  const std::size_t end = next == 0 ? 0 : name_word(t, next);
  if (end == 0) {  // "Don de la Cruz"
    std::size_t particle = next;
    while (next != 0 && particle - next < 4 && is_lower(peek(t, particle))) ++particle;
    const std::string_view word = next == 0 ? std::string_view() : t.substr(next, particle - next);
    return !word.empty() && !word_at(t, particle) && std::ranges::find(kParticles, word) != kParticles.end();
  }
  const std::string_view word = t.substr(next, end - next);
  const auto is = [&](std::string_view one) { return one == word; };
  if (std::ranges::any_of(kOfNobody, is) || is_organisation_word(word) || is_calendar_word(word)) return false;
  const NameBits bits = NameLists::own().bits_of(word);
  if (bits.has(NameBits::kWord | NameBits::kPlace | NameBits::kOrganisation))
    return bits.has(NameBits::kFirst | NameBits::kLast);
  constexpr auto kOfThings =
      std::to_array<std::string_view>({"tion", "sion", "ment", "ness", "ology", "ations", "ship"});
  return std::ranges::none_of(kOfThings, [&](std::string_view ending) { return word.ends_with(ending); });
}

// The end of the title at `i` with its full stop, or 0. A rank before a title is one too, at most `ranks` of them.
std::size_t title(std::string_view t, std::size_t i, int ranks = 3) {
  const char second = peek(t, i + 1);
  const auto at = [&](std::string_view word) {
    return word[1] == second && t.substr(i, word.size()) == word && !word_at(t, i + word.size());
  };
  const bool may_be = begins_title(peek(t, i), second);
  const auto* const word = may_be ? std::ranges::find_if(kTitles, at) : kTitles.end();
  if (word != kTitles.end()) {
    const std::size_t end = i + word->size();
    const std::size_t dotted = peek(t, end) == '.' ? end + 1 : end;
    // "Dr. med. Oyelaran"
    return *word == "Dr" && continues(t, dotted, " med.") ? dotted + 5 : dotted;
  }
  const auto* const rank = may_be ? std::ranges::find_if(kRanks, at) : kRanks.end();
  if (rank != kRanks.end()) {
    const std::size_t end = i + rank->size();
    const std::size_t next = after_space(t, end);
    const bool titled = ranks > 1 && next != 0 && title(t, next, ranks - 1) != 0;  // "Major General Sir Hew"
    return titled || names_behind_rank(t, end) ? end : 0;
  }
  // "M. Dupont": a capital with a full stop is an initial, unless a sentence begins with it or an article is before.
  if (t[i] == 'M' && second == '.' && peek(t, i + 2) == ' ' &&
      (i == 0 || t[i - 1] == '\n' || t.substr(0, i).ends_with(". ")))
    return names_behind_rank(t, i + 2) ? i + 2 : 0;
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
