#include "query/sql/advice/advice.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "query/sql/advice/sql_words.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::set<std::string>;

constexpr std::array<std::string_view, 10> kFilters = {"run",      "record", "protocol",  "judge", "metric",
                                                       "category", "person", "claim_set", "model", "dataset"};
constexpr std::size_t kMostViews = 3;
constexpr std::chrono::milliseconds kCounting{100};

// Calls `row` with the text of column `column` of every row; false where the query fails or is stopped.
bool each_text(sqlite3* db, const std::string& sql, int column, const std::function<void(std::string)>& row) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return false;
  int code = SQLITE_OK;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    row(text == nullptr ? "" : text);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE;
}

std::vector<std::string> texts(sqlite3* db, const std::string& sql) {
  std::vector<std::string> all;
  each_text(db, sql, 0, [&](std::string text) { all.push_back(std::move(text)); });
  return all;
}

Lines plan_of(sqlite3* db, const std::string& sql) {
  Lines lines;
  each_text(db, "EXPLAIN QUERY PLAN " + sql, 3, [&](std::string text) { lines.insert(std::move(text)); });
  return lines;
}

// Whether the plan for the view finds rows by `column` that it reads through `without`.
bool finds_rows(sqlite3* db, const std::string& view, std::string_view column, const Lines& without) {
  const Lines with = plan_of(db, fmt::format("SELECT * FROM temp.{} WHERE {} = 'x'", view, column));
  return std::ranges::any_of(with, [&](const std::string& line) {
    return !without.contains(line) && (line.starts_with("SEARCH ") || line.find("VIRTUAL TABLE") != std::string::npos);
  });
}

int past(void* until) { return Clock::now() > *static_cast<const Clock::time_point*>(until) ? 1 : 0; }

bool has_many_rows(sqlite3* db, const std::string& view, std::int64_t many) {
  Clock::time_point until = Clock::now() + kCounting;
  sqlite3_progress_handler(db, 1000, past, &until);
  const std::string sql = fmt::format("SELECT count(*) = {} FROM (SELECT 1 FROM temp.{} LIMIT {})", many, view, many);
  std::string answer;
  const bool counted = each_text(db, sql, 0, [&](std::string text) { answer = std::move(text); });
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
  return !counted || answer == "1";
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return list;
}

}  // namespace

std::string named_in(std::string_view message, std::string_view start) {
  if (!message.starts_with(start)) return {};
  const std::string_view name = message.substr(start.size());
  return std::string(name.substr(name.rfind('.') + 1));
}

std::optional<std::size_t> place_of_error(sqlite3* db, std::string_view sql) {
  const std::string message = sqlite3_errmsg(db);
  if (const int at = sqlite3_error_offset(db); at >= 0) return static_cast<std::size_t>(at);
  if (message == "incomplete input") return sql.size();
  for (const std::string_view start : {"no such table: ", "no such column: ", "no such function: ",
                                       "ambiguous column name: ", "no such table-valued function: "}) {
    const std::string name = text::lower(named_in(message, start));
    if (name.empty()) continue;
    for (const SqlWord& word : sql_words(sql)) {
      if (word.name == name) return word.begin;
    }
  }
  return std::nullopt;
}

std::string missing_filters(sqlite3* db, std::string_view sql, std::int64_t many_rows) {
  const std::vector<SqlWord> words = sql_words(sql);
  const auto names = [&](std::string_view name) {
    return std::ranges::any_of(words, [&](const SqlWord& word) { return word.name == name; });
  };
  const auto compares = [&](std::string_view name) {
    return std::ranges::any_of(words, [&](const SqlWord& word) { return word.name == name && word.compared; });
  };
  std::string advice;
  std::size_t views = 0;
  for (const std::string& view : texts(db, "SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name")) {
    if (!names(view) || views == kMostViews) continue;
    const std::vector<std::string> columns = texts(db, fmt::format("SELECT name FROM pragma_table_info('{}')", view));
    std::vector<std::string> missing;
    bool has_one = false;
    const Lines without = plan_of(db, fmt::format("SELECT * FROM temp.{}", view));
    for (const std::string_view filter : kFilters) {
      if (std::ranges::find(columns, filter) == columns.end() || !finds_rows(db, view, filter, without)) continue;
      has_one = has_one || compares(filter);
      missing.emplace_back(filter);
    }
    if (has_one || missing.empty() || !has_many_rows(db, view, many_rows)) continue;
    ++views;
    advice += fmt::format("{}every row of {} is read: a filter by {} finds its rows (WHERE {} = '...')",
                          advice.empty() ? "" : "; ", view, listed(missing), missing.front());
  }
  return advice;
}

}  // namespace residue::query
