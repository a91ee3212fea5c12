// WordNet's database: the base forms of a word, which words share a meaning, which meanings are kinds of each other.
//
//   index.*, *.exc ──> lemmas ──> senses (synsets) ── data.* ──> hypernyms, antonyms, derived and similar ones
//
// File formats: wndb(5WN) and morphy(7WN) of WordNet 3.0. ASCII, English. Immutable, usable from several threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

enum class WordClass : std::uint8_t { kNoun, kVerb, kAdjective, kAdverb };
inline constexpr std::size_t kWordClasses = 4;
inline constexpr std::array<std::string_view, kWordClasses> kWordNetClasses = {"noun", "verb", "adj", "adv"};

// The contents of index.CLASS, data.CLASS and CLASS.exc.
struct WordNetFiles {
  std::array<std::string, kWordClasses> index, data, exceptions;
};

// A meaning: four times its offset in its data file, plus its word class.
using Synset = std::uint32_t;

// A base form that the index has; views live as long as the WordNet.
struct WordNetLemma {
  WordClass part = WordClass::kNoun;
  std::string_view word;
  std::string_view line;  // of the index
};

class WordNet {
 public:
  // Throws Error{bad input} naming the file that is none of WordNet's, or is cut off: its class's index and data have
  // to have the same number of senses (an exception list that ends at a line's end passes). So does each function below
  // where it meets a damaged line.
  explicit WordNet(WordNetFiles files);
  WordNet(const WordNet&) = delete;
  WordNet& operator=(const WordNet&) = delete;

  // Base forms of `word` (lower case, '_' between the words of a phrase) in each class: itself, those of the exception
  // list, else those that the rules of detachment leave and the index has.
  [[nodiscard]] std::vector<WordNetLemma> lemmas(std::string_view word) const;

  // Meanings of the lemmas, the most frequent first, at most `most` of each lemma; each once.
  [[nodiscard]] std::vector<Synset> senses(std::span<const WordNetLemma> lemmas, std::size_t most) const;

  // What those are kinds or instances of, in up to `levels` steps, without themselves; ascending.
  [[nodiscard]] std::vector<Synset> hypernyms(std::span<const Synset> senses, int levels) const;

  // Where pointers of the kinds `symbols` ("!" antonym, "+" derived, "\" pertains, "&" similar) lead from `senses`;
  // ascending. A pointer that belongs to one word of its synset counts only for a word of `lemmas`.
  [[nodiscard]] std::vector<Synset> related(std::span<const Synset> senses, std::span<const WordNetLemma> lemmas,
                                            std::string_view symbols) const;

  // Whether a phrase of the index may begin with these two words: no false answer "no" for base forms and inflections
  // that leave the first three letters of the second word alone.
  [[nodiscard]] bool may_begin_phrase(std::string_view first, std::string_view second) const;

  // Another number for each object: what caches of several threads are told apart by.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  [[nodiscard]] const WordNetFiles& files() const { return files_; }

 private:
  // Lines by their first word, ascending.
  struct Lines {
    std::vector<std::string_view> lines;
    [[nodiscard]] std::string_view find(std::string_view word) const;  // empty if there is none
  };
  struct Pointer;

  static Lines lines_of(std::string_view file, std::string_view name);
  void require_whole() const;
  void add_lemma(WordClass part, std::string_view word, std::vector<WordNetLemma>& out) const;
  template <class F>
  void each_pointer(Synset synset, F&& visit) const;
  [[nodiscard]] std::string_view data_from(Synset synset) const;

  WordNetFiles files_;
  std::array<Lines, kWordClasses> index_, exceptions_;
  std::vector<std::uint64_t> phrases_;  // a bit for each hash of the beginning of some phrase
  std::uint64_t serial_ = 0;
};

}  // namespace residue::text
