#include "text/analyzer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "text/as_read.h"
#include "text/porter.h"
#include "text/words.h"

namespace residue::text {
namespace {

constexpr std::array<std::string_view, 33> kStopWords{
    "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
    "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"};

bool is_stop_word(std::string_view word) {
  return word.size() <= 5 && std::binary_search(kStopWords.begin(), kStopWords.end(), word);
}

// Without 's at the end; the apostrophes are those of Lucene's EnglishPossessiveFilter.
std::string_view without_possessive(std::string_view word) {
  if (word.size() < 3 || (word.back() != 's' && word.back() != 'S')) return word;
  const std::string_view stem = word.substr(0, word.size() - 1);
  for (const std::string_view apostrophe :
       {std::string_view("'"), std::string_view("\u2019"), std::string_view("\uFF07")}) {
    if (stem.ends_with(apostrophe)) return stem.substr(0, stem.size() - apostrophe.size());
  }
  return word;
}

std::string fitted(std::string term) {
  constexpr std::size_t kLimitBytes = 245;  // Xapian's longest term.
  constexpr std::size_t kKeptBytes = 200;
  if (term.size() <= kLimitBytes) return term;
  std::size_t end = kKeptBytes;
  while (end > 0 && (static_cast<unsigned char>(term[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}#{:016x}", std::string_view(term).substr(0, end), hash_bytes(term));
}

}  // namespace

const Analyzer& Analyzer::fsp() {
  static const Analyzer instance("fsp/2", true);
  return instance;
}

const Analyzer& Analyzer::plain() {
  static const Analyzer instance("plain/3", false);
  return instance;
}

void Analyzer::terms(std::string_view text, std::vector<std::string>& out) const {
  out.clear();
  const auto add = [&](std::string_view word) {
    std::string term = lower(without_possessive(word));
    if (full_) {
      if (is_stop_word(term)) return;
      term = porter_stem(term, Porter::kMartin);
    }
    if (!term.empty()) out.push_back(fitted(std::move(term)));
  };
  if (is_ascii(text)) {
    for_each_word(text, add);
  } else {
    for_each_word(as_read(text, Letters::kKept), add);
  }
}

}  // namespace residue::text
