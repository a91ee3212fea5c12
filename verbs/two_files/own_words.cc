#include "verbs/two_files/own_words.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

#include "base/ascii.h"
#include "base/hash.h"
#include "text/words/words.h"

namespace residue::verbs {
namespace {

constexpr std::uint32_t kShared = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kEnough = 3;
constexpr std::size_t kLongestTag = 40;

std::unordered_set<std::uint64_t> hashes(std::string_view text) {
  std::unordered_set<std::uint64_t> found;
  std::string lower;
  text::for_each_word(text, [&](std::string_view word) {
    lower.assign(word);
    for (char& c : lower) {
      if (is_upper(c)) c = static_cast<char>(c + ('a' - 'A'));
    }
    found.insert(hash_of(0, lower));
  });
  return found;
}

// The bytes of a tag that begins `text`, or 0: capitals, digits, "_", "-" and spaces in brackets.
std::size_t tag(std::string_view text) {
  const char close = text.front() == '[' ? ']' : '>';
  const std::size_t end = text.find(close);
  if (end == std::string_view::npos || end < 2 || end > kLongestTag || !is_upper(text[1])) return 0;
  const bool plain = std::ranges::all_of(
      text.substr(1, end - 1), [](char c) { return is_upper(c) || is_digit(c) || c == '_' || c == '-' || c == ' '; });
  return plain ? end + 1 : 0;
}

// The bytes of one sign of a mask, or 0.
std::size_t mask_sign(std::string_view text) {
  constexpr std::string_view kBlock = "\xe2\x96\x88";
  if (text.starts_with(kBlock)) return kBlock.size();
  const char c = text.front();
  return c == '*' || c == '_' || c == 'X' || c == '#' ? 1 : 0;
}

}  // namespace

void OwnWords::add(std::string_view original) {
  for (const std::uint64_t word : hashes(original)) {
    const auto [entry, fresh] = owners_.emplace(word, added_);
    if (!fresh) entry->second = kShared;
  }
  ++added_;
}

bool OwnWords::of_another(std::uint32_t number, std::string_view text) const {
  std::unordered_map<std::uint32_t, std::uint32_t> votes;
  for (const std::uint64_t word : hashes(text)) {
    const auto owner = owners_.find(word);
    if (owner != owners_.end() && owner->second != kShared) ++votes[owner->second];
  }
  const auto own = votes.find(number);
  const std::uint32_t least = own == votes.end() ? kEnough : std::max(kEnough, 2 * own->second + 1);
  return std::ranges::any_of(votes, [&](const auto& vote) { return vote.first != number && vote.second >= least; });
}

std::uint64_t masks(std::string_view text) {
  std::uint64_t found = 0;
  while (!text.empty()) {
    if (text.front() == '[' || text.front() == '<') {
      const std::size_t bytes = tag(text);
      found += bytes > 0 ? 1 : 0;
      text.remove_prefix(std::max<std::size_t>(bytes, 1));
      continue;
    }
    const std::size_t sign = mask_sign(text);
    if (sign == 0) {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view first = text.substr(0, sign);
    std::size_t times = 0;
    for (; text.starts_with(first); ++times) text.remove_prefix(sign);
    found += times >= 3 ? 1 : 0;
  }
  return found;
}

}  // namespace residue::verbs
