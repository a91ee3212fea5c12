// How often sequences of tokens occur under a code: a tree of counts, a node for each sequence.
//
//   root (a code) ──> first token ──> second ──> ...
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "text/predict/ngram_tokens.h"

namespace residue::text {

class NgramTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = ~Node{0};

  // One root for each code: nodes 0 ... codes - 1.
  explicit NgramTrie(std::size_t codes) : nodes_(codes) {}

  // kNone where the sequence was never added.
  [[nodiscard]] Node child(Node parent, TokenId token) const;
  [[nodiscard]] Node find(Node root, std::span<const TokenId> tokens) const;

  // Adds `count` to that of the child, which is made where there is none.
  Node add(Node parent, TokenId token, std::int64_t count);
  void add(Node node, std::int64_t count) { nodes_[node].count += count; }

  [[nodiscard]] std::int64_t count(Node node) const { return nodes_[node].count; }
  [[nodiscard]] Node parent(Node node) const { return nodes_[node].parent; }   // of none of the roots
  [[nodiscard]] TokenId token(Node node) const { return nodes_[node].token; }  // likewise
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  // Every sequence of at most `order` tokens in `tokens` once more, below `root`; `root` itself too. The first token
  // (TokenTable::kStart) begins sequences like any other.
  void count_all(Node root, std::span<const TokenId> tokens, std::size_t order);

 private:
  struct Entry {
    Node parent = kNone;
    TokenId token = 0;
    std::int64_t count = 0;
  };
  std::vector<Entry> nodes_;
  std::unordered_map<std::uint64_t, Node> children_;  // by parent and token
};

}  // namespace residue::text
