#include "query/sql/sql_shell_guard.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "query/sql/sql_functions.h"
#include "query/sql/sql_shell.h"

namespace residue::query {
namespace {

constexpr const char* kReadable[] = {
    "json_each",         "json_tree",          "packed_scores",     "judged_claims",     "record_scores",
    "pragma_table_info", "pragma_table_xinfo", "pragma_table_list", "pragma_index_list", "pragma_index_info"};
constexpr const char* kSchemas[] = {"sqlite_schema", "sqlite_master", "sqlite_temp_schema", "sqlite_temp_master"};
constexpr const char* kUnlisted[] = {"sqlite_dbpage", "dbstat", "sqlite_stmt", "bytecode", "tables_used"};

bool allowed_pragma(std::string_view name, const char* value) {
  for (const std::string_view schema : {"table_info", "table_xinfo", "table_list", "index_list", "index_info"}) {
    if (name == schema) return true;
  }
  return value == nullptr && (name == "user_version" || name == "application_id");
}

std::string lower(const char* text) {
  std::string result = text == nullptr ? "" : text;
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

int authorize(void* data, int action, const char* first, const char* second, const char* /*database*/,
              const char* /*view*/) {
  const SqlRules& rules = *static_cast<const SqlRules*>(data);
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ: {
      // Without a column: a table of the statement itself, or one of which only rows are counted.
      const std::string table = lower(first);
      const bool counted = second == nullptr || *second == '\0';
      if (counted) return rules.modules.count(table) == 0 ? SQLITE_OK : SQLITE_DENY;
      if (rules.tables.count(table) == 0) return SQLITE_DENY;
      return is_hidden(rules.hidden, table, second) ? SQLITE_IGNORE : SQLITE_OK;
    }
    case SQLITE_FUNCTION:
      return rules.functions.count(lower(second)) != 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
      return allowed_pragma(lower(first), second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

void must(sqlite3* db, int code) {
  if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
}

// At its first use a table-valued function writes into the schema in memory, which a guarded connection refuses.
void connect(sqlite3* db, const std::string& module) {
  static_cast<void>(sql_names(db, fmt::format("SELECT 1 FROM {} LIMIT 0", module).c_str()));
}

// The words of a statement, in lower case: a name that SQLite reads in it is one of them, in quotes or not.
std::set<std::string, std::less<>> words_of(std::string_view sql) {
  std::set<std::string, std::less<>> words;
  std::string word;
  for (const char c : sql) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if ((small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      word += small;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  words.insert(std::move(word));
  return words;
}

}  // namespace

std::vector<std::string> sql_names(sqlite3* db, const char* sql) {
  std::vector<std::string> result;
  sqlite3_stmt* statement = nullptr;
  must(db, sqlite3_prepare_v2(db, sql, -1, &statement, nullptr));
  while (sqlite3_step(statement) == SQLITE_ROW) {
    result.push_back(lower(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))));
  }
  sqlite3_finalize(statement);
  return result;
}

SqlRules make_sql_rules(sqlite3* db, ReadLevel level) {
  SqlRules rules;
  rules.hidden = hidden_columns(db, level);
  for (auto& name : sql_names(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"))
    rules.tables.insert(name);
  for (auto& name : sql_names(db, "SELECT name FROM sqlite_temp_schema")) rules.tables.insert(name);
  for (auto& name : sql_names(db, "SELECT name FROM pragma_module_list")) rules.modules.insert(name);
  for (auto& name : sql_names(db, "SELECT 'pragma_' || name FROM pragma_pragma_list")) rules.modules.insert(name);
  for (const char* name : kUnlisted) rules.modules.insert(name);
  const auto admit = [&](const char* name) {
    rules.tables.insert(name);
    rules.modules.erase(name);
    connect(db, name);
  };
  rules.modules.erase("one_for_many");  // made as a table of the views
  for (const char* name : kReadable) admit(name);
  for (const SqlFunction& function : sql_table_functions()) admit(function.name);
  for (const char* name : kSchemas) rules.tables.insert(name);
  for (const std::string_view name : sql_functions()) rules.functions.emplace(name);
  return rules;
}

void refuse_hidden_joins(const SqlRules& rules, std::string_view sql) {
  const auto words = words_of(sql);
  const bool natural = words.count("natural") != 0;
  if (!natural && words.count("using") == 0) return;
  for (const auto& [table, columns] : rules.hidden) {
    if (words.count(table) == 0) continue;
    for (const std::string& column : columns) {
      if (!natural && words.count(column) == 0) continue;
      throw Error(Code::kUsage, fmt::format("sql: NATURAL or USING, and {}.{}, which cannot be read", table, column),
                  "write JOIN ... ON; --claims and --originals read more");
    }
  }
}

void guard_sql(sqlite3* db, SqlRules& rules) { must(db, sqlite3_set_authorizer(db, authorize, &rules)); }

}  // namespace residue::query
