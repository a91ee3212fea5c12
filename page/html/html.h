// HTML written piece by piece. Words go in through text() and attributes alone, so no word of the store becomes markup.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace residue::page {

// Safe between tags and in quoted attributes. Control characters and those that turn the order of letters are spelled
// (\u{202e}): a text looks like what it is.
std::string escaped(std::string_view text);

using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

class Html {
 public:
  Html& open(std::string_view tag, Attributes attributes = {});
  Html& close(std::string_view tag);
  Html& text(std::string_view words);
  // An element that holds words alone.
  Html& element(std::string_view tag, std::string_view words, Attributes attributes = {});

  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  std::string out_;
};

}  // namespace residue::page
