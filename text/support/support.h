// Does a passage support a claim? The features of the lexical judge, as integers.
//
//   passage ── SupportPassage (once) ──┐
//                                      ├──> support_features ──> numbers, evidence window, what is missing
//   claim ──── SupportClaim ───────────┘
//
// Words match by stem, by a short list of synonyms, or weakly by a common root; given WordNet, also by what they mean
// (text/support_concepts.h). Each counts with a fixed weight of evidence (text/support_words.h), never with statistics
// of a dataset. Pure functions of the two texts, and of WordNet's files where they are given: then to both sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/support/occurrences.h"
#include "text/support/support_concepts.h"
#include "text/support/support_doubt.h"
#include "text/support/support_tokens.h"

namespace residue::text {

// Features are fixed-point numbers with this denominator.
inline constexpr std::int32_t kSupportOne = 4096;

// How many sentences an evidence window has.
inline constexpr std::uint32_t kSupportWindow = 3;

struct SupportFeatures {
  std::int32_t coverage = 0;         // Weight of the claim's words found anywhere in the passage, [0, 1].
  std::int32_t window_coverage = 0;  // ... found in the best three sentences in a row.
  std::int32_t names = 0;            // Share of the claim's capitalized words found; 1 if it has none.
  std::int32_t numbers = 0;          // Share of its numbers found, with their units; 1 if it has none.
  std::int32_t bigrams = 0;          // Share of its pairs of neighbouring words of weight found as neighbours.
  std::int32_t negation = 0;         // Weight of its matched words that the window has under the opposite polarity.
  std::int32_t stranger = 0;         // ... that the window says of a relative of whom the claim does not speak.
  std::int32_t missing = 0;          // Weight of its heaviest word that was not found, of the heaviest weight.
  std::int32_t doubt = 0;            // Of its weight, the mean doubt (text/support_doubt.h); 1 if it has none.
  std::int32_t worst = 0;            // ... of the two most doubtful, a claim of one word that of this one.
  std::int32_t rest = 0;             // Window coverage of its words but names and numbers; 0 if none is ordinary.
                                     // A missing first word, which may be a name, is left out.
  std::int32_t length = 0;           // Its words, not scaled.
  bool lacks = false;                // A word is missing or only hinted at that is no commonplace, or names a relative.
  bool rival = false;                // Where the claim says left, the passage says right.
  bool contested = false;  // Where the best sentence says the rest of it, it has another name, number or word.
  bool general = false;    // All that its numbers lack is given as a range or a decade.
  bool broader = false;    // For a word it has something more general at best.
  bool opener = false;     // The first word of a sentence is missing, and may be a name.
  bool plain = false;      // Nothing but function words: only the wording itself can be compared.
  bool verbatim = false;   // The claim's words occur in the passage in a row, polarity equal.

  friend bool operator==(const SupportFeatures&, const SupportFeatures&) = default;
};

// What the features are made of, for explanations. Views point into the claim.
struct SupportDetail {
  std::uint32_t window_begin = 0;  // Bytes [window_begin, window_end) of the passage.
  std::uint32_t window_end = 0;
  std::vector<std::string_view> unsupported;      // Words of weight that the window lacks.
  std::vector<std::string_view> missing_numbers;  // Numbers that the passage lacks or has with another unit.
  std::vector<std::string_view> rivals;           // Words of which the passage has the opposite.
  std::vector<std::string_view> general;          // Words of which it has something more general at best.
  std::vector<std::string_view> contested;        // Words in whose place it has another of their kind.
  std::vector<DoubtedWord> doubted;               // Each word of weight once.
};

// A claim without words or numbers (punctuation, placeholders) is empty().
class SupportClaim {
 public:
  // Reuses its memory: one object per thread, assigned claim after claim. Keeps a view of `text`.
  void assign(std::string_view text, const WordNet* wordnet = nullptr);
  [[nodiscard]] bool empty() const { return tokens_.empty(); }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::span<const SupportToken> tokens() const { return tokens_; }
  [[nodiscard]] const ClaimConcepts& concepts() const { return concepts_; }

 private:
  std::string_view text_;
  std::vector<SupportToken> tokens_;
  ClaimConcepts concepts_;
};

class SupportPassage {
 public:
  // Reuses its memory; keeps a view of `text`.
  void assign(std::string_view text, const WordNet* wordnet = nullptr);
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  friend SupportFeatures support_features(const SupportPassage&, const SupportClaim&, SupportDetail*);

  // Whether a range (40 to 50, 40-50) or a decade (40s) holds the claim's number.
  [[nodiscard]] bool within(const SupportToken& number) const;

  // Whether its words occur in a row, said alike of the same holder.
  [[nodiscard]] bool has_in_a_row(std::span<const SupportToken> claim) const;

  // Appends the tokens that mean what `wanted`, of one word of the claim, asks for, by the best relation that any of
  // them has; ascending, each once. Returns that relation, nothing if there is none. kOpposite appends none.
  std::optional<Relation> meant(std::span<const ConceptWanted> wanted, std::vector<std::uint32_t>& places) const;

  std::string_view text_;
  std::vector<SupportToken> tokens_;
  std::vector<std::uint32_t> sentence_;       // Per token.
  std::vector<std::uint32_t> first_token_;    // Per sentence, and at the end the number of tokens.
  std::vector<std::uint32_t> sentence_from_;  // Per sentence: first byte.
  std::vector<std::uint32_t> sentence_to_;
  std::vector<std::uint32_t> counted_;  // Tokens that say how many: numbers, decades.
  Occurrences words_;
  Occurrences roots_;
  Occurrences bigrams_;
  Occurrences concepts_;  // empty without WordNet
  std::vector<std::pair<std::uint64_t, std::uint32_t>> meanings_;
};

// `detail` may be null.
SupportFeatures support_features(const SupportPassage& passage, const SupportClaim& claim,
                                 SupportDetail* detail = nullptr);

}  // namespace residue::text
