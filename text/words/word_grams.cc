#include "text/words/word_grams.h"

#include <algorithm>
#include <string>

#include "base/hash.h"

namespace residue::text {

std::vector<std::uint64_t> word_grams(std::string_view text, std::size_t n, TermCounter& words) {
  thread_local std::string all;  // no term has a NUL
  thread_local std::vector<std::size_t> begins;
  all.clear();
  begins.clear();
  for (const std::uint32_t word : words.sequence(text)) {
    begins.push_back(all.size());
    all.append(words.spelling(word)).push_back('\0');
  }
  begins.push_back(all.size());
  std::vector<std::uint64_t> grams;
  if (begins.size() > n) grams.reserve(begins.size() - n);
  for (std::size_t i = 0; i + n < begins.size(); ++i) {
    grams.push_back(hash_bytes(std::string_view(all).substr(begins[i], begins[i + n] - begins[i])));
  }
  std::sort(grams.begin(), grams.end());
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return grams;
}

}  // namespace residue::text
