// What still looks like a replacement after a text was restored: in other letters, with another ending, cut, in part.
//
//   text, what was found in it ── the words between ──> words that look like one of a replacement
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/replacing/whole_words.h"

namespace residue::text {

// Words are runs of letters, or of digits, here, compared in small letters and without accents. A word of a text looks like
// a replacement where
//   * it and those behind it are all words of the replacement ("RUTH VOGEL", "PERSON_1" for "[PERSON_1]"), or
//   * it begins with a capital or a digit, and is a name of it: a word with a capital and at least three letters, or a
//     number of at least four digits, of a replacement that is no tag ("Vogel" for "Ruth Vogel"), or
//   * it begins with a capital, has no digits, and has a name's first letters, at least four and all but two at most,
//     and at most three others ("Bergens", "Anitty" for "Anitta"), or it is the beginning of a name, of at least four
//     letters ("Alex"); of a text's last word, of two.
// Words that the original has are its own and never looked at; where a replacement is meant as a whole, one of its
// words has to be another.
class LookAlikes {
 public:
  // Keeps copies. Cost: the words of both.
  LookAlikes(std::span<const std::string_view> replacements, std::string_view original);

  struct Found {
    std::uint64_t places = 0;
    std::vector<bool> rows;  // by replacement: whether something looks like it
  };

  // In the parts of `text` outside of `known`, which is in order. Cost: about one pass.
  [[nodiscard]] Found in(std::string_view text, std::span<const Occurrence> known) const;

 private:
  struct Name {
    std::string folded;
    std::size_t row = 0;
  };
  void add_row(std::size_t row, std::string_view replacement);
  // Whether the word looks like a name of some rows, which are marked; `last`: the text ends with it.
  bool is_like_a_name(const std::string& word, bool digits, bool last, std::vector<bool>& rows) const;

  std::set<std::string> own_;                                           // words of the original
  std::vector<std::vector<std::string>> rows_;                          // words of each replacement
  std::unordered_map<std::string, std::vector<std::size_t>> by_first_;  // rows, those of most words first
  std::unordered_map<std::string, std::vector<std::size_t>> names_;     // rows by name
  std::unordered_map<std::string, std::vector<Name>> by_letters_;       // names by their first four letters
  std::vector<Name> all_names_;
};

}  // namespace residue::text
