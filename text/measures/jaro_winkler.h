// Jaro and Jaro-Winkler similarity over code points, as rapidfuzz computes them, bit for bit
// (parity/jarowinkler.jsonl).
//
// M. Jaro, "Advances in record-linkage methodology", 1989; W. Winkler, "String comparator metrics and enhanced decision
// rules in the Fellegi-Sunter model of record linkage", 1990. Prefix of at most 4, weight 0.1, only above 0.7.
#pragma once

#include <string_view>

namespace residue::text {

// In [0, 1]; two empty texts give 1, one empty text 0. Ill-formed bytes count as U+FFFD. As in rapidfuzz the greedy
// assignment of common characters goes through `b`, so that the order of the arguments may matter.
// Cost: bit-parallel, linear in |b| where the longer one has at most 64 characters, else |a| |b| / 128 steps.
double jaro(std::string_view a, std::string_view b);

// The same. Below `cutoff` 0 may stand for the value: then most pairs are decided by their lengths and letters alone.
double jaro_winkler(std::string_view a, std::string_view b, double cutoff = 0);

// AA B.2: strictly above 0.75 is the same answer.
inline constexpr double kSameAnswer = 0.75;
inline bool jaro_winkler_close(std::string_view a, std::string_view b) {
  return jaro_winkler(a, b, kSameAnswer) > kSameAnswer;
}

}  // namespace residue::text
