#include "query/sql/sql_shell_tables.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

namespace residue::query {
namespace {

struct Call {
  SqlFunctions* functions;
  const SqlFunction* function;
};

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  Call call{};
};

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  SqlFunctions::Arguments arguments;
  SqlFunctions::Rows rows;
  std::size_t at = 0;
};

Table& table_of(sqlite3_vtab* base) { return *reinterpret_cast<Table*>(base); }
Cursor& cursor_of(sqlite3_vtab_cursor* base) { return *reinterpret_cast<Cursor*>(base); }

int connect(sqlite3* db, void* data, int /*count*/, const char* const* /*words*/, sqlite3_vtab** table,
            char** /*error*/) {
  const Call& call = *static_cast<const Call*>(data);
  const int code = sqlite3_declare_vtab(db, call.function->schema);
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);  // a view in the catalog must not reach texts
  auto made = std::make_unique<Table>();
  made->call = call;
  *table = &made.release()->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete &table_of(table);
  return SQLITE_OK;
}

// Bit i of the plan: argument i is given; they arrive in their order.
int plan_call(sqlite3_vtab* table, sqlite3_index_info* plan) {
  const SqlFunction& function = *table_of(table).call.function;
  std::array<int, SqlFunctions::kMaxArguments> place;
  place.fill(-1);
  for (int i = 0; i < plan->nConstraint; ++i) {
    const auto& constraint = plan->aConstraint[i];
    const int argument = constraint.iColumn - function.columns;
    if (argument < 0 || argument >= function.arguments || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // another order of the joins knows it
    place[static_cast<std::size_t>(argument)] = i;
  }
  int count = 0;
  for (int argument = 0; argument < function.arguments; ++argument) {
    const int i = place[static_cast<std::size_t>(argument)];
    if (i < 0) continue;
    plan->aConstraintUsage[i].argvIndex = ++count;
    plan->aConstraintUsage[i].omit = 1;
    plan->idxNum |= 1 << argument;
  }
  plan->estimatedCost = 1e6;  // a search: rather once than often
  plan->estimatedRows = 10;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** cursor) {
  *cursor = &std::make_unique<Cursor>().release()->base;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

SqlValue value_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return sqlite3_value_int64(value);
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      return std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
    }
    default:
      return {};
  }
}

int answer(sqlite3_vtab_cursor* base, int given_arguments, const char* /*name*/, int count, sqlite3_value** values) {
  Cursor& cursor = cursor_of(base);
  const Call& call = table_of(base->pVtab).call;
  const auto refuse = [&](const std::string& why) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("%s: %s", call.function->name, why.c_str());
    return SQLITE_ERROR;
  };
  try {
    cursor = Cursor{cursor.base, {}, {}, 0};
    int next = 0;
    for (int argument = 0; argument < call.function->arguments && next < count; ++argument) {
      if ((given_arguments & (1 << argument)) == 0) continue;
      cursor.arguments[static_cast<std::size_t>(argument)] = value_of(values[next++]);
    }
    const int required = (1 << call.function->required) - 1;
    if ((given_arguments & required) != required) return refuse(fmt::format("write {}", call.function->usage));
    cursor.rows = (call.functions->*call.function->answer)(cursor.arguments);
    return SQLITE_OK;
  } catch (const Error& error) {
    return refuse(error.hint().empty() ? error.what() : fmt::format("{}; {}", error.what(), error.hint()));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception&) {
    return refuse("it cannot be answered");
  }
}

int next_row(sqlite3_vtab_cursor* cursor) {
  ++cursor_of(cursor).at;
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).at >= cursor_of(cursor).rows.size() ? 1 : 0; }

int column_value(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const Cursor& cursor = cursor_of(base);
  const int columns = table_of(base->pVtab).call.function->columns;
  const SqlValue& value = column < columns ? cursor.rows[cursor.at][static_cast<std::size_t>(column)]
                                           : cursor.arguments[static_cast<std::size_t>(column - columns)];
  if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *real);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(cursor_of(cursor).at);
  return SQLITE_OK;
}

// Without xCreate: there as a table of its name, and cannot be made into another one.
const sqlite3_module& module() {
  static const sqlite3_module instance = [] {
    sqlite3_module m{};
    m.xConnect = connect;
    m.xBestIndex = plan_call;
    m.xDisconnect = disconnect;
    m.xOpen = open_cursor;
    m.xClose = close_cursor;
    m.xFilter = answer;
    m.xNext = next_row;
    m.xEof = at_end;
    m.xColumn = column_value;
    m.xRowid = row_id;
    return m;
  }();
  return instance;
}

}  // namespace

void attach_sql_functions(sqlite3* db, SqlFunctions& functions) {
  for (const SqlFunction& function : sql_table_functions()) {
    auto call = std::make_unique<Call>(Call{&functions, &function});
    const int code = sqlite3_create_module_v2(db, function.name, &module(), call.release(),
                                              [](void* data) { delete static_cast<Call*>(data); });
    if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
  }
}

}  // namespace residue::query
