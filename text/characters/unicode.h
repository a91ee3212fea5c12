// UTF-8: validity, lower case, offsets, and how wide a text is on a terminal.
//
// Every function takes any bytes; an ill-formed byte counts as one character, U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Half-open range of bytes of the text that it was made from.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

inline std::string_view slice(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

// Well-formed as Unicode defines it: shortest forms only, no surrogates, nothing above U+10FFFF.
bool valid_utf8(std::string_view text);

bool is_ascii(std::string_view text);

// The code point at byte `at` (which must be inside) and its number of bytes; U+FFFD of one byte where ill-formed.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
};
CodePoint code_point_at(std::string_view text, std::size_t at);

// The byte where the code point before byte `at` (> 0) begins; ill-formed bytes are one each.
std::size_t before(std::string_view text, std::size_t at);

void append_utf8(std::string& out, char32_t value);

std::size_t code_points(std::string_view text);

// Python's str.lower(): full Unicode mapping with the final sigma rule, no language. Ill-formed bytes stay.
std::string lower(std::string_view text);

// Every letter as its capital of one code point; what has none stays.
std::string capitals_of(std::string_view text);

// True for Unicode white space, line ends included.
bool is_space(char32_t value);

// True if some character is neither white space nor invisible by itself (controls, formats, what Unicode says may be
// ignored: zero-width spaces and joiners, the byte order mark, soft hyphens).
bool has_visible(std::string_view text);

// `span` without the white space at both ends; empty at its end when there is nothing else.
Span trim(std::string_view text, Span span);

// How offsets of labels made elsewhere count.
enum class Unit { kCodepoint, kByte, kUtf16 };

// The byte at which the character with that offset starts; the length of the text is a valid offset. Nothing when the
// offset is outside or inside a character. Cost: one pass.
std::optional<std::size_t> byte_offset(std::string_view text, std::int64_t offset, Unit unit);

// Columns on a terminal: East Asian wide characters and emoji take 2, combining marks 0, a grapheme at most 2. A
// control character counts 1, as cut_to_width shows it.
std::size_t display_width(std::string_view text);

// `text` in at most `width` columns, ending in an ellipsis when something was cut; graphemes stay whole. One line and
// safe to print: tabs and line ends become spaces, other control and bidirectional characters U+FFFD.
std::string cut_to_width(std::string_view text, std::size_t width);

// `text` safe to print: control characters (C0, C1, DEL) are spelled \x1b, bidirectional ones and line separators
// \u{202e}, ill-formed bytes become U+FFFD. Tabs and line feeds stay unless `Breaks::kEscape`.
enum class Breaks { kKeep, kEscape };
std::string escape_controls(std::string_view text, Breaks breaks = Breaks::kKeep);

}  // namespace residue::text
