#include "text/replacing/look_alikes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "base/ascii.h"
#include "text/characters/accents.h"
#include "text/characters/unicode.h"
#include "text/identifiers/matchers.h"

namespace residue::text {
namespace {

constexpr std::size_t kStem = 4;        // letters that an ending leaves
constexpr std::size_t kTaken = 2;       // letters that it takes
constexpr std::size_t kEnding = 3;      // letters that it adds
constexpr std::size_t kName = 3;        // letters
constexpr std::size_t kNumber = 4;      // digits
constexpr std::size_t kCut = 2;         // letters of the last word, where a text breaks off
constexpr std::size_t kMostBytes = 80;  // of a word: longer ones are no names

struct Word {
  Span span;
  std::string folded;
  bool capital = false, digits = false;
};

std::string folded_word(std::string_view word) {
  std::string small = lower(word);
  if (auto plain = without_accents(small)) return *std::move(plain);
  return small;
}

bool begins_with_capital(std::string_view word) {
  const std::string_view first = word.substr(0, code_point_at(word, 0).bytes);
  return lower(first) != first;
}

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '_' || !match::word_at(text, at)) {
      at += code_point_at(text, at).bytes;
      continue;
    }
    const std::size_t begin = at;
    const bool digits = is_digit(text[at]);
    while (at < text.size() && text[at] != '_' && is_digit(text[at]) == digits && match::word_at(text, at))
      at += code_point_at(text, at).bytes;
    const std::string_view word = slice(text, {begin, at});
    if (word.size() > kMostBytes) continue;
    words.push_back({{begin, at}, folded_word(word), begins_with_capital(word), digits});
  }
  return words;
}

// The bytes of the first `letters` letters; all of fewer.
std::size_t first_letters(std::string_view word, std::size_t letters) {
  std::size_t at = 0;
  while (at < word.size() && letters-- > 0) at += code_point_at(word, at).bytes;
  return at;
}

std::string stem_of(std::string_view word) { return std::string(word.substr(0, first_letters(word, kStem))); }

// Whether `word` has the name's first letters and another ending, or is its beginning.
bool ends_otherwise(std::string_view word, std::string_view name) {
  if (word == name) return false;
  std::size_t alike = 0;
  while (alike < std::min(word.size(), name.size()) && word[alike] == name[alike]) ++alike;
  while (alike > 0 && alike < name.size() && (static_cast<unsigned char>(name[alike]) & 0xC0U) == 0x80U) --alike;
  if (code_points(word.substr(0, alike)) < kStem) return false;
  if (alike == word.size()) return true;
  return code_points(name.substr(alike)) <= kTaken && code_points(word.substr(alike)) <= kEnding;
}

}  // namespace

LookAlikes::LookAlikes(std::span<const std::string_view> replacements, std::string_view original) {
  for (Word& word : words_in(original)) own_.insert(std::move(word.folded));
  rows_.resize(replacements.size());
  for (std::size_t row = 0; row < replacements.size(); ++row) add_row(row, replacements[row]);
  for (auto& [first, rows] : by_first_) {
    std::ranges::stable_sort(rows, std::greater<>(), [this](std::size_t row) { return rows_[row].size(); });
  }
}

void LookAlikes::add_row(std::size_t row, std::string_view replacement) {
  const std::vector<Word> words = words_in(replacement);
  const auto is_own = [this](const Word& word) { return own_.contains(word.folded); };
  if (std::ranges::all_of(words, is_own)) return;
  for (const Word& word : words) rows_[row].push_back(word.folded);
  by_first_[rows_[row].front()].push_back(row);
  if (replacement.starts_with('[')) return;
  for (const Word& word : words) {
    const bool number = word.digits && word.folded.size() >= kNumber;
    const bool name = word.capital && code_points(word.folded) >= kName;
    if ((!number && !name) || is_own(word)) continue;
    std::vector<std::size_t>& known = names_[word.folded];
    if (!known.empty() && known.back() == row) continue;
    known.push_back(row);
    if (!name || word.digits) continue;
    by_letters_[stem_of(word.folded)].push_back({word.folded, row});
    all_names_.push_back({word.folded, row});
  }
}

bool LookAlikes::is_like_a_name(const std::string& word, bool digits, bool last, std::vector<bool>& rows) const {
  if (own_.contains(word)) return false;
  if (const auto same = names_.find(word); same != names_.end()) {
    for (const std::size_t row : same->second) rows[row] = true;
    return true;
  }
  if (digits) return false;
  bool like = false;
  const auto look_at = [&](const std::vector<Name>& names, const auto& is_like) {
    for (const Name& name : names) {
      if (!is_like(name.folded)) continue;
      rows[name.row] = true;
      like = true;
    }
  };
  if (const auto near = by_letters_.find(stem_of(word)); near != by_letters_.end()) {
    look_at(near->second, [&](std::string_view name) { return ends_otherwise(word, name); });
  }
  if (last && code_points(word) >= kCut) {
    look_at(all_names_, [&](std::string_view name) { return name.starts_with(word); });
  }
  return like;
}

LookAlikes::Found LookAlikes::in(std::string_view text, std::span<const Occurrence> known) const {
  Found found{0, std::vector<bool>(rows_.size())};
  const std::vector<Word> words = words_in(text);
  std::vector<bool> taken(words.size());
  for (std::size_t i = 0, next = 0; i < words.size(); ++i) {
    while (next < known.size() && known[next].span.end <= words[i].span.begin) ++next;
    taken[i] = next < known.size() && known[next].span.begin < words[i].span.end;
  }
  const auto stands_at = [&](std::size_t at, std::size_t row) {
    const auto& whole = rows_[row];
    if (whole.size() > words.size() - at) return false;
    for (std::size_t k = 0; k < whole.size(); ++k) {
      if (taken[at + k] || words[at + k].folded != whole[k]) return false;
    }
    return true;
  };
  for (std::size_t at = 0; at < words.size();) {
    std::size_t read = 0;
    if (taken[at]) {
      ++at;
      continue;
    }
    if (const auto rows = by_first_.find(words[at].folded); rows != by_first_.end()) {
      for (const std::size_t row : rows->second) {
        if ((read != 0 && rows_[row].size() != read) || !stands_at(at, row)) continue;
        read = rows_[row].size();
        found.rows[row] = true;
      }
    }
    const Word& word = words[at];
    if (read == 0 && (word.capital || word.digits) &&
        is_like_a_name(word.folded, word.digits, word.span.end == text.size(), found.rows)) {
      read = 1;
    }
    found.places += read > 0 ? 1 : 0;
    at += std::max<std::size_t>(read, 1);
  }
  return found;
}

}  // namespace residue::text
