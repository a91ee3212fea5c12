// Slow definitions that the fast functions of text/ are compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::text {

// Longest common subsequence by definition: the dynamic programme in two rows.
inline std::uint32_t lcs_by_definition(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<std::uint32_t> above(b.size() + 1, 0);
  std::vector<std::uint32_t> row(b.size() + 1, 0);
  for (const std::uint32_t token : a) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = token == b[j] ? above[j] + 1 : std::max(above[j + 1], row[j]);
    }
    above.swap(row);
  }
  return above[b.size()];
}

// n-grams in common by definition: strike each one found out of a list.
inline std::uint64_t overlap_by_definition(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                           unsigned n) {
  std::vector<std::vector<std::uint32_t>> left;
  for (std::size_t i = 0; i + n <= a.size(); ++i) left.emplace_back(a.begin() + i, a.begin() + i + n);
  std::uint64_t common = 0;
  for (std::size_t i = 0; i + n <= b.size(); ++i) {
    const std::vector<std::uint32_t> gram(b.begin() + i, b.begin() + i + n);
    const auto found = std::find(left.begin(), left.end(), gram);
    if (found == left.end()) continue;
    left.erase(found);
    ++common;
  }
  return common;
}

}  // namespace residue::text
