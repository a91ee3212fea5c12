// Latent semantic analysis: the topics of a collection, and how much of each is in a text.
//
//   documents ─> term weights ─> truncated singular value decomposition ─> topics ;  a text's terms ─> its topics
//
// Deerwester et al., Indexing by latent semantic analysis (JASIS 1990), folding in; the decomposition is that of Halko,
// Martinsson and Tropp, Finding structure with randomness (SIAM Review 2011), algorithms 4.4 and 5.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace residue::numbers {

// A matrix by rows; what is not named is 0.
struct SparseMatrix {
  struct Entry {
    std::uint32_t column = 0;
    double value = 0;
  };
  std::size_t columns = 0;
  std::vector<std::vector<Entry>> rows;  // ascending columns
};

struct RightVectors {
  std::vector<double> singular_values;  // descending, each at least 1e-7 of the first
  std::vector<double> vectors;          // by column of the matrix: a value for each singular value
};

// The `rank` greatest singular values and their right vectors, fewer where the matrix has no more; the greatest
// component of each vector (the first of equals) is positive. Exact up to rounding where rows or columns are no more
// than 500, else six rounds from seeded vectors, ten more than `rank`.
RightVectors truncated_svd(const SparseMatrix& matrix, std::size_t rank, std::uint64_t seed);

struct LsaOptions {
  std::size_t topics = 100;
  std::uint64_t seed = 42;
};

// Immutable. Does not depend on threads.
class TopicSpace {
 public:
  // `terms_of` puts the terms of document i, repeats included, into an empty vector; it is called once for each i, in
  // order. A term's weight in a document is (1 + ln tf)(1 + ln((1 + N)/(1 + df))); documents have unit length.
  // Cost: about 20 ns a topic and distinct term of a document.
  TopicSpace(std::size_t documents, const std::function<void(std::size_t i, std::vector<std::string>& terms)>& terms_of,
             const LsaOptions& options = {});

  // At most as many as asked for, as documents, and as terms.
  [[nodiscard]] std::size_t topics() const { return vectors_.singular_values.size(); }

  // The text's coordinates in the topics; all zero when it has none of the documents' terms.
  [[nodiscard]] std::vector<double> of(std::span<const std::string> terms) const;

 private:
  using Counts = std::unordered_map<std::uint32_t, std::uint32_t>;
  [[nodiscard]] Counts counts_of(std::span<const std::string> terms) const;

  std::unordered_map<std::string, std::uint32_t> number_;  // of a term: the matrix's column
  std::vector<double> rarity_;                             // by term: 1 + ln((1 + N)/(1 + df))
  RightVectors vectors_;
};

}  // namespace residue::numbers
