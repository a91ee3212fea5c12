// Which phrases of released texts one person's originals alone have. Phrases are runs of words; words are numbers.
//
//   originals ── phrases of n words, by parts of the hash space ──> table: one place, one person, or several ──┐
//   released texts ── phrases of n words ──────────────────────────────────────────────────────────────────────┴─>
//   reach
//
// From one length to the next, only what stands in the originals several times goes on: of a phrase that stands there
// once, what follows is read on the spot. Equal hashes decide nothing: the words are compared.
// Rare phrases as traces: Lison and Anderson 2025.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace residue::text {

inline constexpr std::size_t kLongestPhrase = 8;

// Texts as numbers of words, one behind the other. 0 ends a run of words, which no phrase goes beyond.
class WordRuns {
 public:
  // A further text. Throws Error{usage} where all together have 2^32 words.
  void add(std::span<const std::uint32_t> words);

  [[nodiscard]] std::size_t texts() const { return ends_.size(); }
  // All words; a text's are [begin(i), end(i)) of them. At 0, and behind each text, stands a 0.
  [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }
  [[nodiscard]] std::size_t begin(std::size_t text) const { return text == 0 ? 1 : ends_[text - 1] + 1; }
  [[nodiscard]] std::size_t end(std::size_t text) const { return ends_[text]; }

 private:
  std::vector<std::uint32_t> words_{0};
  std::vector<std::size_t> ends_;
};

// What begins at one word of a released text, in words. Nothing: 0.
struct Reach {
  std::uint8_t alone : 4 = 0;    // the shortest phrase that exactly one person's originals have
  std::uint8_t longest : 4 = 0;  // the longest phrase that any original has; no shorter than `alone`
};

struct RarePhraseOptions {
  std::size_t least = 1, most = kLongestPhrase;     // words of the phrases, at most kLongestPhrase
  std::size_t memory_bytes = std::size_t{1} << 30;  // of the tables, about; less means more passes over the words
  std::function<bool()> interrupted = {};
  std::uint64_t hash_mask = std::numeric_limits<std::uint64_t>::max();  // for tests: hashes that collide
};

// By place in released.words(). `persons`: by original text, numbers below 2^31 - 1. Depends on neither memory nor
// threads. Memory besides the tables: a byte for each released word, two bits for each original one. Cost: for each
// length one pass over both sides for every table that fits, some 0.1 us a phrase. Throws Error{interrupted}.
std::vector<Reach> rare_phrases(const WordRuns& originals, std::span<const std::uint32_t> persons,
                                const WordRuns& released, const RarePhraseOptions& options = {});

// One of the phrases that a text is listed with: exactly one person's originals have it.
struct RarePhrase {
  std::size_t word = 0;   // where it begins, in words of the text's reach
  std::size_t words = 0;  // of it
  std::size_t alone = 0;  // words of its shortest part that exactly one person's originals have
};

// Of phrases inside of longer rare ones none, and of the others from left to right the fewest that hold every word of
// any rare phrase. `reach`: of one text.
std::vector<RarePhrase> listed_phrases(std::span<const Reach> reach);

}  // namespace residue::text
