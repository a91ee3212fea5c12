// Surrogates of names: persons by persons, firms by firms, places by places, none of them of the record itself.
//
//   draws, a name ── word by word, or from a list ──> another name
//
// What a word became stays so throughout the record, in letters of either case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ingest/method/draws.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

class LikeNames {
 public:
  // `draws` and `text` must outlive this. `alone`: no other record has to agree. Then two words get two names, with and without an accent too, and no name is
  // one that `text` has as a capitalized word, or that is said to be replaced (expect()).
  LikeNames(const Draws& draws, bool alone, std::string_view text);

  // Says that `original` is a name of the record, whatever its letters.
  void expect(std::string_view original);

  // Candidates; each attempt is another one, save for words that have their name already. Empty: none this time.
  std::string person(std::string_view original, std::uint64_t attempt);
  std::string organisation(std::string_view original, std::uint64_t attempt);
  std::string street(std::string_view original, std::uint64_t attempt);
  // `country` stands for the place's country: then it is one of there. Empty: one of its own country.
  std::string place(std::string_view original, std::uint64_t attempt, std::string_view country);

  // What became of words for the last candidate stays, or is forgotten: before the next one.
  void keep() { fresh_.clear(); }
  void forget();

  // Whether the candidate has a word of a name that the record has, other than the words of `original`.
  bool is_of_record(std::string_view candidate, std::string_view original);

  // What two ways of writing one name have in common: within a record the letters, in either case.
  [[nodiscard]] std::string key_of(std::string_view words) const;

 private:
  std::string drawn_name(std::string_view word, std::uint8_t kind, text::Gender gender = text::Gender::kUnknown);
  bool occurs(const std::string& known);
  [[nodiscard]] const std::string& drawn(const std::vector<std::string>& list, std::string_view original,
                                         std::uint64_t attempt) const {
    return list[draws_(original, attempt) % list.size()];
  }

  const Draws& draws_;
  bool alone_;
  std::string_view text_;
  bool read_ = false;                                   // text_
  std::unordered_set<std::string> real_;                // words of names of the record, as they are known
  std::unordered_map<std::string, std::string> words_;  // what became of words, by key
  std::unordered_set<std::string> used_;                // those, as they are known
  std::vector<std::string> fresh_;                      // of words_, of the last candidate
};

}  // namespace residue::ingest
