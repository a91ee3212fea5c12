// Street addresses and postal codes, by their form or by the word before them.
#include <algorithm>
#include <array>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

// What streets end in, in English: "14 Crown Street".
constexpr auto kStreet = std::to_array<std::string_view>(
    {"street",  "st",      "road",      "rd",      "avenue", "ave",    "lane",     "ln",    "drive", "dr",
     "court",   "ct",      "boulevard", "blvd",    "way",    "square", "squares",  "sq",    "place", "pl",
     "terrace", "parkway", "pkwy",      "highway", "hwy",    "circle", "crescent", "close", "grove", "gardens",
     "mews",    "row",     "trail",     "alley",   "loop",   "plaza",  "walk",     "quay",  "hill",  "rise"});

// What streets are called where the number comes behind: "Via Franscini 71", and in front of "12 rue Gafsa".
constexpr auto kBefore = std::to_array<std::string_view>({"rue",
                                                          "avenue",
                                                          "boulevard",
                                                          "allee",
                                                          "all\xC3\xA9"
                                                          "e",
                                                          "place",
                                                          "chemin",
                                                          "via",
                                                          "viale",
                                                          "piazza",
                                                          "corso",
                                                          "calle",
                                                          "avenida",
                                                          "plaza",
                                                          "paseo",
                                                          "rua",
                                                          "carrer",
                                                          "ulica",
                                                          "ul",
                                                          "strada",
                                                          "rruga"});

// What names of streets end in, where they are one word: "Hauptstrasse 12", "Puruntie 82".
constexpr auto kEnding =
    std::to_array<std::string_view>({"stra\xC3\x9F"
                                     "e",
                                     "strasse",
                                     "str",
                                     "gasse",
                                     "weg",
                                     "allee",
                                     "platz",
                                     "ring",
                                     "straat",
                                     "laan",
                                     "plein",
                                     "gracht",
                                     "gade",
                                     "vej",
                                     "all\xC3\xA9",
                                     "gata",
                                     "gate",
                                     "gatan",
                                     "v\xC3\xA4gen",
                                     "veien",
                                     "vegen",
                                     "stien",
                                     "katu",
                                     "kuja",
                                     "tie",
                                     "gatu",
                                     "utca",
                                     "gasse",
                                     "bakken",
                                     "vangen",
                                     "v\xC3\xA6nget",
                                     "torget",
                                     "stigen",
                                     "tn"});

bool is_one_of(std::string_view word, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view one) { return same_word(word, one); });
}

bool ends_in_street(std::string_view word) {
  return std::ranges::any_of(kEnding, [&](std::string_view ending) {
    return word.size() > ending.size() + 2 && continues(word, word.size() - ending.size(), ending);
  });
}

// A house number at `i`: up to five digits with a letter or a range, or 0.
std::size_t house(std::string_view t, std::size_t i) {
  std::size_t end = digits(t, i, 6);
  if (end == i || end - i > 5) return 0;
  if (peek(t, end) == '-' && is_digit(peek(t, end + 1))) end = digits(t, end + 1, 5);
  if (is_alpha(peek(t, end)) && !word_at(t, end + 1)) ++end;
  return word_at(t, end) ? 0 : end;
}

// "Apt. 595", "Suite 501", "PO Box 12", "Unit 4719 Box 7394" at `i`, or 0.
std::size_t unit(std::string_view t, std::size_t i) {
  // The first letters of the names below, as capitals: most places have none of them.
  if (std::string_view("ASUFRPBC").find(peek(t, i)) == std::string_view::npos) return 0;
  for (const std::string_view name :
       words({"apartment", "apt.", "apt", "suite", "ste.", "unit", "flat", "room", "p.o. box", "po box",
              "post office box", "postbox", "psc", "box", "floor", "cmr"})) {
    if (!continues(t, i, name)) continue;
    const std::size_t next = after_space(t, i + name.size());
    if (next == 0) continue;
    const std::size_t end = house(t, next);
    if (end == 0 || unit_follows(t, end)) return 0;
    std::size_t more = peek(t, end) == ',' ? end + 1 : end;
    more = after_space(t, more);
    if (more != 0 && continues(t, more, "box ") && house(t, more + 4) != 0) return house(t, more + 4);
    return end;
  }
  return 0;
}

// With an apartment behind it: ", Apt. 4", " Suite 280".
std::size_t with_unit(std::string_view t, std::size_t end) {
  std::size_t next = peek(t, end) == ',' ? end + 1 : end;
  while (next - end < 4 && (peek(t, next) == ' ' || peek(t, next) == '\n')) ++next;
  const std::size_t more = next == end ? 0 : unit(t, next);
  return more != 0 ? more : end;
}

// A word of a street's name: capitalized, an ordinal, or a particle; the end, or 0.
std::size_t street_word(std::string_view t, std::size_t i) {
  if (const std::size_t end = name_word(t, i)) return end;
  if (is_digit(peek(t, i))) {
    const std::size_t end = digits(t, i, 4);
    for (const std::string_view suffix : words({"st", "nd", "rd", "th"})) {
      if (continues(t, end, suffix) && !word_at(t, end + 2)) return end + 2;
    }
    return 0;
  }
  for (const std::string_view particle :
       words({"de la", "de los", "du", "des", "de", "del", "della", "do", "da", "dos", "al"})) {
    if (continues_as_written(t, i, particle) && !word_at(t, i + particle.size())) return i + particle.size();
  }
  return 0;
}

