#include "text/replacing/restoration.h"

#include <algorithm>
#include <unordered_map>

namespace residue::text {
namespace {

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
    const bool whole = is_whole(text, {at, end});
    if (whole) found.push_back({at, end});
    at = text.find(words, whole ? end : at + 1);
  }
  return found;
}

std::vector<Occurrence> occurrences(std::string_view text, std::span<const std::string_view> words) {
  return WholeWords(words).occurrences(text);
}

std::vector<Restorer::Row> Restorer::rows_of(const Substitutions& table, std::string_view original, By by) {
  std::vector<Row> rows;
  std::vector<std::string_view> originals;
  std::string own;                                          // what the table says that the original has
  std::unordered_map<std::string_view, std::size_t> known;  // by replacement
  for (const auto& [from, to] : table) {
    own.append(from).append("\n");
    if (from.empty() || to.empty() || from == to) continue;
    originals.push_back(from);
    const auto [at, fresh] = known.try_emplace(to, rows.size());
    if (fresh) {
      rows.push_back({to, from, false});
    } else if (rows[at->second].original != from) {
      rows[at->second].ambiguous = true;
    }
  }
  own = by == By::kTable ? without(original, originals) : own.append(original);
  const std::vector<bool> there = WholeWords(words_of(rows)).present(own);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].ambiguous = rows[i].ambiguous || there[i];
  std::ranges::stable_sort(rows,
                           [](const Row& a, const Row& b) { return a.replacement.size() > b.replacement.size(); });
  return rows;
}

std::vector<std::string_view> Restorer::words_of(const std::vector<Row>& rows) {
  std::vector<std::string_view> words;
  words.reserve(rows.size());
  for (const Row& row : rows) words.push_back(row.replacement);
  return words;
}

Restorer::Restorer(const Substitutions& table, std::string_view original, By by)
    : rows_(rows_of(table, original, by)), replacements_(words_of(rows_)) {
  if (by == By::kAnyone) look_alikes_.emplace(words_of(rows_), original);
}

Restored Restorer::restore(std::string_view text) const {
  Restored restored;
  std::size_t done = 0;
  const std::vector<Occurrence> found = replacements_.occurrences(text);
  for (const Occurrence& one : found) {
    const Row& row = rows_[one.word];
    ++(row.ambiguous ? restored.ambiguous : restored.put_back);
    if (row.ambiguous) continue;
    restored.text.append(text.substr(done, one.span.begin - done)).append(row.original);
    done = one.span.end;
  }
  restored.text.append(text.substr(done));
  if (!look_alikes_) return restored;
  const LookAlikes::Found like = look_alikes_->in(text, found);
  const std::vector<bool> there = replacements_.present(text);
  restored.left = like.places;
  for (std::size_t i = 0; i < rows_.size(); ++i) restored.absent += there[i] || like.rows[i] ? 0 : 1;
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
