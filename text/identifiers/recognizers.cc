#include "text/identifiers/recognizers.h"

#include <algorithm>
#include <array>
#include <bit>

#include "text/characters/folding.h"
#include "text/identifiers/matchers.h"

namespace residue::text {

namespace {

bool address(unsigned char c) { return match::is_alnum(static_cast<char>(c)) || c == '_' || c == '"' || c >= 0x80; }
bool letter(unsigned char c) { return residue::is_alpha(static_cast<char>(c)); }
bool digit(unsigned char c) { return is_digit(static_cast<char>(c)); }
bool hex(unsigned char c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool hex_or_colon(unsigned char c) { return hex(c) || c == ':'; }
bool dialled(unsigned char c) { return digit(c) || c == '+' || c == '('; }
bool upper(unsigned char c) { return residue::is_upper(static_cast<char>(c)); }
bool upper_or_digit(unsigned char c) { return digit(c) || upper(c); }
bool alnum(unsigned char c) { return match::is_alnum(static_cast<char>(c)); }
bool handle(unsigned char c) { return alnum(c) || c == '_' || c == '@'; }

// First letters of titles, months in any language, days, number words and currencies: cheap refusals for most words.
bool title(unsigned char c) { return c < 0x80 && std::string_view("DMPSLRCHFJGIOBNA").find(static_cast<char>(c)) < 16; }
bool calendar_or_digit(unsigned char c) {
  return digit(c) || std::string_view("JFMASONDTWEGLQjfmasondeglw").find(static_cast<char>(c)) < 26;
}
bool age_word(unsigned char c) {
  return digit(c) || (c < 0x80 && std::string_view("aotfsenh").find(match::to_lower(static_cast<char>(c))) < 8);
}
bool currency(unsigned char c) {
  return digit(c) || c == '$' || c == 0xC2 || c == 0xE2 ||
         std::string_view("UEGCJANSDPHIBMZRTK").find(static_cast<char>(c)) < 18;
}
bool street_start(unsigned char c) { return upper_or_digit(c) || c >= 0xC3; }

using enum EntityType;

// Priority order. The types index the table below, so both are in the order of the enumeration.
constexpr std::array kTable{
    Recognizer{kEmail, "email", "EMAIL", "e-mail addresses", address, match::email},
    Recognizer{kUrl, "url", "URL", "web addresses with a scheme, www. or a path", letter, match::url},
    Recognizer{kIp, "ip", "IP", "IPv4 and IPv6 addresses", hex_or_colon, match::ip},
    Recognizer{kMac, "mac", "MAC", "addresses of network cards", hex, match::mac},
    Recognizer{kIban, "iban", "IBAN", "bank accounts (IBAN with valid check digits)", letter, match::iban, iban_valid},
    Recognizer{kCard, "card", "CARD", "payment and insurance cards (12 to 19 digits, Luhn)", digit, match::card,
               luhn_valid},
    Recognizer{kSsn, "ssn", "SSN", "US social security numbers", digit, match::ssn, ssn_valid},
    Recognizer{kItin, "itin", "ITIN", "US taxpayer numbers", digit, match::itin, itin_valid},
    Recognizer{kNhs, "nhs", "NHS", "UK health service numbers (mod 11, announced)", digit, match::nhs, nhs_valid},
    Recognizer{kNino, "nino", "NINO", "UK national insurance numbers", upper, match::nino, nino_valid},
    Recognizer{kSteuerId, "steuerid", "STEUERID", "German tax ids (mod 11,10, announced)", digit, match::steuerid,
               steuerid_valid},
    Recognizer{kNir, "nir", "NIR", "French social security numbers (mod 97)", digit, match::nir, nir_valid},
    Recognizer{kDni, "dni", "DNI", "Spanish DNI and NIE (mod 23)", upper_or_digit, match::dni, dni_valid},
    Recognizer{kCodiceFiscale, "codicefiscale", "CODICEFISCALE", "Italian tax codes (mod 26)", upper,
               match::codice_fiscale, codice_fiscale_valid},
    Recognizer{kBsn, "bsn", "BSN", "Dutch citizen numbers (mod 11, announced)", digit, match::bsn, bsn_valid},
    Recognizer{kPesel, "pesel", "PESEL", "Polish PESEL (date, mod 10, announced)", digit, match::pesel, pesel_valid},
    Recognizer{kPersonnummer, "personnummer", "PERSONNUMMER", "Swedish personal numbers (date, Luhn)", digit,
               match::personnummer, personnummer_valid},
    Recognizer{kAadhaar, "aadhaar", "AADHAAR", "Indian Aadhaar (Verhoeff)", digit, match::aadhaar, aadhaar_valid},
    Recognizer{kPan, "pan", "PAN", "Indian tax accounts", upper, match::pan, pan_valid},
    Recognizer{kTfn, "tfn", "TFN", "Australian tax file numbers (mod 11, announced)", digit, match::tfn, tfn_valid},
    Recognizer{kMedicare, "medicare", "MEDICARE", "Australian Medicare (mod 10, announced)", digit, match::medicare,
               medicare_valid},
    Recognizer{kSin, "sin", "SIN", "Canadian insurance numbers (Luhn, announced)", digit, match::sin, sin_valid},
    Recognizer{kCpf, "cpf", "CPF", "Brazilian CPF (mod 11)", digit, match::cpf, cpf_valid},
    Recognizer{kDate, "date", "DATE", "dates: 2021-03-03T10:15Z, 3/3/2021, 5-7 March 2010, 3 mars 2021, Friday",
               calendar_or_digit, match::date},
    Recognizer{kYear, "year", "YEAR", "years: in 1977, since 2004, (1969), from 1990-95", digit, match::year},
    Recognizer{kTime, "time", "TIME", "times of day: 14:05, 9 am, 5 o'clock", digit, match::time},
    Recognizer{kAge, "age", "AGE", "ages: 45-year-old, aged 45, 45 y/o, turned 45", age_word, match::age},
    Recognizer{kPhone, "phone", "PHONE", "phone numbers, international and national forms", dialled, match::phone},
    Recognizer{kMoney, "money", "MONEY", "amounts of money: $1,200, EUR 20k, 5 million dollars", currency,
               match::money},
    Recognizer{kUsername, "username", "USERNAME", "@handles, and what follows 'user name:'", handle, match::username},
    Recognizer{kStreet, "street", "STREET", "street addresses: 14 Crown Street, Via Roma 7, Apt. 5, PO Box 12",
               street_start, match::street},
    Recognizer{kPostcode, "postcode", "POSTCODE", "postal codes by form or behind 'zip', a state", upper_or_digit,
               match::postcode},
    Recognizer{kPassport, "passport", "PASSPORT", "numbers announced as of a passport", upper_or_digit,
               match::passport},
    Recognizer{kLicence, "licence", "LICENCE", "numbers announced as of a driving licence", upper_or_digit,
               match::licence},
    Recognizer{kFile, "file", "FILE", "numbers of records, cases, accounts: MRN 407188, no. 18403/91", upper_or_digit,
               match::file_number},
    Recognizer{kName, "name", "NAME", "names of persons: titles, lists, words around them", title, match::name},
    Recognizer{kOrganisation, "organisation", "ORGANISATION", "firms and institutions: lists, Ltd, Hospital", nullptr,
               nullptr},
    Recognizer{kPlace, "place", "PLACE", "countries, regions, cities: lists, words around them", nullptr, nullptr},
    Recognizer{kNumber, "number", "NUMBER", "other numbers of six digits or more", upper_or_digit, match::number},
};
static_assert(kTable.size() == kEntityTypes);
static_assert(std::ranges::is_sorted(kTable, {}, &Recognizer::type));

// For each first byte, the rows that may start with it: most bytes ask for few matchers.
using Rows = std::uint64_t;
const std::array<Rows, 256>& rows_by_first() {
  static const std::array<Rows, 256> table = [] {
    std::array<Rows, 256> rows{};
    for (unsigned c = 0; c < rows.size(); ++c) {
      for (std::size_t i = 0; i < kTable.size(); ++i) {
        const Recognizer& row = kTable[i];
        if (row.match != nullptr && row.starts(static_cast<unsigned char>(c))) rows[c] |= Rows{1} << i;
      }
    }
    return rows;
  }();
  return table;
}

// What a word can be that a space or the sentence's punctuation follows, if it is in small letters or of at least four.
// Most words are such: they are asked for little else.
constexpr Rows rows_of_words() {
  Rows rows = 0;
  for (const EntityType type : {kDate, kAge, kUsername, kStreet, kName}) {
    rows |= Rows{1} << static_cast<unsigned>(type);
  }
  return rows;
}

// What needs seven digits or more.
constexpr Rows rows_of_long_numbers() {
  Rows rows = Rows{1} << static_cast<unsigned>(kCard);
  for (std::size_t type = static_cast<std::size_t>(kSsn); type <= static_cast<std::size_t>(kCpf); ++type) {
    rows |= Rows{1} << type;
  }
  return rows;
}

// Are there seven digits from `at` on, with signs between that numbers are grouped by?
bool long_number(std::string_view text, std::size_t at) {
  int count = 0;
  for (std::size_t i = at; i < text.size() && i < at + 14 && count < 7; ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      ++count;
    } else if (c != ' ' && c != '-' && c != '.' && c != '/' && !residue::is_upper(c)) {
      break;
    }
  }
  return count == 7;
}

// The end of the plain word at `at`, or 0 where it is none.
std::size_t plain_word(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && residue::is_alpha(text[end])) ++end;
  if (end < at + 4 && !residue::is_lower(text[at])) return 0;
  if (end == text.size()) return end;
  const char next = text[end];
  if (next == ' ' || next == ',' || next == ';' || next == ')' || next == '\n') return end;
  const char behind = match::peek(text, end + 1);
  return next == '.' && (behind == ' ' || behind == '\n' || behind == '\0') ? end : 0;
}

// Of `rows`, which the plain word from `at` to `word` may be of, those that what stands around it does not rule out.
// These are the first questions of their matchers, asked without a call: most words are refused by them.
Rows not_refused(std::string_view text, std::size_t at, std::size_t word, Rows rows) {
  constexpr auto kRowOf = [](EntityType type) { return Rows{1} << static_cast<unsigned>(type); };
  const char sign = at > 1 && text[at - 1] == ' ' ? text[at - 2] : ':';
  if (sign != ':' && sign != '=' && sign != 's') rows &= ~kRowOf(kUsername);  // "user name: x", "username is x"
  const char next = match::peek(text, word) == ' ' ? match::peek(text, word + 1) : ' ';
  if (!residue::is_lower(text[at]) || !residue::is_lower(next)) return rows;
  if (next != 'd' && next != 'o') rows &= ~kRowOf(kDate);  // "enero de 1980", "summer of 1998"
  if (text[at] != 'a' && next != 'y' && next != 'm' && next != 'w' && next != 'd')
    rows &= ~kRowOf(kAge);  // "aged ten", "three years old"
  return rows;
}

// Skips the letters and digits from `at` on, and the sign behind them: nothing begins there. A bracket is not skipped,
// because a tag begins with it.
std::size_t behind_token(std::string_view text, std::size_t at) {
  while (at < text.size() && match::is_alnum(text[at])) ++at;
  return at < text.size() && text[at] != '[' ? at + 1 : at;
}

// The end of the tag "[EMAIL_1]" that begins at `at`, or the byte after it.
std::size_t tag_end(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && end - at < 32 &&
         (residue::is_upper(text[end]) || is_digit(text[end]) || text[end] == '_'))
    ++end;
  const bool tag = match::peek(text, end) == ']' && residue::is_upper(match::peek(text, at + 1));
  return tag ? end + 1 : at + 1;
}

