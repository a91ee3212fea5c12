// Numbers that identify: bank accounts, cards, phones, and any other number that is long enough.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/identifiers/checksums.h"
#include "text/identifiers/matchers.h"

namespace residue::text {

bool luhn_valid(std::string_view number) {
  int sum = 0;
  std::size_t seen = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    if (!is_digit(number[i])) continue;
    int value = number[i] - '0';
    if (seen++ % 2 == 1) value = value * 2 - (value > 4 ? 9 : 0);
    sum += value;
  }
  return seen > 0 && sum % 10 == 0;
}

namespace {

struct CountryLength {
  char country[3];
  std::uint8_t length;
};

// The IBAN registry (SWIFT, 2023): total length by country.
constexpr CountryLength kIbanLengths[] = {
    {"AD", 24}, {"AE", 23}, {"AL", 28}, {"AT", 20}, {"AZ", 28}, {"BA", 20}, {"BE", 16}, {"BG", 22}, {"BH", 22},
    {"BR", 29}, {"BY", 28}, {"CH", 21}, {"CR", 22}, {"CY", 28}, {"CZ", 24}, {"DE", 22}, {"DK", 18}, {"DO", 28},
    {"EE", 20}, {"EG", 29}, {"ES", 24}, {"FI", 18}, {"FO", 18}, {"FR", 27}, {"GB", 22}, {"GE", 22}, {"GI", 23},
    {"GL", 18}, {"GR", 27}, {"GT", 28}, {"HR", 21}, {"HU", 28}, {"IE", 22}, {"IL", 23}, {"IQ", 23}, {"IS", 26},
    {"IT", 27}, {"JO", 30}, {"KW", 30}, {"KZ", 20}, {"LB", 28}, {"LC", 32}, {"LI", 21}, {"LT", 20}, {"LU", 20},
    {"LV", 21}, {"LY", 25}, {"MC", 27}, {"MD", 24}, {"ME", 22}, {"MK", 19}, {"MR", 27}, {"MT", 31}, {"MU", 30},
    {"NL", 18}, {"NO", 15}, {"PK", 24}, {"PL", 28}, {"PS", 29}, {"PT", 25}, {"QA", 29}, {"RO", 24}, {"RS", 22},
    {"SA", 24}, {"SC", 31}, {"SE", 24}, {"SI", 19}, {"SK", 24}, {"SM", 27}, {"ST", 25}, {"SV", 28}, {"TL", 23},
    {"TN", 24}, {"TR", 26}, {"UA", 29}, {"VA", 22}, {"VG", 24}, {"XK", 20}};

char to_upper(char c) { return residue::is_lower(c) ? static_cast<char>(c - 32) : c; }

std::size_t iban_length(char first, char second) {
  for (const auto& row : kIbanLengths) {
    if (row.country[0] == to_upper(first) && row.country[1] == to_upper(second)) return row.length;
  }
  return 0;
}

}  // namespace

bool iban_valid(std::string_view iban) {
  std::string letters;
  for (const char c : iban) {
    if (c != ' ' && c != '-') letters.push_back(to_upper(c));
  }
  if (letters.size() < 5 || letters.size() != iban_length(letters[0], letters[1])) return false;
  std::rotate(letters.begin(), letters.begin() + 4, letters.end());
  unsigned rest = 0;
  for (const char c : letters) {
    if (!match::is_alnum(c)) return false;
    rest = is_digit(c) ? (rest * 10 + static_cast<unsigned>(c - '0')) % 97
                              : (rest * 100 + static_cast<unsigned>(c - 'A') + 10) % 97;
  }
  return rest == 1;
}

