// ROUGE exactly as google-research rouge_score 0.1.2 computes it, bit for bit (parity/rouge.jsonl).
//
//   text ── lower, [a-z0-9]+, Porter ──> tokens ── n-gram overlap, LCS ──> counts ── divisions ──> Prf
//
// C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries", 2004.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

// Precision over the hypothesis, recall over the reference, F1; all 0 where nothing can match.
struct Prf {
  double p = 0;
  double r = 0;
  double f = 0;

  friend bool operator==(const Prf&, const Prf&) = default;
};

// Everything a Prf is made of, so that exact values can be stored.
struct Overlap {
  std::uint64_t common = 0;
  std::uint64_t reference = 0;
  std::uint64_t hypothesis = 0;

  friend bool operator==(const Overlap&, const Overlap&) = default;
};

Prf prf(const Overlap& counts);

using Tokens = std::span<const std::uint32_t>;

// Turns texts into dense token numbers, remembering words and stems. For one thread.
class RougeTokenizer {
 public:
  explicit RougeTokenizer(bool stem);
  ~RougeTokenizer();
  RougeTokenizer(RougeTokenizer&&) noexcept;
  RougeTokenizer& operator=(RougeTokenizer&&) noexcept;

  // Equal numbers are equal tokens, within one tokenizer and until clear_if_large() returns true.
  std::vector<std::uint32_t> tokens(std::string_view text);
  void tokens(std::string_view text, std::vector<std::uint32_t>& out);  // The same into a buffer that is reused.

  // Forgets all words when they take more than about 64 MiB. True when it did: earlier tokens are void.
  bool clear_if_large();

 private:
  struct Words;
  std::unique_ptr<Words> words_;
};

// The tokens as words, without memory.
std::vector<std::string> rouge_tokens(std::string_view text, bool stem);

// Length of the longest common subsequence. Cost: |b| times |a|/64 words.
// H. Hyyro, "Bit-parallel LCS-length computation revisited", 2004.
std::uint32_t lcs_length(Tokens a, Tokens b);

// The places of one of them in `a`, ascending: of several the one that the reference's walk through its table takes.
// Cost: |a| times |b|, and a bit of memory for each pair.
std::vector<std::size_t> lcs_places(Tokens a, Tokens b);

// n-grams in common, each counted as often as it occurs in both; n > 0.
Overlap rouge_n_overlap(Tokens reference, Tokens hypothesis, unsigned n);
Overlap rouge_l_overlap(Tokens reference, Tokens hypothesis);

// Lines are sentences; each line of the reference takes the union of its subsequences in common with every line of the
// hypothesis. Cost: quadratic in the tokens of a pair of lines, one bit of memory per pair of tokens.
Overlap rouge_lsum_overlap(std::string_view reference, std::string_view hypothesis, bool stem);

// ROUGE-1, ROUGE-2 and ROUGE-L at once: what the functions above find, for a third of their cost.
struct RougeOverlaps {
  Overlap rouge1;
  Overlap rouge2;
  Overlap rouge_l;

  friend bool operator==(const RougeOverlaps&, const RougeOverlaps&) = default;
};
RougeOverlaps rouge_overlaps(Tokens reference, Tokens hypothesis);

Prf rouge_n(Tokens reference, Tokens hypothesis, unsigned n);
Prf rouge_l(Tokens reference, Tokens hypothesis);
Prf rouge_lsum(std::string_view reference, std::string_view hypothesis, bool stem);

}  // namespace residue::text
