#include "query/sql/sql_shell_tables.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "base/error.h"
#include "query/sql/sql_shell_scalars.h"
#include "storage/catalog/table_function.h"

namespace residue::query {
namespace {

struct Call {
  SqlFunctions* functions;
  const SqlFunction* function;
};

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  Call call;

  static constexpr int kSafety = SQLITE_VTAB_DIRECTONLY;  // a view in the catalog must not reach texts
  explicit Table(void* data) : call(*static_cast<const Call*>(data)) {}
  [[nodiscard]] const char* schema() const { return call.function->schema; }

  // Bit i of the plan: argument i is given; they arrive in their order.
  [[nodiscard]] int plan(sqlite3_index_info& info) const {
    const SqlFunction& function = *call.function;
    std::array<int, SqlFunctions::kMaxArguments> place;
    place.fill(-1);
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      const int argument = constraint.iColumn - function.columns;
      if (argument < 0 || argument >= function.arguments || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // another order of the joins knows it
      place[static_cast<std::size_t>(argument)] = i;
    }
    int count = 0;
    for (int argument = 0; argument < function.arguments; ++argument) {
      const int i = place[static_cast<std::size_t>(argument)];
      if (i < 0) continue;
      info.aConstraintUsage[i].argvIndex = ++count;
      info.aConstraintUsage[i].omit = 1;
      info.idxNum |= 1 << argument;
    }
    info.estimatedCost = 1e6;  // a search: rather once than often
    info.estimatedRows = 10;
    return SQLITE_OK;
  }

  int refuse(const std::string& why) {
    sqlite3_free(base.zErrMsg);
    base.zErrMsg = sqlite3_mprintf("%s: %s", call.function->name, why.c_str());
    return SQLITE_ERROR;
  }
};

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  SqlFunctions::Arguments arguments;
  SqlFunctions::Rows rows;
  std::size_t at = 0;

  int begin(Table& table, int given, std::span<sqlite3_value*> values) {
    const SqlFunction& function = *table.call.function;
    try {
      arguments = {};
      rows.clear();
      at = 0;
      std::size_t next_value = 0;
      for (int argument = 0; argument < function.arguments && next_value < values.size(); ++argument) {
        if ((given & (1 << argument)) == 0) continue;
        arguments[static_cast<std::size_t>(argument)] = sql_value_of(values[next_value++]);
      }
      const int required = (1 << function.required) - 1;
      if ((given & required) != required) return table.refuse(fmt::format("write {}", function.usage));
      rows = (table.call.functions->*function.answer)(arguments);
      return SQLITE_OK;
    } catch (const Error& error) {
      return table.refuse(error.hint().empty() ? error.what() : fmt::format("{}; {}", error.what(), error.hint()));
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    } catch (const std::exception&) {
      return table.refuse("it cannot be answered");
    }
  }

  int next() {
    ++at;
    return SQLITE_OK;
  }
  [[nodiscard]] bool at_end() const { return at >= rows.size(); }
  [[nodiscard]] std::int64_t row_id() const { return static_cast<std::int64_t>(at); }

  void column(const Table& table, sqlite3_context* context, int number) const {
    const int columns = table.call.function->columns;
    const SqlValue& value = number < columns ? rows[at][static_cast<std::size_t>(number)]
                                             : arguments[static_cast<std::size_t>(number - columns)];
    answer_with(context, value);
  }
};

}  // namespace

void attach_sql_functions(sqlite3* db, SqlFunctions& functions) {
  for (const SqlFunction& function : sql_table_functions()) {
    auto call = std::make_unique<Call>(Call{&functions, &function});
    const int code = sqlite3_create_module_v2(db, function.name, &storage::table_function<Table, Cursor>(),
                                              call.release(), [](void* data) { delete static_cast<Call*>(data); });
    if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
  }
}

}  // namespace residue::query
