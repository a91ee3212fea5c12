#include "cli/shell/completion.h"

#include <algorithm>
#include <array>
#include <set>

#include "query/sql/advice/sql_words.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 36> kSql = {
    "AND",   "AS",   "BETWEEN",   "BY",     "CASE",  "COUNT",  "CROSS",  "DESC",  "DISTINCT",
    "ELSE",  "END",  "EXISTS",    "FROM",   "GROUP", "HAVING", "IN",     "INNER", "IS",
    "JOIN",  "LEFT", "LIKE",      "LIMIT",  "NOT",   "NULL",   "OFFSET", "ON",    "OR",
    "ORDER", "OVER", "PARTITION", "SELECT", "THEN",  "UNION",  "USING",  "WHEN",  "WHERE"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Found {
 public:
  explicit Found(std::string_view prefix) : prefix_(text::lower(prefix)) {}

  void add(std::string_view word, std::string_view behind = "") {
    const bool safe = text::escape_controls(word, text::Breaks::kEscape) == word;
    if (safe && text::lower(word).starts_with(prefix_)) words_.insert(std::string(word) + std::string(behind));
  }
  void add(const Words& words, std::string_view behind = "") {
    for (const std::string& word : words) add(word, behind);
  }
  [[nodiscard]] Words take() const { return {words_.begin(), words_.end()}; }

 private:
  std::string prefix_;
  std::set<std::string> words_;
};

Completion complete_command(const ShellNames& names, std::string_view text) {
  const std::size_t space = text.rfind(' ');
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  Found found(text.substr(begin));
  if (begin == 0) {
    found.add(names.commands);
  } else if (text.starts_with(".mode ")) {
    found.add(names.modes);
  } else if (text.starts_with(".schema ")) {
    for (const auto& view : names.views) found.add(view.first);
  }
  return {begin, found.take()};
}

}  // namespace

Completion complete(const ShellNames& names, std::string_view text) {
  if (text.starts_with(".")) return complete_command(names, text);
  if (const auto quote = query::open_text(text)) {
    Found found(text.substr(*quote));
    for (const std::string& value : names.values) {
      if (value.find('\'') == std::string::npos) found.add(value, "'");
    }
    return {*quote, found.take()};
  }
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  Found found(text.substr(begin));
  const std::vector<query::SqlWord> before = query::sql_words(text.substr(0, begin));
  const bool of_views = !before.empty() && (before.back().name == "from" || before.back().name == "join");
  if (!of_views) {
    const auto named = [&](const std::string& view) {
      return std::ranges::any_of(before, [&](const query::SqlWord& word) { return word.name == view; });
    };
    const bool any = std::ranges::any_of(names.views, [&](const auto& view) { return named(view.first); });
    for (const auto& [view, columns] : names.views) {
      if (!any || named(view)) found.add(columns);
    }
    found.add(names.functions, "(");
    for (const std::string_view word : kSql) found.add(word);
  }
  for (const auto& view : names.views) found.add(view.first);
  found.add(names.tables, "(");
  return {begin, found.take()};
}

std::string common_beginning(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string common = words.front();
  for (const std::string& word : words) {
    std::size_t same = 0;
    while (same < common.size() && same < word.size() &&
           text::lower(common.substr(0, same + 1)) == text::lower(word.substr(0, same + 1))) {
      ++same;
    }
    common.resize(same);
  }
  while (!common.empty() && !text::valid_utf8(common)) common.pop_back();
  return common;
}

}  // namespace residue::cli
