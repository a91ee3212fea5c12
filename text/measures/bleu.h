// BLEU of one text against one reference, as NLTK 3.8 (sentence_bleu) and sacrebleu 2.6 compute it (parity/bleu.jsonl:
// counts exact, scores to 1e-12).
//
//   texts ── tokens ──> token numbers ── n-grams in common, n = 1..4 ──> BleuCounts ── smoothing, brevity ──> score
//
// K. Papineni et al., "BLEU: a method for automatic evaluation of machine translation", 2002; smoothings: B. Chen and
// C. Cherry, "A systematic comparison of smoothing techniques for sentence-level BLEU", 2014.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace residue::text {

inline constexpr std::size_t kBleuOrders = 4;

// [n - 1] is of n-grams.
struct BleuCounts {
  std::array<std::uint64_t, kBleuOrders> common{};  // of the hypothesis in the reference, each as often as in both
  std::array<std::uint64_t, kBleuOrders> total{};   // of the hypothesis
  std::uint64_t hypothesis = 0;                     // tokens
  std::uint64_t reference = 0;

  friend bool operator==(const BleuCounts&, const BleuCounts&) = default;
};

// Tokens are what lies between single spaces, as `split(' ')`: two spaces have an empty token between them, and the
// empty text is one empty token. Cost: linear; no allocation once a thread has seen texts of that size.
BleuCounts bleu_counts(std::string_view reference, std::string_view hypothesis);

// The same of tokens that are given.
BleuCounts bleu_counts(std::span<const std::string_view> reference, std::span<const std::string_view> hypothesis);

// NLTK's SmoothingFunction with its defaults: epsilon 0.1, k 5.
enum class NltkSmoothing { kNone, kMethod1, kMethod2, kMethod3, kMethod4 };

// BLEU-1 to BLEU-4 with uniform weights, in [0, 1]; all 0 without a common token. As NLTK does, a precision that no
// smoothing makes positive is left out of the mean, except by kNone, which takes the smallest normal double.
std::array<double, kBleuOrders> nltk_bleu(const BleuCounts& counts, NltkSmoothing smoothing = NltkSmoothing::kMethod4);

enum class SacreTokenizer { k13a, kInternational, kCharacters, kChinese, kNone };
enum class SacreSmoothing { kExp, kFloor, kAddK, kNone };  // floor 0.1, k 1

struct SacreBleu {
  double score = 0;                              // [0, 100]; may exceed 100 by a rounding error, as the original
  std::array<double, kBleuOrders> precisions{};  // [0, 100], smoothed; 0 behind the effective order
  double brevity = 0;                            // (0, 1]; 0 for an empty hypothesis
  BleuCounts counts;                             // with kAddK as smoothed, as sacrebleu reports them
};

// sentence_score with effective_order, sacrebleu's setting for single sentences.
SacreBleu sacre_bleu(const BleuCounts& counts, SacreSmoothing smoothing);
SacreBleu sacre_bleu(std::string_view reference, std::string_view hypothesis, SacreTokenizer tokenizer,
                     SacreSmoothing smoothing, bool lower_case = false);

// The text as sacrebleu's tokenizer returns it: tokens joined by one space (kCharacters: before splitting at spaces).
std::string sacre_tokenized(std::string_view text, SacreTokenizer tokenizer);

}  // namespace residue::text
