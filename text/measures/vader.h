// VADER: sentiment of a short text by a lexicon and rules, as vaderSentiment 3.3 computes it (parity/vader.jsonl).
//
//   text ── emoji to words ──> split at spaces, punctuation off ──> lexicon, boosters, negations, "but" ──> scores
//
// C. Hutto and E. Gilbert, "VADER: a parsimonious rule-based model for sentiment analysis of social media text", 2014.
#pragma once

#include <memory>
#include <string_view>

namespace residue::text {

// Rounded as Python's round() does: shares to 3 decimals, the compound to 4.
struct Sentiment {
  double negative = 0;  // shares of the text, [0, 1]; together 1, or all 0 without a word
  double neutral = 0;
  double positive = 0;
  double compound = 0;  // [-1, 1]

  friend bool operator==(const Sentiment&, const Sentiment&) = default;
};

// ZSTS: the label of a text; beyond 0.05 on either side it is not neutral.
enum class SentimentLabel { kNegative, kNeutral, kPositive };
SentimentLabel sentiment_label(const Sentiment& sentiment);

// Immutable; may be used from several threads.
class Vader {
 public:
  // `lexicon`: the contents of a file of lines `word TAB mean valence [TAB ...]`, of `emoji`: `character TAB words`
  // (may be empty). Of a word that is there twice the later line counts. Throws Error{bad input} naming the line that
  // is not of that form, and where there is no word at all: without a lexicon every text would be neutral.
  Vader(std::string_view lexicon, std::string_view emoji);
  ~Vader();
  Vader(Vader&&) noexcept;
  Vader& operator=(Vader&&) noexcept;

  // Cost: about 15 ns a word of ASCII.
  [[nodiscard]] Sentiment sentiment(std::string_view text) const;

 private:
  struct Words;
  std::unique_ptr<Words> words_;
};

}  // namespace residue::text
