// Detectability: can a classifier tell sanitized texts from originals that it has not seen?
//
//   n-grams of both texts of each record ─> five folds of records ─> logistic regression on four, asked about the fifth
//
// LOP 6.3 with a linear classifier in place of a fine-tuned model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/corpus/ngrams.h"

namespace residue::query {

// Fewer records say nothing about a classifier.
inline constexpr std::size_t kLeastDetected = 10;

struct TextPair {
  std::string key;  // of the record
  Ngrams original, variant;
};

struct DetectionOptions {
  std::size_t folds = 5;
  std::size_t iterations = 300;  // at most
  std::uint64_t seed = 42;
};

// By record, the fold it is in: records in the order of their keys' seeded hashes are dealt out one by one, so both of
// its texts are always together, and neither the order of the records nor what the texts say matters.
std::vector<std::size_t> folds_of(std::span<const TextPair> records, const DetectionOptions& options);

// By record, how many of its two texts were told right: 0, 1 or 2. Two equal texts give 1. The classifier is logistic
// regression with an L2 penalty (as strong as all losses are to weight 1 each), of which words and characters have half
// the weight each; a doubtful text counts as original. Depends on neither order, threads nor instruction set. Cost:
// about 2 ns for each n-gram, iteration and fold.
std::vector<std::uint8_t> detect(std::span<const TextPair> records, const DetectionOptions& options = {});

// The share of the texts that were told right, of what detect() gave; not empty.
double detection_accuracy(std::span<const std::uint8_t> right);

}  // namespace residue::query
