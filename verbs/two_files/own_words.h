// Is a sanitized text about the record that it stands under? Words that one original alone has say so.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace residue::verbs {

// Originals are numbered in the order in which they were added. Upper and lower case ASCII letters are alike.
class OwnWords {
 public:
  void add(std::string_view original);

  // Whether `text` has three words or more that the original `number` has not and one other original alone has, and
  // more than twice as many of them as of words that `number` alone has. A text that was rewritten, masked or invented
  // has hardly any. Cost: linear in the text.
  [[nodiscard]] bool of_another(std::uint32_t number, std::string_view text) const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> owners_;  // by the hash of a word; kShared: of several
  std::uint32_t added_ = 0;
};

// Masks and tags in `text`: "[NAME]", "<DATE_1>", "***", "___", "###", a row of X or of blocks.
std::uint64_t masks(std::string_view text);

}  // namespace residue::verbs
