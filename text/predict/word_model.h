// How probable a word is between its neighbours: an interpolated Kneser-Ney model of three words, read from both sides.
//
//   P(w | l2 l1 _ r1 r2) = ½ P(w | l2 l1) + ½ P(w | r1 r2)
//
// R. Kneser and H. Ney, "Improved backing-off for m-gram language modeling", 1995; S. F. Chen and J. Goodman, "An
// empirical study of smoothing techniques for language modeling", 1999 (interpolated, one discount per order, n1 / (n1
// + 2 n2)). The mean of two distributions over the vocabulary is one again. ZSTS estimates the same with a masked
// language model.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace residue::text {

using WordId = std::uint32_t;

// A word as the model sees it: lower case.
class WordModel {
 public:
  static constexpr WordId kUnknown = 0;   // a word that training never saw
  static constexpr WordId kBoundary = 1;  // between utterances, and beyond both ends of a document
  static constexpr WordId kFirst = 2;
  static constexpr WordId kMost = (1U << 21U) - 1;  // further words count as unknown

  struct Neighbours {
    WordId left2 = kBoundary, left1 = kBoundary, right1 = kBoundary, right2 = kBoundary;
  };
  struct Candidate {
    WordId word = kUnknown;
    double probability = 0;
  };

  ~WordModel();
  WordModel(WordModel&&) noexcept;
  WordModel& operator=(WordModel&&) noexcept;

  [[nodiscard]] WordId id(std::string_view word) const;
  [[nodiscard]] std::string_view word(WordId id) const;
  [[nodiscard]] std::size_t words() const;  // ids are below it

  // Words by falling number of words that they stand beside, of equal ones the first in byte order; the most frequent
  // come first, roughly. Without kUnknown and kBoundary.
  [[nodiscard]] std::span<const WordId> by_use() const;

  // Calls `f(word, times)` for each word that stands right behind `first`, kBoundary included, once.
  void each_behind(WordId first, const std::function<void(WordId word, std::uint32_t times)>& f) const;

  // In (0, 1). Over all words, the boundary and kUnknown it sums to 1. Cost: a few table look-ups.
  [[nodiscard]] double probability(WordId word, const Neighbours& neighbours) const;

  // The `n` most probable words by falling probability, of equal ones the first in byte order; never kUnknown or
  // kBoundary. Cost: some words more than `n`, a few table look-ups each.
  [[nodiscard]] std::vector<Candidate> likeliest(const Neighbours& neighbours, std::size_t n) const;

 private:
  friend class WordModelTrainer;
  struct State;
  struct Search;
  explicit WordModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Words as text::words() finds them, in lower case. Memory: 8 bytes a word of the training text, and some 60 for each
// distinct triple. The order of documents changes no probability.
class WordModelTrainer {
 public:
  WordModelTrainer();
  ~WordModelTrainer();

  // Adds a document: its utterances in order.
  void add(std::span<const std::string_view> utterances);

  // Nothing may be added behind it.
  [[nodiscard]] WordModel finish();

 private:
  std::unique_ptr<WordModel::State> state_;
  std::vector<std::uint64_t> triples_;
};

}  // namespace residue::text
