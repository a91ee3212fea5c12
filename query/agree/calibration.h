// Calibration: how far does a judge agree with people, and what would the lexical judge be if these people had taught
// it?
//
//   labelled pairs ── judge ──> Agreement (as it is)
//        └── features ── fit_ordinal, four fifths of the records at a time ──> Agreement out of fold
//
// Labels calibrate, perturbations only test: a judge fitted to self-made perturbations loses people's agreement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numbers/stats/agreement.h"
#include "query/judge/judge.h"
#include "query/judge/lexical_model.h"
#include "text/support/wordnet.h"

namespace residue::query {

inline constexpr std::size_t kFewestLabels = 50;  // Fewer say nothing: refused.
inline constexpr std::size_t kFewLabels = 100;    // Fewer deserve a warning.
inline constexpr std::uint64_t kFolds = 5;

// What people said of a claim and a passage. Pairs of one record are never split between fitting and testing.
struct LabelledPair {
  std::string passage, claim, record;
  std::uint8_t rating = 3;                 // 1 same, 2 similar, 3 unsupported.
  std::optional<std::string> person = {};  // whose record it is: resampled together; files do not say
};

struct Agreement {
  std::uint64_t pairs = 0;    // that the judge rated
  std::uint64_t unrated = 0;  // that it could not
  std::uint64_t records = 0;
  numbers::Confusion confusion{};  // [label - 1][judge's rating - 1]
  std::optional<double> spearman;  // of the scores
  std::optional<numbers::Interval> spearman_interval;
  std::optional<double> rating_spearman;  // of the ratings
  std::optional<double> kappa;            // quadratic, of the ratings
  std::optional<numbers::Interval> kappa_interval;
};

// In the order of the pairs.
std::vector<std::optional<Rating>> ratings_of(const Judge& judge, const std::vector<LabelledPair>& pairs);

// Of ratings in the order of the pairs. Intervals resample persons where they are known, else records.
Agreement agreement_of(const std::vector<LabelledPair>& pairs, const std::vector<std::optional<Rating>>& ratings);

// The judge as it is against the labels.
Agreement agreement_with(const Judge& judge, const std::vector<LabelledPair>& pairs);

// Ratings of the lexical judge fitted to four fifths of the records, of the last fifth, five times; the fold of a
// record is a hash of its name. With `wordnet`: of lexical-wordnet. Throws Error{bad input} for fewer than
// kFewestLabels pairs, or where one rating is missing.
std::vector<std::optional<Rating>> out_of_fold(const std::vector<LabelledPair>& pairs,
                                               const text::WordNet* wordnet = nullptr);

// Their agreement. Throws as out_of_fold().
Agreement cross_validate(const std::vector<LabelledPair>& pairs, const text::WordNet* wordnet = nullptr);

// The lexical model fitted to all of them, with the embedded model's rules. Throws as out_of_fold().
LexicalModel fit_lexical(const std::vector<LabelledPair>& pairs, const std::string& version,
                         const text::WordNet* wordnet = nullptr);

// 16 hex digits that name a set of labels, in whatever order: tells whether a model was fitted to them.
std::string labels_digest(const std::vector<LabelledPair>& pairs);

}  // namespace residue::query
