#include "text/words/placeholders.h"

#include <algorithm>

#include "base/ascii.h"

namespace residue::text {

std::size_t placeholder_end(std::string_view text, std::size_t at) {
  const char close = text[at] == '[' ? ']' : text[at] == '<' ? '>' : '}';
  auto i = at + 1;
  int capitals = 0;
  bool shouted = true;
  for (; i < text.size() && i < at + 42 && text[i] != close; ++i) {
    const char c = text[i];
    if (is_upper(c)) ++capitals;
    if (!is_upper(c) && !is_digit(c) && c != '_' && c != '-' && c != ' ' && c != '*' && c != '{' && c != '/' &&
        c != ':') {
      shouted = false;
    }
  }
  if (i >= text.size() || text[i] != close) return at;
  const auto inside = text.substr(at + 1, i - at - 1);
  static constexpr std::string_view kSpoken[] = {"name",     "person",  "redacted", "date",
                                                 "location", "removed", "address"};
  const bool spoken = std::any_of(std::begin(kSpoken), std::end(kSpoken), [&](std::string_view word) {
    return inside.size() == word.size() &&
           std::equal(word.begin(), word.end(), inside.begin(), [](char a, char b) { return a == (b | 0x20); });
  });
  return (shouted && capitals >= 2) || spoken || inside.starts_with("**") ? i + 1 : at;
}

bool is_placeholder(std::string_view word) {
  if (word.size() >= 3 && std::all_of(word.begin(), word.end(), [](char c) { return c == 'X' || c == 'x'; }))
    return true;
  const auto joint = word.rfind('_');
  if (joint == std::string_view::npos || joint < 2) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(joint),
                     [](char c) { return is_upper(c) || c == '_'; }) &&
         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(joint) + 1, word.end(), is_digit);
}

}  // namespace residue::text
