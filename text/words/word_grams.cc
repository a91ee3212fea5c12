#include "text/words/word_grams.h"

#include <algorithm>

#include "base/hash.h"
#include "text/words/analyzer.h"

namespace residue::text {

std::vector<std::uint64_t> word_grams(std::string_view text, std::size_t n, std::vector<std::string>& words) {
  Analyzer::plain().terms(text, words);
  std::vector<std::uint64_t> grams;
  std::string gram;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    gram.clear();
    for (std::size_t j = i; j < i + n; ++j) gram.append(words[j]).push_back('\0');  // no term has a NUL
    grams.push_back(hash_bytes(gram));
  }
  std::sort(grams.begin(), grams.end());
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return grams;
}

}  // namespace residue::text
