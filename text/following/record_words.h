// The words of a record, each with the entity that it lies in.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/folding.h"
#include "text/characters/unicode.h"
#include "text/following/name_words.h"
#include "text/identifiers/recognizers.h"

namespace residue::text {

inline constexpr std::size_t kNoEntity = static_cast<std::size_t>(-1);

struct RecordWord : NameWord {
  std::string_view key;    // name_key() without accents; of initials without hyphens, with a full stop at the end
  std::string_view exact;  // the same with accents, as lists have it
  std::size_t entity = kNoEntity;  // its index
};

// A capital by itself, without a full stop: the F of "Frank F Lee".
bool is_lone_capital(const RecordWord& word);

// What somebody does, said of one: "was", "spent", "worked"; in small letters.
bool is_deed(const RecordWord& word);

class RecordWords {
 public:
  // `entities` are in order and disjoint; they and `text` must outlive this. Bytes of words are those of text().
  RecordWords(std::string_view text, std::span<const Entity> entities);
  RecordWords(const RecordWords&) = delete;
  RecordWords& operator=(const RecordWords&) = delete;

  [[nodiscard]] std::string_view text() const { return text_; }  // as it is read (folding.h)
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] const RecordWord& operator[](std::size_t i) const { return words_[i]; }
  [[nodiscard]] std::span<const RecordWord> words() const { return words_; }
  [[nodiscard]] std::span<const Entity> entities() const { return entities_; }
  [[nodiscard]] const Entity& entity_of(const RecordWord& word) const { return entities_[word.entity]; }
  [[nodiscard]] std::string_view written(const RecordWord& word) const {
    return text_.substr(word.begin, word.end - word.begin);
  }

  // Where bytes of text() are in the text that was given.
  [[nodiscard]] Span original(std::size_t begin, std::size_t end) const {
    return folded_.changed() ? folded_.written({begin, end}) : Span{begin, end};
  }

  // Whether there is a word before or behind the word `i`, with only a space between.
  [[nodiscard]] bool follows(std::size_t i) const { return i > 0 && i < words_.size() && spaced(i - 1); }
  [[nodiscard]] bool followed(std::size_t i) const { return i + 1 < words_.size() && spaced(i); }

  // The pieces of the word that no entity has, in order: of words with hyphens, views of text().
  [[nodiscard]] std::vector<std::string_view> free_pieces(const RecordWord& word) const;

  // Whether a sentence, a line or an item of a list begins with the word `i`.
  [[nodiscard]] bool begins_sentence(std::size_t i) const;

 private:
  [[nodiscard]] bool spaced(std::size_t i) const {
    return words_[i + 1].begin == words_[i].end + 1 && text_[words_[i].end] == ' ';
  }

  FoldedText folded_;
  std::string_view text_;
  std::span<const Entity> entities_;
  std::vector<RecordWord> words_;
  std::deque<std::string> keys_;  // of words whose key is not what is written
};

}  // namespace residue::text
