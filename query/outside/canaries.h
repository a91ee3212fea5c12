// Canaries: invented records with secrets that nobody else has, to be put among the originals before they are
// sanitized. Where a secret stands in what came out, the sanitizer let it through; nobody needs to know the originals
// to see it. N. Carlini et al., "The Secret Sharer", 2019.
//
//   seed ── template, words ──> records with secrets          seed ──> alternatives that were never put anywhere
//   texts of a release ── runs of words ──> how much of each stands there ── rank among its alternatives ──> exposure
//
// Pure but for memory. All that is drawn follows from the seed: who has it can check, and knows the secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace residue::query {

inline constexpr std::size_t kMostCanaries = 1'000;
inline constexpr std::size_t kCanaryAlternatives = 999;  // of each secret

// What canaries are made from; the content of a key file.
struct CanaryKey {
  std::string seed;       // hexadecimal
  std::size_t count = 0;  // at least 1
  std::size_t words = 0;  // that a text has at least
};

struct Canary {
  std::string id;                   // "canary-0001-" and eight digits of its own
  std::string kind;                 // "phrase" (four words) or "number" (ten digits, written 555-555-5555), by turns
  std::vector<std::string> secret;  // its words, as Analyzer::plain() has them
  std::string text;
};

// In order; secrets are different from each other and from all alternatives of their kind.
std::vector<Canary> make_canaries(const CanaryKey& key);

// How much of one canary stands in the texts that were read.
struct CanaryFound {
  std::string id, kind;
  std::size_t words = 0;    // of the secret
  std::size_t longest = 0;  // words of it in a row in one text, the most
  double rank = 1;          // among itself and its alternatives by that, ties at their middle
  double exposure = 0;      // log2(alternatives + 1) - log2(rank): 0 to 9.97 bits
  [[nodiscard]] bool whole() const { return longest == words; }
};

class CanarySearch {
 public:
  explicit CanarySearch(const CanaryKey& key);
  ~CanarySearch();
  CanarySearch(const CanarySearch&) = delete;
  CanarySearch& operator=(const CanarySearch&) = delete;

  // Words are compared as Analyzer::plain() has them: without regard to letter case and punctuation.
  void read(std::string_view text);

  // Of each canary, in order, by what was read so far.
  [[nodiscard]] std::vector<CanaryFound> found() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The mean exposure of a secret that stands nowhere by more than chance: what to compare with.
double chance_exposure();

}  // namespace residue::query
