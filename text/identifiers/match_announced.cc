// Numbers and words that identify because of the word before them: passports, licences, files, user names.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

// Capitals and digits with single hyphens between them, four to twenty of them, `least` digits.
std::size_t code(std::string_view t, std::size_t at, std::size_t least) {
  const auto part = [](char c) { return is_digit(c) || is_upper(c); };
  std::size_t i = at;
  std::size_t characters = 0;
  std::size_t numerals = 0;
  for (; i < t.size() && characters <= 20; ++i) {
    if (part(t[i])) {
      ++characters;
      numerals += is_digit(t[i]) ? 1U : 0U;
    } else if (t[i] != '-' || i == at || t[i - 1] == '-' || !part(peek(t, i + 1))) {
      break;
    }
  }
  return characters < 4 || characters > 20 || numerals < least || word_at(t, i) ? 0 : i;
}

constexpr auto kPassport = std::to_array<std::string_view>({"passport*", "passeport", "reisepass*", "pasaporte"});
constexpr auto kLicence = std::to_array<std::string_view>(
    {"driver's license", "driver's licence", "driver\xE2\x80\x99s license", "drivers license", "driver license",
     "driving licence", "driving license", "dl", "licence number", "license number", "licence no", "license no",
     "f\xC3\xBChrerschein*", "permis de conduire"});
constexpr auto kFile = std::to_array<std::string_view>({"mrn",
                                                        "medical record*",
                                                        "record no",
                                                        "record number",
                                                        "chart number",
                                                        "hospital number",
                                                        "patient id",
                                                        "patient number",
                                                        "patient no",
                                                        "case no",
                                                        "case number",
                                                        "case id",
                                                        "case",
                                                        "file no",
                                                        "file number",
                                                        "account no",
                                                        "account number",
                                                        "account",
                                                        "policy no",
                                                        "policy number",
                                                        "policy",
                                                        "claim no",
                                                        "claim number",
                                                        "member id",
                                                        "member number",
                                                        "employee id",
                                                        "employee number",
                                                        "student id",
                                                        "customer id",
                                                        "customer number",
                                                        "invoice*",
                                                        "order no",
                                                        "order number",
                                                        "ticket",
                                                        "reference",
                                                        "ref",
                                                        "docket",
                                                        "accession*",
                                                        "specimen",
                                                        "insurance number",
                                                        "insurance no",
                                                        "id number",
                                                        "id no",
                                                        "acct",
                                                        "encounter no",
                                                        "encounter number",
                                                        "registration number",
                                                        "registration no",
                                                        "case nos",
                                                        "file nos",
                                                        "serial number",
                                                        "application number",
                                                        "complaint number",
                                                        "tracking number",
                                                        "aktenzeichen",
                                                        "az",
                                                        "dossier",
                                                        "expediente"});

// What laws are called: their numbers name nobody.
constexpr auto kStatute = std::to_array<std::string_view>(
    {"law*",        "act",        "acts",        "protocol*",       "article*",    "section*", "rule*",      "decree*",
     "regulation*", "directive*", "resolution*", "recommendation*", "convention*", "statute*", "ordinance*", "chapter*",
     "amendment*",  "code",       "standard*",   "version*",        "table*",      "figure*"});

// Parts of digits and capitals with single signs between: "18403/91", "00-123-456", "1:20-cv-01234".
struct Code {
  std::size_t end = 0;  // 0: there is none
  std::size_t characters = 0;
  std::size_t numerals = 0;
  bool signs = false;
  bool range = false;  // two plain numbers with a hyphen between: "260-268"
  bool ratio = false;  // two short ones with a slash between: "120/80"
};

// The longest one that is no piece of a word.
Code file_code(std::string_view t, std::size_t at) {
  constexpr std::size_t kLongest = 24;
  Code read, best;
  bool letters = false;
  std::size_t parts = 0, longest = 0;
  char sign = '\0';
  for (std::size_t i = at; read.characters <= kLongest;) {
    const std::size_t from = i;
    std::size_t numerals = 0;
    bool small = false;
    for (; is_alnum(peek(t, i)) && read.characters <= kLongest; ++i) {
      ++read.characters;
      numerals += is_digit(t[i]) ? 1U : 0U;
      small = small || is_lower(t[i]);
    }
    const bool kind = sign == '-' && numerals == 0 && i - from <= 4 && peek(t, i) == '-' && is_digit(peek(t, i + 1));
    if (i == from || (small && !kind) || read.characters > kLongest) break;  // "-cv-" is a kind of case
    ++parts;
    read.numerals += numerals;
    letters = letters || numerals < i - from;
    longest = std::max(longest, i - from);
    if (!word_at(t, i)) {
      read.end = i;
      read.signs = parts > 1;
      read.range = parts == 2 && sign == '-' && !letters;
      read.ratio = parts == 2 && sign == '/' && !letters && longest < 4;
      best = read;
    }
    sign = peek(t, i);
    const bool digits = is_digit(t[i - 1]) && is_digit(peek(t, i + 1));
    if (sign != '-' && sign != '/' && !((sign == ':' || sign == '.') && digits)) break;
    ++i;
  }
  return best;
}

