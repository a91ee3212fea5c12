#include "text/restoration.h"

#include <algorithm>
#include <numeric>

#include "text/matchers.h"

namespace residue::text {
namespace {

bool digit_at(std::string_view text, std::size_t at) { return at < text.size() && match::is_digit(text[at]); }

bool joins_numbers(std::string_view text, std::size_t at) { return text[at] == '.' || text[at] == ','; }

// Whether the word or number that begins at `at` goes on before it.
bool goes_on_before(std::string_view text, std::size_t at) {
  if (!match::word_at(text, at)) return false;
  if (match::word_before(text, at)) return true;
  return at >= 2 && digit_at(text, at) && joins_numbers(text, at - 1) && match::is_digit(text[at - 2]);
}

// Whether the one that ends before `end` goes on behind it.
bool goes_on_behind(std::string_view text, std::size_t end) {
  if (!match::word_before(text, end)) return false;
  if (match::word_at(text, end)) return true;
  return end + 1 < text.size() && match::is_digit(text[end - 1]) && joins_numbers(text, end) && digit_at(text, end + 1);
}

// What is left of a text without some words; the gaps keep its parts apart.
std::string without(std::string_view text, std::span<const std::string_view> words) {
  std::string left;
  std::size_t done = 0;
  for (const Occurrence& one : occurrences(text, words)) {
    left.append(text.substr(done, one.span.begin - done)).append("\n");
    done = one.span.end;
  }
  return left.append(text.substr(done));
}

}  // namespace

std::vector<Span> occurrences(std::string_view text, std::string_view words) {
  std::vector<Span> found;
  if (words.empty()) return found;
  for (std::size_t at = text.find(words); at != std::string_view::npos;) {
    const std::size_t end = at + words.size();
    const bool whole = !goes_on_before(text, at) && !goes_on_behind(text, end);
    if (whole) found.push_back({at, end});
    at = text.find(words, whole ? end : at + 1);
  }
  return found;
}

std::vector<Occurrence> occurrences(std::string_view text, std::span<const std::string_view> words) {
  std::vector<std::size_t> longest_first(words.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first,
                           [&](std::size_t a, std::size_t b) { return words[a].size() > words[b].size(); });
  constexpr auto begin_of = [](const Occurrence& one) { return one.span.begin; };
  std::vector<Occurrence> all, found;
  for (const std::size_t word : longest_first) {
    found = all;
    for (const Span& span : occurrences(text, words[word])) {
      const auto next = std::ranges::upper_bound(all, span.begin, {}, begin_of);
      const bool taken = (next != all.begin() && std::prev(next)->span.end > span.begin) ||
                         (next != all.end() && next->span.begin < span.end);
      if (!taken) found.push_back({span, word});
    }
    std::ranges::sort(found, {}, begin_of);
    all.swap(found);
  }
  return all;
}

Restorer::Restorer(const Substitutions& table, std::string_view original) {
  std::vector<std::string_view> originals;
  for (const auto& [from, to] : table) {
    if (from.empty() || to.empty() || from == to) continue;
    originals.push_back(from);
    const auto row = std::ranges::find(rows_, to, &Row::replacement);
    if (row == rows_.end()) {
      rows_.push_back({to, from, false});
    } else if (row->original != from) {
      row->ambiguous = true;
    }
  }
  const std::string left = original.empty() ? std::string() : without(original, originals);
  for (Row& row : rows_) row.ambiguous = row.ambiguous || !occurrences(left, row.replacement).empty();
  std::ranges::stable_sort(rows_,
                           [](const Row& a, const Row& b) { return a.replacement.size() > b.replacement.size(); });
}

Restored Restorer::restore(std::string_view text) const {
  std::vector<std::string_view> words;
  for (const Row& row : rows_) words.push_back(row.replacement);
  Restored restored;
  std::size_t done = 0;
  for (const Occurrence& one : occurrences(text, words)) {
    const Row& row = rows_[one.word];
    ++(row.ambiguous ? restored.ambiguous : restored.put_back);
    if (row.ambiguous) continue;
    restored.text.append(text.substr(done, one.span.begin - done)).append(row.original);
    done = one.span.end;
  }
  restored.text.append(text.substr(done));
  return restored;
}

Substitutions Restorer::table() const {
  Substitutions table;
  for (const Row& row : rows_) {
    if (!row.ambiguous) table.emplace_back(row.original, row.replacement);
  }
  return table;
}

std::size_t Restorer::ambiguous() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows_, [](const Row& row) { return row.ambiguous; }));
}

}  // namespace residue::text