// From a number on: 14 Crown Street, 12 rue de Gafsa.
std::size_t number_first(std::string_view t, std::size_t at) {
  const std::size_t number = house(t, at);
  if (number == 0 || unit_follows(t, number)) return 0;
  std::size_t next = peek(t, number) == ',' ? number + 1 : number;
  next = after_space(t, next);
  bool before = false;
  for (int words = 0; next != 0 && words < 5; ++words) {
    std::size_t letters = next;
    while (letters - next < 12 && (is_alpha(peek(t, letters)) || !is_ascii(peek(t, letters)))) ++letters;
    const std::string_view first = t.substr(next, letters - next);
    if (words == 0 && is_one_of(first, kBefore) && !is_one_of(first, kStreet)) {
      before = true;
      next = after_space(t, letters);
      continue;
    }
    const std::size_t end = street_word(t, next);
    if (end == 0) return 0;
    const std::string_view word = t.substr(next, end - next);
    if (!before && words > 0 && is_one_of(word, kStreet)) return with_unit(t, end);
    if (ends_in_street(word)) {  // 1072 Pohlstrasse 9
      const std::size_t behind = after_space(t, end);
      const std::size_t second = behind == 0 ? 0 : house(t, behind);
      return with_unit(t, second != 0 ? second : end);
    }
    const std::size_t more = after_space(t, end);
    if (before && is_upper(t[next]) && (more == 0 || street_word(t, more) == 0)) return with_unit(t, end);
    next = more;
  }
  return 0;
}

// From a name on: Hauptstrasse 12, Via Franscini 71.
std::size_t name_first(std::string_view t, std::size_t at) {
  std::size_t end = name_word(t, at);
  if (end == 0) return 0;
  // A street's name goes on, or a number follows.
  const std::size_t behind = after_space(t, peek(t, end) == '.' || peek(t, end) == ',' ? end + 1 : end);
  if (behind == 0) return 0;
  bool street = is_one_of(t.substr(at, end - at), kBefore);
  if (!street && !is_digit(peek(t, behind))) return 0;
  for (int words = 0; words < 5; ++words) {
    std::size_t begin = end;
    while (begin > at && t[begin - 1] != ' ') --begin;
    street = street || ends_in_street(t.substr(begin, end - begin));
    if (street && peek(t, end) == '.') ++end;
    std::size_t next = peek(t, end) == ',' ? end + 1 : end;
    next = after_space(t, next);
    if (next == 0) return 0;
    if (street && is_digit(peek(t, next))) {
      const std::size_t number = house(t, next);
      return number == 0 || unit_follows(t, number) || (plain_year(t, next) == number && number - next == 4)
                 ? 0
                 : with_unit(t, number);
    }
    end = street_word(t, next);
    if (end == 0 || !street) return 0;
  }
  return 0;
}

constexpr auto kStates = std::to_array<std::string_view>(
    {"AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA",
     "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR",
     "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY", "PR", "AA", "AE", "AP"});
constexpr auto kPostal = std::to_array<std::string_view>(
    {"zip", "zipcode", "zip code", "postal code", "post code", "postcode", "plz", "postleitzahl", "code postal"});

// UK: "SW1A 1AA"; Canada: "K1A 0B1".
std::size_t lettered(std::string_view t, std::size_t at) {
  std::size_t i = at;
  while (i - at < 2 && is_upper(peek(t, i))) ++i;
  if (i == at || !is_digit(peek(t, i))) return 0;
  const std::size_t letters = i - at;
  ++i;
  if (is_digit(peek(t, i)) || is_upper(peek(t, i))) ++i;
  const std::size_t next = after_space(t, i);
  if (next == 0 || !is_digit(peek(t, next)) || !is_upper(peek(t, next + 1)) || word_at(t, next + 3)) return 0;
  const bool canadian = letters == 1 && i == at + 3 && is_upper(t[i - 1]) && is_digit(peek(t, next + 2));
  return canadian || is_upper(peek(t, next + 2)) ? next + 3 : 0;
}

}  // namespace

std::size_t street(std::string_view t, std::size_t at) {
  if (is_digit(t[at])) return number_first(t, at);
  const std::size_t part = is_upper(t[at]) ? unit(t, at) : 0;
  return part != 0 ? with_unit(t, part) : name_first(t, at);
}

std::size_t postcode(std::string_view t, std::size_t at) {
  if (is_upper(t[at])) return lettered(t, at);
  std::size_t end = at;
  std::size_t numerals = 0;
  std::size_t characters = 0;
  for (; characters < 10 && end < t.size(); ++end) {
    const bool joint = (t[end] == ' ' || t[end] == '-') && end > at && is_alnum(t[end - 1]);
    if (joint && (is_digit(peek(t, end + 1)) || (is_upper(peek(t, end + 1)) && is_upper(peek(t, end + 2))))) continue;
    if (!is_digit(t[end]) && !is_upper(t[end])) break;
    numerals += is_digit(t[end]) ? 1U : 0U;
    ++characters;
  }
  if (end == at || numerals < 3 || characters > 9 || !stands_alone(t, at, end)) return 0;
  if (announced(t, at, kPostal, 3)) return end;
  // "Denver, CO 80202"
  const std::size_t five = digits(t, at, 6);
  if (five != at + 5 || at < 3 || t[at - 1] != ' ') return 0;
  std::size_t zip = five;
  if (peek(t, five) == '-' && digits(t, five + 1, 5) == five + 5) zip = five + 5;
  const std::string_view state = t.substr(at - 3, 2);
  const bool known = !word_before(t, at - 3) && std::ranges::find(kStates, state) != kStates.end();
  return known && !word_at(t, zip) && peek(t, zip) != '-' ? zip : 0;
}

}  // namespace residue::text::match
