#include "text/predict/ngram_generator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "base/hash.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

__extension__ using Wide = unsigned __int128;

// A whole number below `bound` (> 0) of a hash; the excess of any over another is below bound / 2^64.
std::int64_t below(std::int64_t bound, std::uint64_t hash) {
  return static_cast<std::int64_t>(Wide{hash} * static_cast<std::uint64_t>(bound) >> 64U);
}

}  // namespace

// A common root is needed only where some code has no tokens. Parents stand before their children: one pass finds the
// place of each node below it.
NgramTrie NgramGenerator::pooled(const NgramTrie& counts, std::size_t codes) {
  std::vector<bool> said(codes);
  for (Node node = static_cast<Node>(codes); node < counts.size(); ++node) {
    if (counts.parent(node) < codes && counts.token(node) >= TokenTable::kFirst) said[counts.parent(node)] = true;
  }
  const bool pool = !std::ranges::all_of(said, std::identity());
  NgramTrie out(codes + 1);
  std::vector<Node> own(counts.size()), common(counts.size(), static_cast<Node>(codes));
  for (Node node = 0; node < counts.size(); ++node) {
    if (node < codes) {
      own[node] = node;
      out.add(node, counts.count(node));
      continue;
    }
    own[node] = out.add(own[counts.parent(node)], counts.token(node), counts.count(node));
    if (pool) common[node] = out.add(common[counts.parent(node)], counts.token(node), counts.count(node));
  }
  return out;
}

NgramGenerator::NgramGenerator(const TokenTable& tokens, const NgramTrie& counts, std::size_t codes, Drawing drawing)
    : tokens_(tokens),
      counts_(pooled(counts, codes)),
      all_(static_cast<Node>(codes)),
      drawing_(drawing),
      ranges_(counts_.size()) {
  list_continuations();
}

void NgramGenerator::list_continuations() {
  std::vector<TokenId> sorted(tokens_.size());
  for (TokenId token = 0; token < sorted.size(); ++token) sorted[token] = token;
  std::ranges::sort(sorted, {}, [this](TokenId token) -> const std::string& { return tokens_.spelling(token); });
  std::vector<TokenId> rank(sorted.size());
  for (TokenId place = 0; place < sorted.size(); ++place) rank[sorted[place]] = place;
  std::vector<Node> nodes;
  for (Node node = all_ + 1; node < counts_.size(); ++node) {
    if (counts_.token(node) != TokenTable::kStart) nodes.push_back(node);
  }
  std::ranges::sort(nodes, {}, [&](Node node) { return std::pair(counts_.parent(node), rank[counts_.token(node)]); });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node parent = counts_.parent(nodes[i]);
    Range& range = ranges_[parent];
    if (range.past == 0) range.first = i;
    range.past = i + 1;
    next_.push_back(
        {counts_.token(nodes[i]), counts_.count(nodes[i]) + (i > range.first ? next_.back().upto : std::int64_t{0})});
  }
}

bool NgramGenerator::any() const {
  for (Node root = 0; root <= all_; ++root) {
    if (speaks(root)) return true;
  }
  return false;
}

bool NgramGenerator::speaks(Node root) const {
  const Range& range = ranges_[root];
  return range.past > range.first && next_[range.past - 1].token != TokenTable::kEnd;
}

std::int64_t NgramGenerator::count_of(const Range& range, std::size_t at) const {
  return next_[at].upto - (at > range.first ? next_[at - 1].upto : 0);
}

// One of the most frequent, by flattened or sharpened frequencies.
TokenId NgramGenerator::flattened(const Range& range, bool may_end, std::uint64_t hash) const {
  struct Choice {
    std::int64_t count;
    std::size_t at;
  };
  std::vector<Choice> choices;
  for (std::size_t at = range.first; at < range.past; ++at) {
    if (may_end || next_[at].token != TokenTable::kEnd) choices.push_back({count_of(range, at), at});
  }
  std::ranges::stable_sort(choices, std::ranges::greater{}, &Choice::count);
  if (drawing_.top > 0 && drawing_.top < choices.size()) choices.resize(drawing_.top);
  const auto most = static_cast<double>(choices.front().count);
  double sum = 0;
  std::vector<double> upto;
  for (const Choice& choice : choices) {
    upto.push_back(sum += std::pow(static_cast<double>(choice.count) / most, 1 / drawing_.temperature));
  }
  const auto found = std::ranges::upper_bound(upto, unit_draw(hash) * sum);
  const std::size_t at = std::min<std::size_t>(static_cast<std::size_t>(found - upto.begin()), upto.size() - 1);
  return next_[choices[at].at].token;
}

std::optional<TokenId> NgramGenerator::draw(Node node, bool shortest, bool may_end, std::uint64_t seed) const {
  const Range& range = ranges_[node];
  if (range.past == range.first) return std::nullopt;
  std::int64_t mass = std::max(shortest ? 0 : counts_.count(node), next_[range.past - 1].upto);
  std::int64_t skipped = 0;
  if (!may_end && next_[range.first].token == TokenTable::kEnd) {
    skipped = next_[range.first].upto;
    mass -= skipped;
  }
  if (mass == 0) return std::nullopt;
  const std::int64_t drawn = skipped + below(mass, mix(seed));
  if (drawn >= next_[range.past - 1].upto) return std::nullopt;
  if (drawing_.temperature == 1 && drawing_.top == 0) {
    const auto begin = next_.begin() + static_cast<std::ptrdiff_t>(range.first);
    const auto end = next_.begin() + static_cast<std::ptrdiff_t>(range.past);
    return std::upper_bound(begin, end, drawn, [](std::int64_t at, const Next& next) { return at < next.upto; })->token;
  }
  return flattened(range, may_end, mix(~seed));
}

TokenId NgramGenerator::next(Node root, const std::vector<TokenId>& tokens, bool may_end, std::uint64_t seed) const {
  for (std::size_t known = std::min(drawing_.order - 1, tokens.size());; --known) {
    const Node node = counts_.find(root, std::span(tokens).last(known));
    seed = mix(seed + known);
    if (node != NgramTrie::kNone) {
      if (const auto token = draw(node, known == 0, may_end, seed)) return *token;
    }
  }
}

std::optional<std::string> NgramGenerator::text(std::size_t code, std::uint64_t seed) const {
  const Node root = speaks(static_cast<Node>(code)) ? static_cast<Node>(code) : all_;
  std::vector<TokenId> tokens{TokenTable::kStart};
  bool visible = false;
  while (tokens.size() <= drawing_.length) {
    const TokenId token = next(root, tokens, visible, hash_of(seed, {}, tokens.size()));
    if (token == TokenTable::kEnd) break;
    tokens.push_back(token);
    visible = visible || has_visible(tokens_.spelling(token));
  }
  if (!visible) return std::nullopt;
  return tokens_.join(tokens);
}

}  // namespace residue::text
