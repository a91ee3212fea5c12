// The model of the lexical judge: hand-set, looked at WiCE's dev part only (notes on calibration: lexical_judge.h).
// Whoever changes a number here or a word list changes kLexicalVersion too; a test holds the digest.
#pragma once

#include <cstdint>

namespace residue::query {

inline constexpr char kLexicalVersion[] = "lexical-v1/hand2";

// A pair of which a name or a number is missing stays below `same`, whatever else is found, and reaches `similar` where
// at least `rest_thirds` thirds of its other words are in the evidence window: a wrong age of a ferry captain still
// tells that somebody is a ferry captain, and must not pass for privacy.
//
// Points per feature that is 1 (per word for `length`); a pair's points are their sum. At `same` points or more the
// rating is 1, at `similar` or more 2.
struct LexicalWeights {
  std::int32_t coverage = 500;
  std::int32_t window_coverage = 250;
  std::int32_t names = 80;
  std::int32_t numbers = 200;
  std::int32_t bigrams = 120;
  std::int32_t negation = -800;
  std::int32_t missing = -100;
  std::int32_t length = -2;
  std::int32_t longest = 40;  // Words beyond these no longer count in `length`.
  std::int32_t same = 800;
  std::int32_t similar = 420;
  std::int32_t rest_thirds = 2;
  std::int32_t spread = 100;  // Points in which the odds grow by e, for the displayed score.
};

inline constexpr LexicalWeights kLexicalWeights;

}  // namespace residue::query
