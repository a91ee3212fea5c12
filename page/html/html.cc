#include "page/html/html.h"

#include "text/characters/markup.h"
#include "text/characters/unicode.h"

namespace residue::page {

std::string escaped(std::string_view text) { return text::escape_markup(text::escape_controls(text)); }

Html& Html::open(std::string_view tag, Attributes attributes) {
  out_.append("<").append(tag);
  for (const auto& [name, value] : attributes) {
    out_.append(" ").append(name);
    if (!value.empty()) out_.append("=\"").append(escaped(value)).append("\"");
  }
  out_ += '>';
  return *this;
}

Html& Html::close(std::string_view tag) {
  out_.append("</").append(tag).append(">");
  // A line end would be a space between words.
  if (tag != "b" && tag != "code" && tag != "a") out_ += '\n';
  return *this;
}

Html& Html::text(std::string_view words) {
  out_ += escaped(words);
  return *this;
}

Html& Html::element(std::string_view tag, std::string_view words, Attributes attributes) {
  open(tag, attributes);
  text(words);
  return close(tag);
}

}  // namespace residue::page
