// Texts as sequences of tokens that join to texts again: for what generates texts (ngram_generator.h).
//
//   "A man,\nold." ──> " A" " man" "," "\nold" "." ──> "A man,\nold."
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace residue::text {

using TokenId = std::uint32_t;

// A token is a word (words.h) or one other visible character, with what stands before it: nothing, a space, or a line
// end. A table gives equal tokens equal ids.
class TokenTable {
 public:
  static constexpr TokenId kStart = 0;  // before the first token of a text
  static constexpr TokenId kEnd = 1;    // behind the last one
  static constexpr TokenId kFirst = 2;

  TokenTable() : spellings_(kFirst) {}

  // kStart, the tokens of `text`, kEnd. The first token is read as if it stood behind a space. Unknown ones get the
  // next ids.
  std::vector<TokenId> read(std::string_view text);

  // A view that lives as long as the table; empty for kStart and kEnd.
  [[nodiscard]] const std::string& spelling(TokenId token) const { return spellings_.at(token); }
  [[nodiscard]] std::size_t size() const { return spellings_.size(); }

  // The text of tokens. Of those that read() gave: the text it read, its white space as single characters, none at its
  // ends.
  [[nodiscard]] std::string join(const std::vector<TokenId>& tokens) const;

 private:
  TokenId id_of(std::string spelling);

  std::vector<std::string> spellings_;
  std::unordered_map<std::string, TokenId> ids_;
};

}  // namespace residue::text
