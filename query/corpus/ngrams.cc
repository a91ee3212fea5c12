#include "query/corpus/ngrams.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "query/inputs/sort_unique.h"
#include "text/characters/unicode.h"
#include "text/words/words.h"

namespace residue::query {
namespace {

// Numbers of the kinds never change: which n-grams share a number depends on them.
constexpr std::uint64_t kWord = 1, kPair = 2, kCharacters = 3;
constexpr std::size_t kShortest = 3, kLongest = 5;

std::uint32_t bucket(std::uint64_t kind, std::string_view gram) {
  return static_cast<std::uint32_t>(hash_of(kind, gram) % kNgramBuckets);
}

}  // namespace

Ngrams ngrams_of(std::string_view text) {
  Ngrams found;
  std::string pair;
  text::for_each_word(text, [&](std::string_view word) {
    const std::string lower = text::lower(word);
    found.words.push_back(bucket(kWord, lower));
    const std::size_t before = pair.size();
    pair += lower;
    if (before > 0) found.words.push_back(bucket(kPair, pair));
    pair = lower + ' ';
  });
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at += text::code_point_at(text, at).bytes) starts.push_back(at);
  starts.push_back(text.size());
  for (std::size_t length = kShortest; length <= kLongest; ++length) {
    for (std::size_t i = 0; i + length < starts.size(); ++i) {
      found.characters.push_back(bucket(kCharacters, text.substr(starts[i], starts[i + length] - starts[i])));
    }
  }
  sort_unique(found.words);
  sort_unique(found.characters);
  return found;
}

}  // namespace residue::query
