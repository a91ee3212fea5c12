#include "text/characters/python_text.h"

namespace residue::text {

std::string_view python_rstrip(std::string_view text) {
  while (!text.empty()) {
    const std::size_t last = before(text, text.size());
    if (!is_python_space(code_point_at(text, last).value)) break;
    text = text.substr(0, last);
  }
  return text;
}

std::string_view python_strip(std::string_view text) {
  while (!text.empty()) {
    const CodePoint first = code_point_at(text, 0);
    if (!is_python_space(first.value)) break;
    text.remove_prefix(first.bytes);
  }
  return python_rstrip(text);
}

}  // namespace residue::text
