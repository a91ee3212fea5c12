// One HTML file that needs nothing else: style, scripts and data inside, and a policy that lets nothing else run and
// nothing leave.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "page/html/html.h"

namespace residue::page {

struct Document {
  std::string title;
  std::string_view style;  // CSS
  Html body;
  std::string data;                  // JSON for the scripts, in an element with the id "data"; may be empty
  std::vector<std::string> scripts;  // in order; the last one is a module
};

// The policy names the digest of the style and of each script: a browser runs no other, loads nothing and sends
// nothing. Data stands in the page as text: "<" is written as
// \u003c, and so are characters that turn the order of letters.
std::string document_text(const Document& document);

// Standard base64 with padding.
std::string base64(std::string_view bytes);

// Back; nothing for what base64() does not write.
std::optional<std::string> from_base64(std::string_view letters);

}  // namespace residue::page
