#include "query/sql/advice/sql_words.h"

#include <algorithm>
#include <utility>

#include "text/characters/unicode.h"

namespace residue::query {
namespace {

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || byte >= 0x80;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Where what opens at `at` with `quote` ends: behind its last quote; doubled ones are part of it.
std::size_t end_of_quoted(std::string_view sql, std::size_t at, char quote) {
  for (++at; at < sql.size(); ++at) {
    if (sql[at] != quote) continue;
    if (quote == ']' || at + 1 == sql.size() || sql[at + 1] != quote) return at + 1;
    ++at;
  }
  return sql.size();
}

enum class Kind { kWord, kQuoted, kText, kComment, kSign };

struct Piece {
  Kind kind = Kind::kSign;
  std::size_t begin = 0, end = 0;
};

Piece piece_at(std::string_view sql, std::size_t at) {
  const char c = sql[at];
  const std::string_view rest = sql.substr(at);
  if (rest.starts_with("--")) return {Kind::kComment, at, std::min(sql.find('\n', at), sql.size())};
  if (rest.starts_with("/*")) {
    const std::size_t close = sql.find("*/", at + 2);
    return {Kind::kComment, at, close == std::string_view::npos ? sql.size() : close + 2};
  }
  if (c == '\'') return {Kind::kText, at, end_of_quoted(sql, at, c)};
  if (c == '"' || c == '`') return {Kind::kQuoted, at, end_of_quoted(sql, at, c)};
  if (c == '[') return {Kind::kQuoted, at, end_of_quoted(sql, at, ']')};
  std::size_t end = at + 1;
  if (!is_letter(c)) return {Kind::kSign, at, end};
  while (end < sql.size() && (is_letter(sql[end]) || (sql[end] >= '0' && sql[end] <= '9') || sql[end] == '$')) ++end;
  return {Kind::kWord, at, end};
}

std::vector<Piece> pieces_of(std::string_view sql) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < sql.size();) {
    if (is_space(sql[at])) {
      ++at;
      continue;
    }
    pieces.push_back(piece_at(sql, at));
    at = pieces.back().end;
  }
  return pieces;
}

}  // namespace

std::vector<SqlWord> sql_words(std::string_view sql) {
  const std::vector<Piece> pieces = pieces_of(sql);
  const auto written = [&](std::size_t i) {
    return i < pieces.size() ? sql.substr(pieces[i].begin, pieces[i].end - pieces[i].begin) : std::string_view();
  };
  const auto is = [&](std::size_t i, std::string_view word) { return text::lower(written(i)) == word; };
  std::vector<SqlWord> words;
  bool in_using = false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (in_using && written(i) == ")") in_using = false;
    if (i > 0 && written(i) == "(" && is(i - 1, "using")) in_using = true;
    const auto [kind, begin, end] = pieces[i];
    if (kind != Kind::kWord && kind != Kind::kQuoted) continue;
    std::string_view name = written(i);
    if (kind == Kind::kQuoted) name = name.substr(1, name.size() > 1 ? name.size() - 2 : 0);
    SqlWord word{text::lower(name), begin, end, in_using};
    word.compared = word.compared || written(i + 1) == "=" || is(i + 1, "is") || is(i + 1, "in");
    // x = v.run: the sign stands before the table's name.
    const std::size_t first = i >= 2 && written(i - 1) == "." ? i - 2 : i;
    word.compared = word.compared || (first > 0 && written(first - 1) == "=");
    words.push_back(std::move(word));
  }
  return words;
}

std::string shown_place(std::string_view sql, std::size_t at, std::size_t columns) {
  at = std::min(at, sql.size());
  std::size_t begin = at == 0 ? std::string_view::npos : sql.rfind('\n', at - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  const std::size_t end = std::min(sql.find('\n', at), sql.size());
  // Two thirds of the width before the place, as far as there is so much behind it.
  std::size_t from = at;
  for (std::size_t width = 0; from > begin; --from) {
    const std::size_t before = text::before(sql, from);
    width += text::display_width(text::escape_controls(sql.substr(before, from - before), text::Breaks::kEscape));
    if (width > columns * 2 / 3) break;
    from = before + 1;
  }
  const auto shown = [&](std::size_t first, std::size_t last) {
    std::string line(sql.substr(first, last - first));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return text::escape_controls(line, text::Breaks::kEscape);
  };
  const std::string lead = (from > begin ? "…" : "") + shown(from, at);
  const std::size_t room = columns - std::min(columns, text::display_width(lead));
  return lead + text::cut_to_width(shown(at, end), std::max<std::size_t>(room, 1)) + '\n' +
         std::string(text::display_width(lead), ' ') + "^\n";
}

std::optional<std::size_t> open_text(std::string_view sql) {
  const std::vector<Piece> pieces = pieces_of(sql);
  if (pieces.empty() || pieces.back().kind != Kind::kText) return std::nullopt;
  const Piece last = pieces.back();
  const auto quotes = std::count(sql.begin() + static_cast<std::ptrdiff_t>(last.begin), sql.end(), '\'');
  if (quotes % 2 == 0) return std::nullopt;
  return last.begin + 1;
}

std::string sql_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out + "'";
}

}  // namespace residue::query
