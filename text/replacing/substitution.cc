#include "text/replacing/substitution.h"

#include <algorithm>

#include "text/words/analyzer.h"

namespace residue::text {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  Analyzer::plain().terms(text, words);
  return words;
}

bool stands_at(const Words& text, std::size_t at, const Words& part) {
  return part.size() <= text.size() - at &&
         std::equal(part.begin(), part.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

std::vector<std::string> restored_words(std::string_view text, const Substitutions& table) {
  std::vector<std::pair<Words, Words>> rows;  // replacement, original
  for (const auto& [original, replacement] : table) rows.emplace_back(words_of(replacement), words_of(original));
  std::erase_if(rows, [](const auto& row) { return row.first.empty(); });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  const Words words = words_of(text);
  Words restored;
  for (std::size_t at = 0; at < words.size();) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return stands_at(words, at, r.first); });
    if (row == rows.end()) {
      restored.push_back(words[at++]);
    } else {
      restored.insert(restored.end(), row->second.begin(), row->second.end());
      at += row->first.size();
    }
  }
  return restored;
}

}  // namespace residue::text
