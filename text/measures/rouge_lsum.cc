// ROUGE-Lsum and lcs_places of rouge.h: which tokens of a line are taken depends on how the reference walks its table
// back, so the walk is the same here.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/measures/rouge.h"

namespace residue::text {
namespace {

using Lines = std::vector<std::vector<std::uint32_t>>;

// Lines that are empty are no sentences; lines without a token are, and count nothing.
Lines lines_of(std::string_view text, RougeTokenizer& tokenizer) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.push_back(tokenizer.tokens(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::uint64_t total(const Lines& lines) {
  std::uint64_t sum = 0;
  for (const auto& line : lines) sum += line.size();
  return sum;
}

// Marks the places of `a` that lie on the reference's path through the table of (a, b).
void mark_common(Tokens a, Tokens b, std::vector<bool>& marked) {
  // One bit per cell says where the walk goes when the tokens differ: true = back in b.
  std::vector<bool> back_in_b(a.size() * b.size());
  std::vector<std::uint32_t> above(b.size() + 1, 0);
  std::vector<std::uint32_t> row(b.size() + 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = a[i] == b[j] ? above[j] + 1 : std::max(above[j + 1], row[j]);
      back_in_b[i * b.size() + j] = row[j] > above[j + 1];
    }
    above.swap(row);
  }
  std::size_t i = a.size();
  std::size_t j = b.size();
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      marked[i - 1] = true;
      --i;
      --j;
    } else if (back_in_b[(i - 1) * b.size() + j - 1]) {
      --j;
    } else {
      --i;
    }
  }
}

}  // namespace

std::vector<std::size_t> lcs_places(Tokens a, Tokens b) {
  std::vector<bool> marked(a.size(), false);
  mark_common(a, b, marked);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i]) places.push_back(i);
  }
  return places;
}

Overlap rouge_lsum_overlap(std::string_view reference, std::string_view hypothesis, bool stem) {
  RougeTokenizer tokenizer(stem);
  const Lines ours = lines_of(reference, tokenizer);
  const Lines theirs = lines_of(hypothesis, tokenizer);
  Overlap counts{0, total(ours), total(theirs)};

  // A token is counted at most as often as it occurs on either side.
  std::unordered_map<std::uint32_t, std::uint64_t> left_ours;
  std::unordered_map<std::uint32_t, std::uint64_t> left_theirs;
  for (const auto& line : ours) {
    for (const std::uint32_t token : line) ++left_ours[token];
  }
  for (const auto& line : theirs) {
    for (const std::uint32_t token : line) ++left_theirs[token];
  }
  for (const auto& line : ours) {
    std::vector<bool> marked(line.size(), false);
    for (const auto& other : theirs) mark_common(line, other, marked);
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!marked[i]) continue;
      auto& here = left_ours[line[i]];
      auto& there = left_theirs[line[i]];
      if (here == 0 || there == 0) continue;
      --here;
      --there;
      ++counts.common;
    }
  }
  return counts;
}

}  // namespace residue::text
