// Numbers and words that identify because of the word before them: passports, licences, files, user names.
#include <algorithm>
#include <array>

#include "text/matchers.h"

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
constexpr auto kFile = std::to_array<std::string_view>(
    {"mrn",           "medical record*", "record no",       "record number",    "chart number",   "hospital number",
     "patient id",    "patient number",  "patient no",      "case no",          "case number",    "case id",
     "case",          "file no",         "file number",     "account no",       "account number", "account",
     "policy no",     "policy number",   "policy",          "claim no",         "claim number",   "member id",
     "member number", "employee id",     "employee number", "student id",       "customer id",    "customer number",
     "invoice*",      "order no",        "order number",    "ticket",           "reference",      "ref",
     "docket",        "accession*",      "specimen",        "insurance number", "insurance no",   "id number",
     "id no"});

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
  const std::size_t end = code(t, at, 3);
  if (end == 0 || unit_follows(t, end) || !stands_alone(t, at, end) || plain_year(t, at) == end || date(t, at) != 0)
    return 0;
  return announced(t, at, kFile, 3) ? end : 0;
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
