// The matchers behind text/recognizers.h, and the few character questions that they share. Internal to src/text.
#pragma once

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

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

// Byte questions; `peek` is '\0' past the end.
inline char peek(std::string_view t, std::size_t i) { return i < t.size() ? t[i] : '\0'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
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
bool continues(std::string_view t, std::size_t i, std::string_view word);

// The end of the run of digits at `i`, looking at no more than `limit` of them.
std::size_t digits(std::string_view t, std::size_t i, std::size_t limit = 32);

// The index after one space or no-break space at `i`, or 0.
std::size_t after_space(std::string_view t, std::size_t i);

// Is the number that starts at `at` announced as a version ("version 1.2.3", "release 4.12")?
bool after_version(std::string_view t, std::size_t at);

// Does a unit of measure, a currency or a counted noun follow the number that ends at `i`?
bool unit_follows(std::string_view t, std::size_t i);

}  // namespace residue::text::match
