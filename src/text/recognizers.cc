#include "text/recognizers.h"

#include <algorithm>
#include <array>
#include <bit>

#include "text/matchers.h"

namespace residue::text {

namespace {

bool address(unsigned char c) { return match::is_alnum(static_cast<char>(c)) || c == '_' || c >= 0x80; }
bool letter(unsigned char c) { return match::is_alpha(static_cast<char>(c)); }
bool digit(unsigned char c) { return match::is_digit(static_cast<char>(c)); }
bool hex_or_colon(unsigned char c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':'; }
bool dialled(unsigned char c) { return digit(c) || c == '+' || c == '('; }

// First letters of titles, months and number words: cheap refusals for most words.
bool title(unsigned char c) { return c < 0x80 && std::string_view("DMPSLRCHF").find(static_cast<char>(c)) < 9; }
bool month_or_digit(unsigned char c) { return digit(c) || std::string_view("JFMASOND").find(static_cast<char>(c)) < 8; }
bool age_word(unsigned char c) {
  return digit(c) || (c < 0x80 && std::string_view("aotfsenh").find(match::to_lower(static_cast<char>(c))) < 8);
}
bool upper_or_digit(unsigned char c) { return digit(c) || match::is_upper(static_cast<char>(c)); }

using enum EntityType;

// Priority order. The types index the table below, so both are in the order of the enumeration.
constexpr std::array kTable{
    Recognizer{kEmail, "email", "EMAIL", "e-mail addresses", address, match::email},
    Recognizer{kUrl, "url", "URL", "web addresses with a scheme, www. or a path", letter, match::url},
    Recognizer{kIp, "ip", "IP", "IPv4 and IPv6 addresses", hex_or_colon, match::ip},
    Recognizer{kIban, "iban", "IBAN", "bank accounts (IBAN with valid check digits)", letter, match::iban},
    Recognizer{kCard, "card", "CARD", "payment and insurance cards (13 to 19 digits, Luhn)", digit, match::card},
    Recognizer{kDate, "date", "DATE", "dates: 2021-03-03, 3/3/2021, 3 March 2021, March 3rd", month_or_digit,
               match::date},
    Recognizer{kAge, "age", "AGE", "ages: 45-year-old, aged 45, 45 y/o", age_word, match::age},
    Recognizer{kPhone, "phone", "PHONE", "phone numbers, international and national forms", dialled, match::phone},
    Recognizer{kName, "name", "NAME", "titles followed by names: Dr. Ana Ruiz, Mrs Smith", title, match::name},
    Recognizer{kNumber, "number", "NUMBER", "other numbers of six digits or more", upper_or_digit, match::number},
};
static_assert(std::ranges::is_sorted(kTable, {}, &Recognizer::type));

// For each first byte, the rows that may start with it: most bytes ask for few matchers.
using Rows = std::uint16_t;
const std::array<Rows, 256>& rows_by_first() {
  static const std::array<Rows, 256> table = [] {
    std::array<Rows, 256> rows{};
    for (unsigned c = 0; c < rows.size(); ++c) {
      for (std::size_t i = 0; i < kTable.size(); ++i) {
        if (kTable[i].starts(static_cast<unsigned char>(c))) rows[c] = static_cast<Rows>(rows[c] | 1U << i);
      }
    }
    return rows;
  }();
  return table;
}

}  // namespace

std::span<const Recognizer> recognizers() { return kTable; }

const Recognizer& recognizer(EntityType type) { return kTable[static_cast<std::size_t>(type)]; }

std::optional<EntityType> entity_type(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &Recognizer::name);
  if (row == kTable.end()) return std::nullopt;
  return row->type;
}

std::vector<Entity> recognize(std::string_view text, EntitySet wanted) {
  std::vector<Entity> found;
  const auto& rows_by = rows_by_first();
  std::size_t at = 0;
  while (at < text.size()) {
    Rows rows = rows_by[static_cast<unsigned char>(text[at])];
    // Most bytes are inside words: ask the cheap question first.
    const bool inside = at > 0 && match::is_alnum(text[at - 1]) && rows != 0;
    if (rows == 0 || inside || (at > 0 && match::word_before(text, at))) {
      ++at;
      continue;
    }
    Entity best;
    for (; rows != 0; rows = static_cast<Rows>(rows & (rows - 1))) {
      const Recognizer& row = kTable[static_cast<std::size_t>(std::countr_zero(rows))];
      const std::size_t end = row.match(text, at);
      if (end > best.end) best = {at, end, row.type};
    }
    if (best.end == 0) {
      ++at;
      continue;
    }
    if (wanted.contains(best.type)) found.push_back(best);
    at = best.end;
  }
  return found;
}

}  // namespace residue::text