namespace match {

namespace {

// Groups of digits with one separator between two of them, as numbers are written for people.
struct Groups {
  std::array<std::size_t, 24> length{};
  std::array<std::size_t, 24> end{};
  std::size_t count = 0;
  std::size_t total = 0;
};

// Reads groups from `at`. All separators are the same byte of `separators`, the first one decides.
Groups read_groups(std::string_view t, std::size_t at, std::string_view separators, std::size_t longest = 32) {
  Groups groups;
  char separator = '\0';
  std::size_t i = at;
  while (groups.count < groups.length.size()) {
    const std::size_t end = digits(t, i, longest);
    if (end == i) break;
    groups.length[groups.count] = end - i;
    groups.end[groups.count++] = end;
    groups.total += end - i;
    const char next = peek(t, end);
    if (separators.find(next) == std::string_view::npos || next == '\0' || !is_digit(peek(t, end + 1))) break;
    if (separator != '\0' && next != separator) break;
    separator = next;
    i = end + 1;
  }
  return groups;
}

std::size_t end_of(const Groups& groups) { return groups.count == 0 ? 0 : groups.end[groups.count - 1]; }

// "tel. 976 555 014", "reached on 555-0134", "781 1704 office": is the number [at, end) said to be a phone number?
bool said_to_be_phone(std::string_view t, std::size_t at, std::size_t end) {
  constexpr auto kBefore = std::to_array<std::string_view>(
      {"phone*",  "telephone", "tel",  "mobile", "cell", "fax",  "pager",   "telefon", "ext",       "whatsapp",
       "hotline", "landline",  "call", "called", "ring", "dial", "reached", "reach",   "answering", "text"});
  if (announced(t, at, kBefore, 3)) return true;
  constexpr auto kBehind =
      std::to_array<std::string_view>({"office", "fax", "mobile", "cell", "home", "work", "phone"});
  const std::size_t next = peek(t, end) == ' ' || peek(t, end) == '-' ? end + 1 : end;
  return next != end && std::ranges::any_of(kBehind, [&](std::string_view word) {
           return continues(t, next, word) && !word_at(t, next + word.size());
         });
}

// The end of "x4587", " ext. 12" behind a number that ends at `end`; `end` where there is none.
std::size_t extension(std::string_view t, std::size_t end) {
  std::size_t i = peek(t, end) == ',' ? end + 1 : end;
  if (peek(t, i) == ' ') ++i;
  for (const std::string_view word : words({"extension ", "ext. ", "ext ", "ext.", "x"})) {
    if (!continues(t, i, word)) continue;
    const std::size_t more = digits(t, i + word.size(), 7);
    return more == i + word.size() || word_at(t, more) ? end : more;
  }
  return end;
}

// The end of a phone number [at, end) with its extension, or 0 where it is a piece of something longer.
std::size_t phone_end(std::string_view t, std::size_t at, std::size_t end) {
  const std::size_t all = extension(t, end);
  return stands_alone(t, at, all) && !unit_follows(t, all) ? all : 0;
}

// Digits with separators in any mixture and bracketed area codes; at most 15 digits (ITU-T E.164).
struct Dialled {
  std::size_t end = 0;
  std::size_t count = 0;
};
Dialled read_dialled(std::string_view t, std::size_t at) {
  Dialled read;
  std::size_t i = at;
  while (i < t.size()) {
    const bool bracket = t[i] == '(';
    const std::size_t from = bracket ? i + 1 : i;
    const std::size_t end = digits(t, from, 16);
    if (end == from || (bracket && peek(t, end) != ')')) break;
    if (read.count + (end - from) > 15) break;
    read.count += end - from;
    read.end = i = bracket ? end + 1 : end;
    std::size_t next = i;
    if (std::string_view(" -./").find(peek(t, next)) != std::string_view::npos && next < t.size()) ++next;
    if (!is_digit(peek(t, next)) && peek(t, next) != '(') break;
    i = next;
  }
  return read;
}

// Do cards of `digits` digits begin so? ISO/IEC 7812 gives 2 to 6 to payment; JCB once began cards of 15 digits with
// 1800, and the 12 digits of Maestro have few beginnings.
bool issued(std::string_view first, std::size_t digits) {
  if (first[0] == '1') return first == "1800" && digits == 15;
  if (digits == 12) {
    constexpr auto kMaestro =
        std::to_array<std::string_view>({"5018", "5020", "5038", "5893", "6304", "6759", "6761", "6762", "6763"});
    return std::ranges::find(kMaestro, first) != kMaestro.end();
  }
  return digits >= 13 && digits <= 19;
}

bool north_american(std::string_view t, std::size_t at, std::size_t& end) {
  std::size_t i = at;
  if (peek(t, i) == '1' && (peek(t, i + 1) == '-' || peek(t, i + 1) == '.' || peek(t, i + 1) == ' ')) i += 2;
  const bool bracket = peek(t, i) == '(';
  if (bracket) ++i;
  if (digits(t, i, 4) != i + 3 || t[i] < '2') return false;
  i += 3;
  if (bracket) {
    if (peek(t, i) != ')') return false;
    ++i;
    if (peek(t, i) == ' ' || peek(t, i) == '-') ++i;
  } else {
    if (std::string_view("-. ").find(peek(t, i)) == std::string_view::npos || i >= t.size()) return false;
    ++i;
  }
  if (digits(t, i, 4) != i + 3 || t[i] < '2') return false;
  i += 3;
  const char separator = peek(t, i);
  if (separator != '-' && separator != '.' && separator != ' ') return false;
  ++i;
  if (digits(t, i, 5) != i + 4) return false;
  end = i + 4;
  return true;
}

}  // namespace

std::size_t iban(std::string_view t, std::size_t at) {
  if (!is_alpha(peek(t, at + 1)) || !is_digit(peek(t, at + 2)) || !is_digit(peek(t, at + 3))) return 0;
  const std::size_t length = iban_length(t[at], t[at + 1]);
  if (length == 0) return 0;
  std::size_t i = at;
  for (std::size_t seen = 0; seen < length; ++seen) {
    if (seen > 0 && (peek(t, i) == ' ' || peek(t, i) == '-')) ++i;
    if (!is_alnum(peek(t, i))) return 0;
    ++i;
  }
  return !word_at(t, i) && iban_valid(t.substr(at, i - at)) ? i : 0;
}

std::size_t card(std::string_view t, std::size_t at) {
  if (t[at] < '1' || t[at] > '6') return 0;
  const Groups groups = read_groups(t, at, " -", 20);
  const std::size_t end = end_of(groups);
  if (!issued(t.substr(at, 4), groups.total) || !stands_alone(t, at, end)) return 0;
  bool fours = true;
  for (std::size_t k = 0; k + 1 < groups.count; ++k) fours = fours && groups.length[k] == 4;
  fours = fours && groups.length[groups.count - 1] <= 4;
  const bool amex = groups.count == 3 && groups.length[0] == 4 && groups.length[1] == 6;
  if (groups.count != 1 && !fours && !amex) return 0;
  return luhn_valid(t.substr(at, end - at)) ? end : 0;
}

std::size_t phone(std::string_view t, std::size_t at) {
  if ((is_digit(t[at]) && date(t, at) != 0) || (at > 0 && t[at - 1] == '-' && t[at] != '+')) return 0;
  const bool plus = t[at] == '+';
  const bool zeros = t[at] == '0' && peek(t, at + 1) == '0' && peek(t, at + 2) >= '1' && peek(t, at + 2) <= '9';
  if (plus || zeros) {
    if (plus && (peek(t, at + 1) < '1' || peek(t, at + 1) > '9')) return 0;
    const Dialled read = read_dialled(t, plus ? at + 1 : at + 2);
    if (read.count >= (plus ? 8U : 9U)) {
      if (const std::size_t end = phone_end(t, at, read.end)) return end;
    }
    if (plus) return 0;
  }
  if (std::size_t end = 0; north_american(t, at, end) && peek(t, end) != '-') {
    if (const std::size_t all = phone_end(t, at, end)) return all;
  }
  if (t[at] == '(') {  // (030) 23125772, (64) 3591-3246
    const std::size_t area = digits(t, at + 1, 6) - at - 1;
    const Dialled read = read_dialled(t, at);
    const bool groups = area >= 2 && area <= 4 && read.count >= area + 6;
    return (peek(t, at + 1) == '0' || groups) && read.count >= 8 && read.count <= 12 ? phone_end(t, at, read.end) : 0;
  }
  if (t[at] == '0' && peek(t, at + 1) != '0') {
    std::size_t from = at;
    // A slash or dash only after the area code: 030/23125 772.
    const std::size_t area = digits(t, at, 6);
    if ((peek(t, area) == '/' || peek(t, area) == '-') && is_digit(peek(t, area + 1)) && area - at >= 3)
      from = area + 1;
    const Groups groups = read_groups(t, from, " .-", 12);
    const std::size_t total = groups.total + (from == at ? 0 : area - at);
    const bool area_code = from != at || groups.length[0] >= 2;  // not 0.123456789
    if (area_code && total >= 9 && total <= 12) {
      if (const std::size_t end = phone_end(t, at, end_of(groups))) return end;
    }
  }
  const Dialled read = read_dialled(t, at);
  return read.count >= 6 && said_to_be_phone(t, at, read.end) ? phone_end(t, at, read.end) : 0;
}

std::size_t number(std::string_view t, std::size_t at) {
  std::size_t from = at;
  while (from - at < 4 && is_upper(peek(t, from))) ++from;  // HH-2289017, AB123456
  if (from > at && peek(t, from) == '-') ++from;
  if (!is_digit(peek(t, from))) return 0;
  // A run of any length is one number: consume it, so that the scan stays linear.
  std::size_t end = from;
  while (is_digit(peek(t, end))) ++end;
  std::size_t total = end - from;
  Groups groups;
  if (total <= 10) {
    groups = read_groups(t, from, " -", 12);
    const bool spaced = groups.count > 1 && t[groups.end[0]] == ' ';
    const bool long_group =
        std::any_of(groups.length.begin(), groups.length.begin() + static_cast<std::ptrdiff_t>(groups.count),
                    [](std::size_t n) { return n >= 3; });
    const bool short_group =
        std::any_of(groups.length.begin(), groups.length.begin() + static_cast<std::ptrdiff_t>(groups.count),
                    [](std::size_t n) { return n < 2; });
    const bool range = groups.count == 2 && groups.length[0] == groups.length[1] && groups.length[0] <= 4;
    const bool joined = groups.count > 1 && long_group && !short_group && !range &&
                        groups.total >= (spaced              ? 9U
                                         : groups.count == 2 ? 8U
                                                             : 6U);
    if (joined) {
      end = end_of(groups);
      total = groups.total;
    }
  }
  if (total < 6 || !stands_alone(t, at, end) || unit_follows(t, end)) return 0;
  if (peek(t, end) == '-' && is_digit(peek(t, end + 1)) && groups.count < 2) return 0;
  return end;
}

}  // namespace match
}  // namespace residue::text
