// Reading answers in free text: lines and their marks, names and numbers, whatever models put around them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"

namespace residue::model {

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

// Small letters for the capitals of ASCII.
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower(std::string_view text);

bool begins_with_any(std::string_view text, std::initializer_list<const char*> words);

// Runs of white space and control characters as one space; none at the ends.
std::string single_spaced(std::string_view text);

// Letters and digits of ASCII alone, in lower case: how names are compared.
std::string plain(std::string_view name);

// Without the marks of emphasis, quotation and the full stop that may stand around a short answer.
std::string_view bare(std::string_view words);

// Bytes of the mark that a line begins with ("12.", "3)", "-", "*") and of the spaces behind it; 0: it has none. A mark
// is no part of a number ("2.5 mg", "-5 degrees") or of emphasis ("**Age**").
std::size_t mark_of(std::string_view line);

// The number of a mark ("12." is 12); nothing where the line has none.
std::optional<unsigned> number_of(std::string_view line);

// The lines with words in them, trimmed.
std::vector<std::string_view> lines_of(std::string_view content);

// Whether `text` begins with the word, given in lower-case letters of ASCII.
bool starts_with_word(std::string_view text, std::string_view lower);

// The number that follows a word within a few marks, as it is written: "2", "2.5", "-1", "1-3"; empty: none does. The
// scale in brackets between them is passed over.
std::string number_after(std::string_view text);
std::string_view number_in(std::string_view text);  // the same, as the part of `text` that it is

// A number in digits alone, of at most six; nothing for any other text.
std::optional<int> whole_number(std::string_view digits);

// What stands behind "FIELD:" at the beginning of a line ("**Guess**: ...", "- guess = ..."); nothing where the line is
// no such field. `lower`: its name in lower-case letters.
std::optional<std::string_view> field_of(std::string_view line, std::string_view lower);

// From the first '{' to the last '}', where words stand around a JSON object; else the content as it is.
std::string_view object_in(std::string_view content);

}  // namespace residue::model