// Where the word "no.", "Nos", "nr." or a number sign in front of `at` begins, or `at`.
std::size_t number_word(std::string_view t, std::size_t at) {
  std::size_t end = at;
  if (end > 0 && t[end - 1] == ' ') --end;
  if (end > 0 && t[end - 1] == '#') return end - 1;
  if (end > 2 && t.substr(end - 3, 3) == "\xE2\x84\x96") return end - 3;
  const bool stop = end > 0 && (t[end - 1] == '.' || t[end - 1] == ':');
  if (stop) --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < 8 && is_alpha(t[begin - 1])) --begin;
  if (begin == end || word_before(t, begin)) return at;
  constexpr auto kWords = std::to_array<std::string_view>({"nos", "nr", "nrs"});
  const std::string_view word = t.substr(begin, end - begin);
  const bool named = std::ranges::any_of(kWords, [&](std::string_view one) { return same_word(word, one); }) ||
                     (same_word(word, "no") && (stop || is_upper(word[0])));
  return named ? begin : at;
}

// A code that could be a file's where "no." alone says so: not "no. 11", "nos. 260-268".
bool telling(const Code& code) { return code.signs && !code.range && code.characters >= 4 && code.numerals >= 3; }

bool said_to_be_file(std::string_view t, std::size_t at, const Code& code) {
  const std::size_t word = number_word(t, at);
  if (announced(t, word, kStatute, 3)) return false;
  if (word != at && telling(code)) return true;
  const bool said = !code.ratio || word != at || (at > 1 && (t[at - 1] == ':' || t[at - 2] == ':'));
  return said && announced(t, at, kFile, 3);
}

// The first of the codes that stand before `at` with commas or "and" between: "nos. 1234/05, 77/06 and 5678/06".
std::size_t first_of_list(std::string_view t, std::size_t at) {
  constexpr std::size_t kLookBack = 200;
  const std::size_t stop = at > kLookBack ? at - kLookBack : 0;
  for (;;) {
    std::size_t end = at;
    for (const std::string_view between : {", and ", " and ", " & ", ", ", "; ", " or ", ","}) {
      if (at - stop < between.size() || t.substr(at - between.size(), between.size()) != between) continue;
      end = at - between.size();
      break;
    }
    std::size_t begin = end;
    while (end != at && begin > stop &&
           (is_alnum(t[begin - 1]) || (begin < end && (t[begin - 1] == '/' || t[begin - 1] == '-'))))
      --begin;
    if (begin == end || begin == stop || !telling(file_code(t, begin)) || file_code(t, begin).end != end) return at;
    at = begin;
  }
}

}  // namespace

std::size_t passport(std::string_view t, std::size_t at) {
  std::size_t i = at;
  while (i - at < 2 && is_upper(peek(t, i))) ++i;
  const std::size_t end = digits(t, i, 10);
  if (end - i < 6 || end - i > 9 || !stands_alone(t, at, end)) return 0;
  return announced(t, at, kPassport) ? end : 0;
}

std::size_t licence(std::string_view t, std::size_t at) {
  const std::size_t end = code(t, at, 4);
  return end != 0 && announced(t, at, kLicence) ? end : 0;
}

std::size_t file_number(std::string_view t, std::size_t at) {
  const Code code = file_code(t, at);
  const std::size_t end = code.end;
  if (code.characters < 4 || code.numerals < 3 || unit_follows(t, end) || !stands_alone(t, at, end) ||
      plain_year(t, at) == end || date(t, at) != 0)
    return 0;
  if (said_to_be_file(t, at, code)) return end;
  const std::size_t first = telling(code) ? first_of_list(t, at) : at;
  return first != at && said_to_be_file(t, first, file_code(t, first)) ? end : 0;
}

std::size_t username(std::string_view t, std::size_t at) {
  const auto part = [](char c) { return is_alnum(c) || c == '_' || c == '.' || c == '-'; };
  const bool handle = t[at] == '@';
  std::size_t i = handle ? at + 1 : at;
  if (handle) {
    if (!is_alpha(peek(t, i)) && peek(t, i) != '_') return 0;
  } else {
    // Most words are refused here: a name is given behind "user name:" or "username is".
    if (at < 5 || (t[at - 1] != ' ' && t[at - 1] != ':' && t[at - 1] != '=')) return 0;
    const std::size_t sign = t[at - 1] == ' ' ? at - 2 : at - 1;
    const bool is = t[sign] == 's' && t[sign - 1] == 'i' && t[sign - 2] == ' ';
    if (t[sign] != ':' && t[sign] != '=' && !is) return 0;
    constexpr auto kCues = std::to_array<std::string_view>(
        {"username", "user name", "screen name", "user id", "userid", "login", "handle", "nickname"});
    constexpr std::size_t kAssigned = 3;  // "the user is away" names nobody
    const std::string_view back = t.substr(0, is ? sign - 2 : sign);
    const bool cued =
        std::ranges::any_of(std::span(kCues).first(is ? kAssigned : kCues.size()), [&](std::string_view cue) {
          return back.size() >= cue.size() && continues(back, back.size() - cue.size(), cue) &&
                 !word_before(t, back.size() - cue.size());
        });
    if (!cued) return 0;
  }
  while (i < t.size() && i - at < 33 && part(t[i])) ++i;
  while (i > at && (t[i - 1] == '.' || t[i - 1] == '-')) --i;
  const std::size_t length = i - at - (handle ? 1U : 0U);
  return length < 2 || length > 32 || word_at(t, i) || peek(t, i) == '@' ? 0 : i;
}

}  // namespace residue::text::match
