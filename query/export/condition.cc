#include "query/export/condition.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/sql/sql_shell.h"

namespace residue::query {
namespace {

constexpr std::size_t kMostBytes = 20'000;

// SQLite's own functions of search tables. sql_functions() allows functions of ours with the same names, which this
// connection does not have.
constexpr std::array<std::string_view, 4> kOfSearch = {"bm25", "highlight", "match", "snippet"};

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, Close>;

struct Allowed {
  const ExportTable& table;
  const std::vector<const ExportColumn*>& columns;
  int selects = 0;  // so far, of the statement that is prepared
};

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

int authorize(void* data, int action, const char* first, const char* second, const char* /*database*/,
              const char* /*view*/) {
  Allowed& allowed = *static_cast<Allowed*>(data);
  const std::string_view what = first == nullptr ? "" : first;
  const std::string_view part = second == nullptr ? "" : second;
  switch (action) {
    case SQLITE_SELECT:
      return ++allowed.selects == 1 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_READ: {
      if (!same(what, allowed.table.name)) return SQLITE_DENY;
      const auto named = [&](const ExportColumn* column) { return same(part, column->name); };
      return part.empty() || std::any_of(allowed.columns.begin(), allowed.columns.end(), named) ? SQLITE_OK
                                                                                                : SQLITE_DENY;
    }
    case SQLITE_FUNCTION: {
      const auto functions = sql_functions();
      const auto named = [&](std::string_view name) { return same(part, name); };
      if (std::any_of(kOfSearch.begin(), kOfSearch.end(), named)) return SQLITE_DENY;
      return std::any_of(functions.begin(), functions.end(), named) ? SQLITE_OK : SQLITE_DENY;
    }
    default:
      return SQLITE_DENY;
  }
}

// An empty table of the exported columns, in memory: no store is in reach.
Database open_empty(const ExportTable& table, const std::vector<const ExportColumn*>& columns) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database db(raw);
  std::string create;
  for (const ExportColumn* column : columns)
    create += fmt::format("{}\"{}\"", create.empty() ? "" : ", ", column->name);
  create = fmt::format("CREATE TABLE \"{}\" ({})", table.name, create);
  if (code != SQLITE_OK || sqlite3_exec(raw, create.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw Error(Code::kTryAgain, "--where: no memory to read it", "try again later");
  }
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_DQS_DML, 0}}) {
    sqlite3_db_config(raw, option, value, nullptr);
  }
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(2 * kMostBytes)},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 90},
                                     {SQLITE_LIMIT_VDBE_OP, 100'000},
                                     {SQLITE_LIMIT_FUNCTION_ARG, 32},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_VARIABLE_NUMBER, 0}}) {
    sqlite3_limit(raw, limit, value);
  }
  return db;
}

std::string hint_for(std::string_view message, const ExportTable& table,
                     const std::vector<const ExportColumn*>& columns) {
  std::vector<std::string> names;
  std::string list;
  for (const ExportColumn* column : columns) {
    names.emplace_back(column->name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  constexpr std::string_view kColumn = "no such column: ";
  if (message.starts_with(kColumn)) {
    for (const ExportColumn& column : table.columns) {
      if (column.level != ReadLevel::kReleased && same(message.substr(kColumn.size()), column.name)) {
        return fmt::format("--{} writes this column, too", name_of(column.level));
      }
    }
    const auto close = nearest(message.substr(kColumn.size()), names, 1);
    if (!close.empty()) return fmt::format("did you mean {}?", close.front());
    return fmt::format("columns: {}", list);
  }
  return fmt::format("a condition on one row, of the columns {}; functions of SQLite, no subselect", list);
}

}  // namespace

void check_condition(std::string_view where, const ExportTable& table,
                     const std::vector<const ExportColumn*>& columns) {
  if (where.find('\0') != std::string_view::npos) {
    throw Error(Code::kBadInput, "--where: a NUL character", "remove it");
  }
  if (where.size() > kMostBytes) throw Error(Code::kUsage, "--where: longer than 20,000 bytes", "ask with residue sql");
  Allowed allowed{table, columns, 0};
  const Database db = open_empty(table, columns);
  sqlite3_set_authorizer(db.get(), authorize, &allowed);
  // It is prepared twice: behind WHERE, and as a result column. What closes the parentheses too early is an error in
  // one of the two.
  for (const std::string& sql : {fmt::format("SELECT 1 FROM \"{}\" WHERE ({}\n)", table.name, where),
                                 fmt::format("SELECT ({}\n) FROM \"{}\"", where, table.name)}) {
    allowed.selects = 0;
    sqlite3_stmt* statement = nullptr;
    const char* tail = sql.c_str();
    const int code = sqlite3_prepare_v2(db.get(), sql.c_str(), -1, &statement, &tail);
    const bool whole = *tail == '\0';
    sqlite3_finalize(statement);
    if (code == SQLITE_OK && whole) continue;
    const std::string message = code == SQLITE_OK ? "more than one statement" : sqlite3_errmsg(db.get());
    throw Error(Code::kUsage, fmt::format("--where: {}", message), hint_for(message, table, columns));
  }
}

}  // namespace residue::query
