// VADER's vocabulary: a lexicon of valences and the words of the rules in one table, and texts as words of it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_table.h"
#include "text/characters/eight_bytes.h"

namespace residue::text {

class VaderLexicon {
 public:
  struct Word {
    std::string spelling;     // lower case; empty for the two words that stand for all unknown ones
    std::uint32_t roles = 0;  // VaderRole
    bool in_phrase = false;   // part of a phrase of several words
    double valence = 0;       // with kVaderLexicon
    double booster = 0;       // with kVaderBooster
  };

  struct Token {
    const Word* word = nullptr;
    bool capitals = false;  // str.isupper(): cased letters, none of them small
  };

  // See Vader's constructor.
  VaderLexicon(std::string_view lexicon, std::string_view emoji);
  VaderLexicon(VaderLexicon&&) = default;  // Tokens point to words, which stay where they are.
  VaderLexicon(const VaderLexicon&) = delete;

  // `text` with each emoji of the table replaced by its words, a space in front unless there is one.
  [[nodiscard]] std::string emoji_to_words(std::string_view text) const;

  // Replaces `out` by the words of `text`: split at white space, without the ASCII punctuation around them unless at
  // most two characters would be left, because that is an emoticon. Valid as long as this object.
  void tokens(std::string_view text, std::vector<Token>& out) const;

 private:
  struct Slot {
    ShortWord start;
    std::uint32_t length = 0;
    std::uint32_t word = 0;  // 0: free

    [[nodiscard]] bool free() const { return word == 0; }
  };

  Word& entry(std::string_view spelling);
  void read_valences(std::string_view lexicon);
  void read_emoji(std::string_view emoji);
  void index();
  [[nodiscard]] Token any_token(std::string_view spelling) const;
  // Behind the words that these take kPadding bytes must be readable. Their ASCII letters may be capitals.
  [[nodiscard]] Token ascii_token(std::string_view spelling) const;
  [[nodiscard]] const Word& find(std::string_view word) const;

  std::deque<Word> words_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  // by the spelling in words_
  FlatTable<Slot> slots_;
  std::vector<std::uint64_t> seen_;  // a bit for each hash that some word has
  std::unordered_map<char32_t, std::string> emoji_;
};

}  // namespace residue::text
