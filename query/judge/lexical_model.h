// The model of the lexical judge: an ordinal logistic over eight features, and rules where its labels are silent.
//
//   lexical_weights.json (embedded) ──> LexicalModel ──> points of a pair ──> two thresholds ──> rating
//
// lexical_wordnet_weights.json is that of the judge that uses WordNet, fitted to the same labels.
// Whoever changes a number there or a word list changes its version too; a test holds the digest.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "text/support/support.h"

namespace residue::query {

inline constexpr std::array<std::string_view, 8> kLexicalFeatures = {"coverage", "window_coverage", "names", "numbers",
                                                                     "bigrams",  "missing",         "doubt", "worst"};
using LexicalFeatures = std::array<std::int32_t, kLexicalFeatures.size()>;

// In the order of kLexicalFeatures, fixed point with denominator text::kSupportOne.
LexicalFeatures lexical_features(const text::SupportFeatures& features);

// Points are thousandths of a logit.
struct LexicalModel {
  std::string version;
  std::array<std::int32_t, kLexicalFeatures.size()> weights{};  // Points of a feature that is 1.
  std::int32_t similar = 0;                                     // From here on a pair is rated 2,
  std::int32_t same = 0;                                        // from here on 1.

  // Where half of the matched weight or more is said under the opposite polarity or of somebody else: points per share.
  std::int32_t opposite = 0;
  // A pair lacking a name or a number reaches `similar` where so many thirds of its other words are in the window: a
  // wrong age of a ferry captain still tells that somebody is a ferry captain, and must not pass for privacy.
  std::int32_t rest_thirds = 0;
  // With fewer thirds of the evidence of its words in the passage a pair is not `similar` by points: long claims taught
  // them, of which a few words are always there.
  std::int32_t least_thirds = 0;
  // A claim of at most so many words asserts each of them: lacking one, it is not the same.
  std::int32_t atomic_words = 0;

  friend bool operator==(const LexicalModel&, const LexicalModel&) = default;
};

// What the weights were fitted to, and how well that went: for reports, no part of a rating.
struct LexicalValidation {
  std::string labels;  // "WiCE dev, oracle evidence"
  std::uint64_t pairs = 0;
  std::uint64_t records = 0;               // claims there
  std::string digest;                      // of the labels: calibration.h
  double spearman = 0, low = 0, high = 0;  // out of fold
  std::string wordnet;                     // digest of the dictionary's files; empty without one

  // On labels to which nothing was fitted and by which no rule was chosen: what the judge is worth.
  struct Unseen {
    std::string labels;     // "WiCE test"
    bool own_kind = false;  // Claims written from texts like the passage, as a record's are.
    std::uint64_t pairs = 0, records = 0;
    std::uint64_t supported = 0, called_unsupported = 0;  // claims that people found supported, wholly or in part
    double spearman = 0, low = 0, high = 0;
    [[nodiscard]] double flattering() const {
      return static_cast<double>(called_unsupported) / static_cast<double>(supported);
    }
  };
  std::vector<Unseen> unseen;  // at least one of the own kind

  // Of those of the own kind that of the lowest Spearman, and that of the greatest share of supported claims called
  // unsupported: what reports say.
  [[nodiscard]] const Unseen& least_agreement() const;
  [[nodiscard]] const Unseen& most_flattering() const;
};

// The embedded models. Throw never: a test reads them.
const LexicalModel& lexical_model();
const LexicalModel& lexical_wordnet_model();
const LexicalValidation& lexical_validation();
const LexicalValidation& lexical_wordnet_validation();

// Everything a rating depends on, as canonical JSON; and back from a file's. Throws JsonError.
Json model_json(const LexicalModel& model);
LexicalModel model_of(const Json& json);

}  // namespace residue::query
