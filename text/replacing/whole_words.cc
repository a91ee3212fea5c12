#include "text/replacing/whole_words.h"

#include <algorithm>
#include <tuple>

#include "text/identifiers/matchers.h"

namespace residue::text {
namespace {

bool digit_at(std::string_view text, std::size_t at) { return at < text.size() && is_digit(text[at]); }

bool joins_numbers(std::string_view text, std::size_t at) { return text[at] == '.' || text[at] == ','; }

bool word_at(std::string_view text, std::size_t at) { return match::word_at(text, at) && text[at] != '_'; }

bool word_before(std::string_view text, std::size_t at) { return match::word_before(text, at) && text[at - 1] != '_'; }

// Whether the word or number that begins at `at` goes on before it.
bool goes_on_before(std::string_view text, std::size_t at) {
  if (!word_at(text, at)) return false;
  if (word_before(text, at)) return true;
  return at >= 2 && digit_at(text, at) && joins_numbers(text, at - 1) && is_digit(text[at - 2]);
}

// Whether the one that ends before `end` goes on behind it.
bool goes_on_behind(std::string_view text, std::size_t end) {
  if (!word_before(text, end)) return false;
  if (word_at(text, end)) return true;
  return end + 1 < text.size() && is_digit(text[end - 1]) && joins_numbers(text, end) && digit_at(text, end + 1);
}

std::uint64_t edge(std::uint32_t node, char c) {
  return (static_cast<std::uint64_t>(node) << 8U) | static_cast<unsigned char>(c);
}

}  // namespace

bool is_whole(std::string_view text, Span where) {
  return !goes_on_before(text, where.begin) && !goes_on_behind(text, where.end);
}

WholeWords::WholeWords(std::span<const std::string_view> words) : words_(words.size()), states_(1) {
  std::vector<char> byte = {'\0'};  // that leads to each state
  std::vector<Node> parent = {kRoot};
  for (std::size_t word = 0; word < words.size(); ++word) {
    Node node = kRoot;
    for (const char c : words[word]) {
      const auto [at, fresh] = edges_.try_emplace(edge(node, c), static_cast<Node>(states_.size()));
      if (fresh) {
        states_.push_back({kNoWord, states_[node].bytes + 1, kRoot, kRoot});
        byte.push_back(c);
        parent.push_back(node);
      }
      node = at->second;
    }
    if (node != kRoot && states_[node].word == kNoWord) states_[node].word = word;
  }
  std::vector<Node> by_depth(states_.size());
  for (Node node = 0; node < states_.size(); ++node) by_depth[node] = node;
  std::ranges::stable_sort(by_depth, {}, [&](Node node) { return states_[node].bytes; });
  for (const Node node : by_depth) {
    if (states_[node].bytes < 2) continue;
    const Node suffix = step(states_[parent[node]].suffix, byte[node]);
    states_[node].suffix = suffix;
    states_[node].next_word = states_[suffix].word != kNoWord ? suffix : states_[suffix].next_word;
  }
}

WholeWords::Node WholeWords::child(Node node, char c) const {
  const auto at = edges_.find(edge(node, c));
  return at == edges_.end() ? kRoot : at->second;
}

WholeWords::Node WholeWords::step(Node node, char c) const {
  for (;;) {
    const Node next = child(node, c);
    if (next != kRoot || node == kRoot) return next;
    node = states_[node].suffix;
  }
}

template <class Found>
void WholeWords::scan(std::string_view text, const Found& found) const {
  Node node = kRoot;
  for (std::size_t at = 0; at < text.size(); ++at) {
    node = step(node, text[at]);
    for (Node one = states_[node].word != kNoWord ? node : states_[node].next_word; one != kRoot;
         one = states_[one].next_word) {
      const Span span{at + 1 - states_[one].bytes, at + 1};
      if (is_whole(text, span)) found(states_[one].word, span);
    }
  }
}

std::vector<Occurrence> WholeWords::occurrences(std::string_view text) const {
  std::vector<Occurrence> all, kept;
  std::vector<std::size_t> done(words_, 0);
  scan(text, [&](std::size_t word, Span span) {
    if (span.begin < done[word]) return;
    done[word] = span.end;
    all.push_back({span, word});
  });
  std::ranges::sort(all, {}, [](const Occurrence& one) {
    const std::size_t bytes = one.span.end - one.span.begin;
    return std::tuple(static_cast<std::size_t>(-1) - bytes, one.word, one.span.begin);
  });
  // What is taken is at least as long: where it overlaps, it has the first or the last byte.
  std::vector<bool> taken(text.size(), false);
  for (const Occurrence& one : all) {
    const auto [begin, end] = one.span;
    if (taken[begin] || taken[end - 1]) continue;
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(begin), taken.begin() + static_cast<std::ptrdiff_t>(end),
              true);
    kept.push_back(one);
  }
  std::ranges::sort(kept, {}, [](const Occurrence& one) { return one.span.begin; });
  return kept;
}

std::vector<bool> WholeWords::present(std::string_view text) const {
  std::vector<bool> there(words_, false);
  scan(text, [&](std::size_t word, Span /*where*/) { there[word] = true; });
  return there;
}

}  // namespace residue::text
