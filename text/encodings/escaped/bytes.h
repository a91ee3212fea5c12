// Bytes that a text has or spells: by their numbers, or as the letters that another encoding takes them for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// ASCII's white space.
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The character of byte 0x80 to 0x9F in Windows-1252, or 0 where it has none.
char32_t windows_1252(unsigned char byte);

// The byte that `c` is in Latin-1 or Windows-1252, from 0x80 on; 0 where it is none.
unsigned char byte_of(char32_t c);

// How many bytes of `bytes` from `at` on are one character of UTF-8 beyond ASCII; 0 where they are not.
std::size_t beyond_ascii_at(std::string_view bytes, std::size_t at);

// What the bytes say in UTF-8, else in Windows-1252; nothing where they hold a control other than white space.
std::optional<std::string> said_by(std::string_view bytes);

// The value of `digits` digits of base 16 at `at`; nothing where they are not there.
std::optional<char32_t> hex_at(std::string_view text, std::size_t at, std::size_t digits);

}  // namespace residue::text
