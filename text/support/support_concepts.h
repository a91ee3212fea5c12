// Words of the support features in WordNet: which meanings of a passage support a word of a claim, and how well.
//
//   claim ──── ClaimConcepts: meanings that would support, generalize or exclude each word ──┐
//                                                                                           ├── equal keys
//   passage ── passage_concepts: meanings that each word has, and of what it is a kind ──────┘
//
// Names, numbers, relatives and words of next to no evidence have none: they have rules of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/support/support_tokens.h"
#include "text/support/wordnet.h"

namespace residue::text {

// How a word of the passage stands to one of the claim. Best first; kOpposite excludes it.
enum class Relation : std::uint8_t { kSynonym, kDerived, kNarrower, kSimilar, kBroader, kOpposite };

// What each is worth, in sixteenths of the word itself; the judge notes' weights (section 2.3, step 2).
inline constexpr std::int32_t kRelationValues[] = {14, 13, 12, 10, 7, 0};

// Up to so many meanings of a base form count, and up to so many steps between a kind and what it is a kind of.
inline constexpr std::size_t kConceptSenses = 4;
inline constexpr int kConceptLevels = 3;

// Something that one word of a claim can be supported by.
struct ConceptWanted {
  std::uint64_t key = 0;
  Relation relation = Relation::kSynonym;
};

class ClaimConcepts {
 public:
  // Of the tokens of `text`; phrases ("heart attack") have their meanings at each of their words.
  void assign(const WordNet& wordnet, std::string_view text, std::span<const SupportToken> tokens);
  void clear() { from_.clear(); }

  // Of one token, relations best first. None after clear().
  [[nodiscard]] std::span<const ConceptWanted> of(std::size_t token) const {
    if (from_.empty()) return {};
    return std::span(wanted_).subspan(from_[token], from_[token + 1] - from_[token]);
  }

 private:
  std::vector<ConceptWanted> wanted_;
  std::vector<std::uint32_t> from_;
};

// Appends (key, token) for the tokens of a passage, in their order. A phrase's are at its first word.
void passage_concepts(const WordNet& wordnet, std::string_view text, std::span<const SupportToken> tokens,
                      std::vector<std::pair<std::uint64_t, std::uint32_t>>& out);

}  // namespace residue::text