EntityType type_of(NameKind kind) {
  return kind == NameKind::kPlace ? kPlace : kind == NameKind::kOrganisation ? kOrganisation : kName;
}

}  // namespace

std::span<const Recognizer> recognizers() { return kTable; }

const Recognizer& recognizer(EntityType type) { return kTable[static_cast<std::size_t>(type)]; }

std::optional<EntityType> entity_type(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &Recognizer::name);
  if (row == kTable.end()) return std::nullopt;
  return row->type;
}

namespace {

std::vector<Entity> recognize_folded(std::string_view text, EntitySet wanted, const NameLists& lists) {
  std::vector<Entity> found;
  const auto& rows_by = rows_by_first();
  std::size_t at = 0;
  while (at < text.size()) {
    const char first = text[at];
    Rows rows = rows_by[static_cast<unsigned char>(first)];
    if (first == '[') {
      at = tag_end(text, at);
      continue;
    }
    // Most bytes are inside words: ask the cheap question first.
    const bool inside = at > 0 && match::is_alnum(text[at - 1]) && rows != 0;
    if (rows == 0 || inside || (at > 0 && match::word_before(text, at))) {
      at = inside ? behind_token(text, at) : at + 1;
      continue;
    }
    const std::size_t word = residue::is_alpha(first) ? plain_word(text, at) : 0;
    if (word != 0) rows = not_refused(text, at, word, rows & rows_of_words());
    if (is_digit(first) && !long_number(text, at)) rows &= ~rows_of_long_numbers();
    Entity best;
    for (; rows != 0; rows &= rows - 1) {
      const Recognizer& row = kTable[static_cast<std::size_t>(std::countr_zero(rows))];
      const std::size_t end = row.match(text, at);
      if (end > best.end) best = {at, end, row.type};
    }
    if (residue::is_upper(first) || !match::is_ascii(first)) {
      const NameFound named = lists.find(text, at);
      const EntityType type = type_of(named.kind);
      if (named.end > best.end || (named.end != 0 && named.end == best.end && type < best.type))
        best = {at, named.end, type};
    }
    if (best.end == 0) {
      at = word != 0 ? word : at + 1;
      continue;
    }
    if (wanted.contains(best.type)) found.push_back(best);
    at = best.end;
  }
  return found;
}

}  // namespace

std::vector<Entity> recognize(std::string_view text, EntitySet wanted, const NameLists& lists) {
  const FoldedText folded(text);
  std::vector<Entity> found = recognize_folded(folded.text(), wanted, lists);
  if (folded.changed()) {
    for (Entity& entity : found) {
      const Span span = folded.written({entity.begin, entity.end});
      entity.begin = span.begin;
      entity.end = span.end;
    }
  }
  return found;
}

}  // namespace residue::text
