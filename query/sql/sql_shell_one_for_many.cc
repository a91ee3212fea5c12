#include "query/sql/sql_shell_one_for_many.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/suspicion/one_for_many.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/sources/run.h"
#include "storage/catalog/sources/variant.h"
#include "storage/catalog/table_function.h"

namespace residue::query {
namespace {

const std::vector<std::int64_t>& records_of(OneForMany& rows, std::int64_t run) {
  const auto known = rows.found.find(run);
  if (known != rows.found.end()) return known->second;
  std::vector<std::int64_t> records;
  const auto texts = rows.store.facts().read();
  for (const RecordId record : suspected_texts(rows.store.db(), *texts, RunId{run})) {
    records.push_back(record.value);
  }
  std::sort(records.begin(), records.end());
  return rows.found.emplace(run, std::move(records)).first->second;
}

// One record alone is looked at first: a statement about one record asks once.
bool has(OneForMany& rows, std::int64_t run, std::int64_t record) {
  if (!rows.found.contains(run) && rows.asked.insert(run).second) {
    storage::Statement variant = rows.store.db().prepare(storage::sql::kVariantByRecord);
    if (!variant.bind(run, record).step() || variant.is_null(1)) return false;
    const TextId text = variant.id<TextId>(1);
    const auto texts = rows.store.facts().read();
    if (nothing_suspected(rows.store.db(), *texts, RunId{run})) {
      rows.found.emplace(run, std::vector<std::int64_t>{});
      return false;
    }
    if (model::surely_not_one_for_many(rows.store.db(), *texts, RunId{run}, text)) return false;
  }
  const auto& records = records_of(rows, run);
  return std::binary_search(records.begin(), records.end(), record);
}

std::vector<std::int64_t> aligned_runs(storage::Db& db) {
  std::vector<std::int64_t> ids;
  storage::Statement runs = db.prepare(storage::sql::kAlignedRunsOfStore);
  while (runs.step()) ids.push_back(runs.integer(0));
  return ids;
}

struct Table {
  sqlite3_vtab base{};  // first: SQLite sees no more
  OneForMany* rows;

  static constexpr int kSafety = SQLITE_VTAB_INNOCUOUS;  // of the views
  explicit Table(void* data) : rows(static_cast<OneForMany*>(data)) {}
  [[nodiscard]] const char* schema() const { return "CREATE TABLE x (run_id INTEGER, record_id INTEGER)"; }

  // Bit 0: one run is asked for, bit 1: one record.
  [[nodiscard]] int plan(sqlite3_index_info& info) const {
    info.estimatedCost = 1e9;
    int given[2] = {-1, -1};
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.iColumn < 0) continue;
      if (constraint.usable != 0) given[constraint.iColumn] = i;
    }
    int count = 0;
    for (int column = 0; column < 2; ++column) {
      if (given[column] < 0) continue;
      info.aConstraintUsage[given[column]].argvIndex = ++count;
      info.idxNum |= 1 << column;
      info.estimatedCost /= 1e4;
    }
    return SQLITE_OK;
  }
};

struct Cursor {
  sqlite3_vtab_cursor base{};  // first
  struct Row {
    std::int64_t run, record;
  };
  std::vector<Row> rows;
  std::size_t at = 0;

  int begin(Table& table, int plan, std::span<sqlite3_value*> values) {
    rows.clear();
    at = 0;
    try {
      const bool one_run = (plan & 1) != 0;
      const auto runs = one_run ? std::vector<std::int64_t>{sqlite3_value_int64(values.front())}
                                : aligned_runs(table.rows->store.db());
      for (const std::int64_t run : runs) {
        if ((plan & 2) == 0) {
          for (const std::int64_t record : records_of(*table.rows, run)) rows.push_back({run, record});
        } else if (const auto wanted = sqlite3_value_int64(values.back()); has(*table.rows, run, wanted)) {
          rows.push_back({run, wanted});
        }
      }
      return SQLITE_OK;
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    } catch (const std::exception& error) {
      sqlite3_free(table.base.zErrMsg);
      table.base.zErrMsg = sqlite3_mprintf("%s", error.what());
      return SQLITE_ERROR;
    }
  }

  int next() {
    ++at;
    return SQLITE_OK;
  }
  [[nodiscard]] bool at_end() const { return at >= rows.size(); }
  [[nodiscard]] std::int64_t row_id() const { return static_cast<std::int64_t>(at); }
  void column(const Table& /*table*/, sqlite3_context* context, int number) const {
    sqlite3_result_int64(context, number == 0 ? rows[at].run : rows[at].record);
  }
};

const sqlite3_module& made_table() {
  static const sqlite3_module instance = [] {
    sqlite3_module m = storage::table_function<Table, Cursor>();
    m.xCreate = m.xConnect;  // under the name that the views use, in the place of theirs
    m.xDestroy = m.xDisconnect;
    return m;
  }();
  return instance;
}

}  // namespace

void attach_one_for_many(sqlite3* db, OneForMany& rows) {
  int code = sqlite3_create_module_v2(db, "one_for_many", &made_table(), &rows, nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(db, "DROP TABLE temp.one_for_many; CREATE VIRTUAL TABLE temp.one_for_many USING one_for_many;",
                        nullptr, nullptr, nullptr);
  }
  if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
}

}  // namespace residue::query
