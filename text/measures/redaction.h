// Redaction against gold standards: what a sanitizer masked, compared with what people said must be masked. Counts
// only.
//
//   text, gold mentions, masked spans ──> counts of tokens, mentions and entities     (Text Anonymization Benchmark)
//   text, unsafe terms,  masked spans ──> counts of tokens                             (ZSTS, section 4)
//
// I. Pilan et al., "The Text Anonymization Benchmark (TAB)", 2022, section 6: several annotators, micro-averaged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

struct Share {
  std::uint64_t hits = 0;
  std::uint64_t of = 0;

  Share& operator+=(const Share& other) {
    hits += other.hits;
    of += other.of;
    return *this;
  }
  friend bool operator==(const Share&, const Share&) = default;
};

// kMask: must be masked, nobody said whether it names the person alone or together with others.
enum class Identifier { kDirect, kQuasi, kMask, kNoMask };

// One annotator's mark on a text.
struct GoldMention {
  Span span;  // bytes
  Identifier identifier = Identifier::kQuasi;
  std::string entity;  // of that annotator; empty: an entity of this one mention
  std::string annotator;
  std::string type;
};

// An entity must be masked if one of its mentions must; it is direct, and of the type, as its first mention says.
struct RecallCounts {
  Share tokens;    // \w+ of all its mentions that are masked
  Share mentions;  // its mentions that are masked
  Share direct;    // direct entities all of whose mentions that must be masked are
  Share quasi;     // the others, but for those of kMask

  RecallCounts& operator+=(const RecallCounts& other);
  friend bool operator==(const RecallCounts&, const RecallCounts&) = default;
};

inline constexpr double kWeightUnits = 65'536;

// What a word tells, such as -log P(word | the others): of a part of a word, in units of 2^-16.
struct WordWeight {
  Span span;  // bytes
  std::uint64_t weight = 0;
};

struct SpanCounts {
  RecallCounts recall;
  std::map<std::string, RecallCounts> by_type;
  // Of the masked tokens, once for each annotator: those inside a mention that he says must be masked.
  Share precision;
  // The same of the masked tokens that have a weight, by it, in units of 2^-16; nothing where there are no weights.
  std::optional<Share> weighted = std::nullopt;
  std::uint64_t weightless = 0;  // masked tokens without a weight, once for each annotator
  std::uint64_t heaviest = 0;    // the greatest weight of any token of the text

  friend bool operator==(const SpanCounts&, const SpanCounts&) = default;
};

// `masked`: bytes of `text`, in any order, may overlap. Something is masked if all its characters are, but for function
// words, titles and punctuation, which are forgiven, unless no word of the text is masked: then nothing is. Spans must
// lie inside the text. `weights`: those inside one token add up.
SpanCounts compare_spans(std::string_view text, std::span<const GoldMention> gold, std::span<const Span> masked,
                         std::span<const WordWeight> weights = {});

// Tokens of `text`: those that lie in an occurrence of an unsafe term, those that are masked, and those that are both.
// Terms are found as sequences of tokens, as they read (text/as_read.h); one that does not occur counts nothing.
struct TermCounts {
  std::uint64_t unsafe = 0;
  std::uint64_t redacted = 0;
  std::uint64_t both = 0;

  friend bool operator==(const TermCounts&, const TermCounts&) = default;
};
TermCounts compare_terms(std::string_view text, std::span<const std::string> terms, std::span<const Span> masked);

// True if the tokens of `term` occur in `text` one behind the other, as they read (text/as_read.h); where a term
// has no token, its signs do. LOP 5.2: an entity whose string no longer occurs was replaced.
bool has_term(std::string_view text, std::string_view term);

}  // namespace residue::text
