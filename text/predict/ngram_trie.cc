#include "text/predict/ngram_trie.h"

#include <algorithm>

namespace residue::text {
namespace {

std::uint64_t key_of(NgramTrie::Node parent, TokenId token) { return std::uint64_t{parent} << 32U | token; }

}  // namespace

NgramTrie::Node NgramTrie::child(Node parent, TokenId token) const {
  const auto found = children_.find(key_of(parent, token));
  return found == children_.end() ? kNone : found->second;
}

NgramTrie::Node NgramTrie::find(Node root, std::span<const TokenId> tokens) const {
  for (const TokenId token : tokens) {
    root = child(root, token);
    if (root == kNone) break;
  }
  return root;
}

NgramTrie::Node NgramTrie::add(Node parent, TokenId token, std::int64_t count) {
  const auto [at, fresh] = children_.try_emplace(key_of(parent, token), static_cast<Node>(nodes_.size()));
  if (fresh) nodes_.push_back({parent, token, 0});
  nodes_[at->second].count += count;
  return at->second;
}

void NgramTrie::count_all(Node root, std::span<const TokenId> tokens, std::size_t order) {
  add(root, 1);
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    Node node = root;
    for (std::size_t i = begin; i < std::min(tokens.size(), begin + order); ++i) node = add(node, tokens[i], 1);
  }
}

}  // namespace residue::text
