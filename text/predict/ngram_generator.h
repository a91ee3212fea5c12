// Texts drawn from counts of n-grams, token by token, behind the longest context that is known.
//
//   P(w | h) = c(h, w) / m   and with what is left of m, that behind one token less;   m = max(c(h), sum of c(h, w))
//
// Nothing is left where every continuation is known: then these are the relative frequencies behind the longest context
// that occurs. Where rare continuations were taken out, their share goes to the shorter context (as in the "stupid
// backoff" of T. Brants et al., "Large language models in machine translation", 2007, but a distribution).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/predict/ngram_trie.h"

namespace residue::text {

struct Drawing {
  std::size_t order = 3;      // contexts have at most order - 1 tokens
  std::size_t length = 1000;  // tokens of a text, at most
  double temperature = 1;     // counts are raised to 1 / temperature; above 0
  std::size_t top = 0;        // the most frequent continuations only, of equal ones the first in byte order; 0: all
};

class NgramGenerator {
 public:
  // Codes are the first `codes` nodes of `counts`. Counts are above 0 but for those of codes, at most 2^62 together
  // behind a context; in which order they were added is of no consequence. `tokens` must outlive it.
  NgramGenerator(const TokenTable& tokens, const NgramTrie& counts, std::size_t codes, Drawing drawing);

  // Whether any text can be drawn.
  [[nodiscard]] bool any() const;

  // A text under that code; one with visible characters, and nothing only where none came within the length. Where
  // nothing is known under that code, that of all codes together. Depends on the arguments alone; may be called from
  // several threads. Requires any().
  [[nodiscard]] std::optional<std::string> text(std::size_t code, std::uint64_t seed) const;

 private:
  using Node = NgramTrie::Node;
  struct Next {
    TokenId token = 0;
    std::int64_t upto = 0;  // its count and those of the ones before it
  };
  // Of a node: next_[first] ... next_[past - 1] are its continuations in the byte order of their spellings, so that the
  // end comes first.
  struct Range {
    std::size_t first = 0, past = 0;
  };

  [[nodiscard]] bool speaks(Node root) const;  // some token is known there
  static NgramTrie pooled(const NgramTrie& counts, std::size_t codes);
  void list_continuations();
  [[nodiscard]] std::int64_t count_of(const Range& range, std::size_t at) const;
  [[nodiscard]] TokenId flattened(const Range& range, bool may_end, std::uint64_t hash) const;
  // Nothing: what was drawn is behind a shorter context.
  [[nodiscard]] std::optional<TokenId> draw(Node node, bool shortest, bool may_end, std::uint64_t seed) const;
  [[nodiscard]] TokenId next(Node root, const std::vector<TokenId>& tokens, bool may_end, std::uint64_t seed) const;

  const TokenTable& tokens_;
  NgramTrie counts_;  // the codes, and behind them all of them together
  Node all_;          // these
  Drawing drawing_;
  std::vector<Range> ranges_;  // by node
  std::vector<Next> next_;
};

}  // namespace residue::text
