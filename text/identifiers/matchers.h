// The matchers behind text/recognizers.h, and the few character questions that they share. Internal to src/text.
#pragma once

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/ascii.h"

namespace residue::text::match {

// Each returns the end of the identifier that begins at `at`, or 0. `at` is the start of a token.
std::size_t email(std::string_view t, std::size_t at);
std::size_t url(std::string_view t, std::size_t at);
std::size_t ip(std::string_view t, std::size_t at);
std::size_t iban(std::string_view t, std::size_t at);
std::size_t card(std::string_view t, std::size_t at);
std::size_t phone(std::string_view t, std::size_t at);
std::size_t number(std::string_view t, std::size_t at);
std::size_t date(std::string_view t, std::size_t at);
std::size_t age(std::string_view t, std::size_t at);
std::size_t name(std::string_view t, std::size_t at);
std::size_t mac(std::string_view t, std::size_t at);
std::size_t year(std::string_view t, std::size_t at);
std::size_t time(std::string_view t, std::size_t at);
std::size_t money(std::string_view t, std::size_t at);
std::size_t username(std::string_view t, std::size_t at);
std::size_t street(std::string_view t, std::size_t at);
std::size_t postcode(std::string_view t, std::size_t at);

// Of date() and year() (match_period.cc): "Q3 2008", "summer of 1998", "mid-2007"; "1990s"; "2006/07", whatever stands
// around it.
std::size_t period(std::string_view t, std::size_t at);
std::size_t decade(std::string_view t, std::size_t at);
std::size_t school_year(std::string_view t, std::size_t at);

// National ids (match_ids.cc): their form, their check digits, and a word that announces them where the form is common.
std::size_t ssn(std::string_view t, std::size_t at);
std::size_t itin(std::string_view t, std::size_t at);
std::size_t nhs(std::string_view t, std::size_t at);
std::size_t nino(std::string_view t, std::size_t at);
std::size_t steuerid(std::string_view t, std::size_t at);
std::size_t nir(std::string_view t, std::size_t at);
std::size_t dni(std::string_view t, std::size_t at);
std::size_t codice_fiscale(std::string_view t, std::size_t at);
std::size_t bsn(std::string_view t, std::size_t at);
std::size_t pesel(std::string_view t, std::size_t at);
std::size_t personnummer(std::string_view t, std::size_t at);
std::size_t aadhaar(std::string_view t, std::size_t at);
std::size_t pan(std::string_view t, std::size_t at);
std::size_t tfn(std::string_view t, std::size_t at);
std::size_t medicare(std::string_view t, std::size_t at);
std::size_t sin(std::string_view t, std::size_t at);
std::size_t cpf(std::string_view t, std::size_t at);

// What only a word before it tells from any other number (match_announced.cc).
std::size_t passport(std::string_view t, std::size_t at);
std::size_t licence(std::string_view t, std::size_t at);
std::size_t file_number(std::string_view t, std::size_t at);

// Byte questions; `peek` is '\0' past the end.
inline char peek(std::string_view t, std::size_t i) { return i < t.size() ? t[i] : '\0'; }

// The number that the digits from `from` to `end` write; of at most nine.
inline int value_of(std::string_view t, std::size_t from, std::size_t end) {
  int value = 0;
  for (std::size_t i = from; i < end; ++i) value = value * 10 + (t[i] - '0');
  return value;
}
constexpr bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

// The code point at `i` and the index after it; a negative code point where the bytes are not UTF-8.
struct Decoded {
  UChar32 point = -1;
  std::size_t next = 0;
};
Decoded decode(std::string_view t, std::size_t i);

// Does a word go on at `i` / does one end just before it? Scripts that are written without spaces do not count.
bool word_at(std::string_view t, std::size_t i);
bool word_before(std::string_view t, std::size_t i);

// Case-insensitive: does `t` continue at `i` with the lower-case ASCII `word`?
inline bool continues(std::string_view t, std::size_t i, std::string_view word);

// The same with the case of the letters. `word` is not empty and has no NUL.
inline bool continues_as_written(std::string_view t, std::size_t i, std::string_view word);

// The end of the run of digits at `i`, looking at no more than `limit` of them.
std::size_t digits(std::string_view t, std::size_t i, std::size_t limit = 32);

// The index after one space or no-break space at `i`, or 0.
std::size_t after_space(std::string_view t, std::size_t i);

// Is one of the cues (lower case, ASCII letters of either case match; several words are one space apart) among the last
// `words` words before `at`, with no bracket, question mark or number between? A cue that ends in '*' is the beginning
// of a word. Looks at no more than 64 bytes.
bool announced(std::string_view t, std::size_t at, std::span<const std::string_view> cues, int words = 6);

// Is [at, end) no piece of something longer: a decimal, a range, a fraction, a word with digits?
bool stands_alone(std::string_view t, std::size_t at, std::size_t end);

// The end of the year at `i` (1800 to 2199, as a whole number), or 0.
std::size_t plain_year(std::string_view t, std::size_t i);

// The word that ends just before `at`, with at most one space, colon, quote or line end between; empty without one, and
// where it has more than 16 bytes.
std::string_view word_behind(std::string_view t, std::size_t at);

// Is `word` the lower-case ASCII `lower`, in letters of either case?
inline bool continues_as_written(std::string_view t, std::size_t i, std::string_view word) {
  return peek(t, i) == word[0] && t.substr(i, word.size()) == word;
}

inline bool same_word(std::string_view word, std::string_view lower);

// The end of a capitalized word at `i`, hyphens and inner apostrophes included, possessive 's left out; of an initial
// with its full stop, or of joined ones ("F.L.", "J.-P."); or 0.
std::size_t name_word(std::string_view t, std::size_t i);

// Where the next part of a name may begin behind the title or the part that ends at `i`, the name having `words` words
// so far (match_name.cc): behind a space or two, or behind a line end where the name is not whole; or 0. Looks at no
// more than 24 bytes of white space.
std::size_t next_of_name(std::string_view t, std::size_t i, int words);

// A month or a day of the week, in English, as a whole word?
bool is_calendar_word(std::string_view word);

// Is the number that starts at `at` announced as a version ("version 1.2.3", "release 4.12")?
bool after_version(std::string_view t, std::size_t at);

// Laws (match_law.cc). Does the date at `at`, or its month, say of which law somebody speaks ("Law no. 5190 of 16 June
// 2004", "the Official Gazette of 30 June 2004")? Does a law follow the year that ends at `end` ("the 1980 Hague
// Convention")? Is the place or organisation [at, end) in a treaty's name ("the Hague Convention", "Treaty of Lisbon")?
bool dates_a_law(std::string_view t, std::size_t at);
bool is_of_a_law(std::string_view t, std::size_t end);
bool names_a_treaty(std::string_view t, std::size_t at, std::size_t end);

// Does a unit of measure, a currency or a counted noun follow the number that ends at `i`?
bool unit_follows(std::string_view t, std::size_t i);

// A list to loop over, whose lengths the compiler counts: those of a braced list would be counted each time.
template <std::size_t N>
consteval std::array<std::string_view, N> words(const std::string_view (&list)[N]) {
  return std::to_array(list);
}

// Most places are refused by their first letter: that question is asked without a call.
bool continues_behind_first(std::string_view t, std::size_t i, std::string_view word);
inline bool continues(std::string_view t, std::size_t i, std::string_view word) {
  if (i > t.size() || t.size() - i < word.size()) return false;
  return word.empty() || (to_lower(t[i]) == word[0] && continues_behind_first(t, i, word));
}

inline bool same_word(std::string_view word, std::string_view lower) {
  return word.size() == lower.size() && continues(word, 0, lower);
}

}  // namespace residue::text::match
