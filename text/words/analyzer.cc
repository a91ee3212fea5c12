#include "text/words/analyzer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/encodings/decoded.h"
#include "text/words/as_analyzed.h"
#include "text/words/porter.h"
#include "text/words/words.h"

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

std::string_view as_analyzed(std::string_view written, std::string& store) {
  const std::string_view text = decoded(written, store);
  if (is_ascii(text)) return text;
  std::string read = as_read(text, Letters::kKept);
  store = std::move(read);
  return store;
}

const Analyzer& Analyzer::fsp() {
  static const Analyzer instance("fsp/5", true);
  return instance;
}

const Analyzer& Analyzer::plain() {
  static const Analyzer instance("plain/6", false);
  return instance;
}

std::string Analyzer::term(std::string_view word) const {
  std::string term = lower(without_possessive(word));
  if (full_ && is_stop_word(term)) return {};  // Åre is a town, and no form of "to be".
  if (auto plain = without_accents(term)) term = std::move(*plain);
  if (full_) term = porter_stem(term, Porter::kMartin);
  return fitted(std::move(term));
}

void Analyzer::terms(std::string_view text, std::vector<std::string>& out) const {
  out.clear();
  std::string store;
  for_each_word(as_analyzed(text, store), [&](std::string_view word) {
    if (std::string found = term(word); !found.empty()) out.push_back(std::move(found));
  });
}

std::uint32_t TermCounter::number_of(std::string_view word) {
  const auto [known, is_new] = words_.place(word);
  if (!is_new) return *known;
  *known = kNone;
  const std::string term = analyzer_.term(word);
  if (term.empty()) return kNone;
  const auto [number, added] = terms_.place(term);
  if (added) {
    *number = static_cast<std::uint32_t>(spellings_.size());
    spellings_.push_back(term);
  }
  return *known = *number;
}

void TermCounter::forget_if_many() {
  constexpr std::size_t kMostWords = 1U << 20U;
  if (words_.size() <= kMostWords) return;
  words_ = {};
  terms_ = {};
  spellings_.clear();
  places_.clear();
}

template <class F>
void TermCounter::each_term(std::string_view text, const F& take) {
  forget_if_many();
  const std::string_view read = as_analyzed(text, store_);
  words(read, spans_);
  for (const Span& span : spans_) {
    if (const std::uint32_t term = number_of(slice(read, span)); term != kNone) take(term);
  }
}

std::span<const std::uint32_t> TermCounter::sequence(std::string_view text) {
  sequence_.clear();
  each_term(text, [&](std::uint32_t term) { sequence_.push_back(term); });
  return sequence_;
}

std::span<const TermCounter::Count> TermCounter::count(std::string_view text) {
  counts_.clear();
  each_term(text, [&](std::uint32_t term) {
    if (places_.size() <= term) places_.resize(spellings_.size(), 0);
    const std::size_t place = places_[term];
    if (place < counts_.size() && counts_[place].term == term) {
      ++counts_[place].times;
      return;
    }
    places_[term] = static_cast<std::uint32_t>(counts_.size());
    counts_.push_back({term, 1});
  });
  return counts_;
}

}  // namespace residue::text
