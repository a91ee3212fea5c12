// BM25 as Lucene defines it, with exact lengths or Lucene's; written once for the linker and for Xapian's weight.
//
//   score(q, d) = sum over the distinct terms t of q, in ascending byte order, of
//                 idf(t) * wqf(t) * (tf / (tf + k1 * (1 - b + b * len(d) / avg)))
//
// This order of operations is part of the definition: it makes scores equal bit for bit wherever they are computed from
// the same integers. N and the average count the documents that have at least one term.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace residue::index {

// FSP: k1 = 0.9, b = 0.4.
struct Bm25Options {
  double k1 = 0.9;
  double b = 0.4;
  bool lucene_lengths = false;  // lengths as Lucene keeps them, in one byte; for parity with published figures
};

// The length that remains of `length` in Lucene's one byte (SmallFloat.intToByte4 and back): exact up to 40, above that
// the next lower value of 4 significant bits beyond 24. The average stays that of the exact lengths.
inline std::uint64_t lucene_length(std::uint64_t length) {
  constexpr std::uint64_t kExact = 24;
  if (length < kExact) return length;
  const std::uint64_t rest = length - kExact;
  const int dropped = std::max(0, static_cast<int>(std::bit_width(rest)) - 4);
  return kExact + (rest >> dropped << dropped);
}

// ln(1 + (N - n + 0.5) / (n + 0.5)): positive for every n <= N. `n`: documents with the term.
inline double bm25_idf(std::uint64_t documents, std::uint64_t n) {
  const auto in = static_cast<double>(n);
  return std::log(1.0 + (static_cast<double>(documents) - in + 0.5) / (in + 0.5));
}

// k1 * (1 - b + b * len / avg). `length` counts a document's term occurrences; `average` is their mean.
inline double bm25_norm(const Bm25Options& options, std::uint64_t length, double average) {
  if (options.lucene_lengths) length = lucene_length(length);
  return options.k1 * (1.0 - options.b + options.b * static_cast<double>(length) / average);
}

// tf / (tf + norm), for tf > 0.
inline double bm25_saturation(std::uint32_t tf, double norm) {
  return static_cast<double>(tf) / (static_cast<double>(tf) + norm);
}

// One term's share of a score. `weight`: idf * wqf.
inline double bm25_part(double weight, std::uint32_t tf, double norm) { return weight * bm25_saturation(tf, norm); }

}  // namespace residue::index
