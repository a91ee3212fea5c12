// How alike words are used: latent semantic analysis of the words that stand beside them.
//
//   counts of neighbours ──> positive pointwise mutual information ──> dominant directions ──> a vector for each word
//
// S. Deerwester et al., "Indexing by latent semantic analysis", 1990, of a matrix of words and neighbours (J.
// Bullinaria and J. Levy, "Extracting semantic representations from word co-occurrence statistics", 2007). The
// directions are found by subspace iteration from directions drawn by a hash: the same on every machine of the same
// arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/predict/word_model.h"

namespace residue::text {

class WordVectors {
 public:
  struct Options {
    std::size_t words = 20'000;  // the most used ones have vectors, and are the neighbours that count
    std::size_t dimensions = 64;
  };

  // Vectors from elsewhere, row by row.
  struct Given {
    std::size_t dimensions = 0;
    std::vector<WordId> words;  // of two of one word the first counts
    std::vector<double> numbers;
  };

  // Cost: pairs of words times dimensions, a few times.
  WordVectors(const WordModel& model, const Options& options);
  explicit WordVectors(Given given);

  // Used so often, beside other words that are, that it has a vector; or given one that is not all zeros.
  [[nodiscard]] bool has(WordId word) const { return word < place_.size() && place_[word] != kNone; }

  // Cosine distance, 0 to 2; of words that have vectors.
  [[nodiscard]] double distance(WordId a, WordId b) const;

  // To each of `others`, the same numbers; `out` is as long.
  void distances(WordId a, std::span<const WordId> others, std::span<double> out) const;

 private:
  bool normalize(std::size_t row);  // false of nothing but zeros
  [[nodiscard]] const double* vector(WordId word) const { return &vectors_[place_[word] * dimensions_]; }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::size_t dimensions_;
  std::vector<std::uint32_t> place_;  // by word
  std::vector<double> vectors_;       // row by row, of length 1
};

}  // namespace residue::text
