// packed_scores(BLOB) for SQLite: a table without rows of its own, whose rows are those of its argument.
#include <sqlite3.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "base/error.h"
#include "storage/catalog/packed_scores.h"

namespace residue::storage {
namespace {

constexpr int kMetric = 0;
constexpr int kBytes = 7;  // the hidden column: the argument
// idxNum: which values come with xFilter.
constexpr int kNothing = 0;    // none: a table without rows
constexpr int kArgument = 1;   // the argument
constexpr int kOneMetric = 2;  // and the only metric looked for

struct Cursor {
  sqlite3_vtab_cursor base{};
  std::string bytes;
  ScoreReader reader{{}};
  PackedScore score;
  std::int64_t only = -1;  // metric; -1: all
  std::int64_t row = 0;
  bool end = true;
};

Cursor& cursor_of(sqlite3_vtab_cursor* base) { return *reinterpret_cast<Cursor*>(base); }

int advance(Cursor& cursor) {
  try {
    do {
      cursor.end = !cursor.reader.next(cursor.score);
      ++cursor.row;
    } while (!cursor.end && cursor.only >= 0 && cursor.score.metric != cursor.only);
    return SQLITE_OK;
  } catch (const Error&) {
    cursor.end = true;
    return SQLITE_CORRUPT;
  }
}

int connect(sqlite3* db, void* /*data*/, int /*count*/, const char* const* /*arguments*/, sqlite3_vtab** table,
            char** /*error*/) {
  const int code = sqlite3_declare_vtab(
      db,
      "CREATE TABLE x (metric INTEGER, cut INTEGER, slice INTEGER, state INTEGER, num INTEGER, den INTEGER, "
      "best INTEGER, bytes HIDDEN)");
  if (code != SQLITE_OK) return code;
  // Reads its argument and nothing else: a view of the catalog's schema may use it.
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  *table = static_cast<sqlite3_vtab*>(sqlite3_malloc(sizeof(sqlite3_vtab)));
  if (*table == nullptr) return SQLITE_NOMEM;
  std::memset(*table, 0, sizeof(sqlite3_vtab));
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

int plan(sqlite3_vtab* /*table*/, sqlite3_index_info* info) {
  int bytes = -1, metric = -1;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.iColumn == kBytes) {
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // no plan without its argument
      bytes = i;
    } else if (constraint.iColumn == kMetric && constraint.usable != 0) {
      metric = i;
    }
  }
  info->idxNum = kNothing;
  if (bytes < 0) return SQLITE_OK;
  info->aConstraintUsage[bytes].argvIndex = 1;
  info->aConstraintUsage[bytes].omit = 1;
  info->idxNum = kArgument;
  info->estimatedRows = 30;
  if (metric >= 0) {
    info->aConstraintUsage[metric].argvIndex = 2;  // not omitted: SQLite compares again, with its own idea of types
    info->idxNum = kOneMetric;
    info->estimatedRows = 1;
  }
  info->estimatedCost = 10;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** cursor) {
  auto* made = new (std::nothrow) Cursor;
  if (made == nullptr) return SQLITE_NOMEM;
  *cursor = &made->base;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

int begin(sqlite3_vtab_cursor* base, int number, const char* /*name*/, int count, sqlite3_value** values) {
  Cursor& cursor = cursor_of(base);
  cursor.end = true;
  if (number == kNothing) return SQLITE_OK;
  const void* bytes = sqlite3_value_blob(values[0]);
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  try {
    cursor.bytes.assign(bytes == nullptr ? "" : static_cast<const char*>(bytes), bytes == nullptr ? 0 : size);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  cursor.reader = ScoreReader(cursor.bytes);
  cursor.row = 0;
  const bool one = number == kOneMetric && count > 1 && sqlite3_value_type(values[1]) == SQLITE_INTEGER;
  cursor.only = one ? sqlite3_value_int64(values[1]) : -1;
  return advance(cursor);
}

int next_row(sqlite3_vtab_cursor* cursor) { return advance(cursor_of(cursor)); }
int at_end(sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).end ? 1 : 0; }

int column_value(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const Cursor& cursor = cursor_of(base);
  const PackedScore& score = cursor.score;
  const std::int64_t values[] = {score.metric, score.cut, score.slice, score.state, score.num, score.den, score.best};
  if (column < kBytes) {
    sqlite3_result_int64(context, values[column]);
  } else {
    sqlite3_result_blob64(context, cursor.bytes.data(), cursor.bytes.size(), SQLITE_TRANSIENT);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = cursor_of(cursor).row;
  return SQLITE_OK;
}

const sqlite3_module& module() {
  static const sqlite3_module instance = [] {
    sqlite3_module m{};
    m.xConnect = connect;
    m.xBestIndex = plan;
    m.xDisconnect = disconnect;
    m.xOpen = open_cursor;
    m.xClose = close_cursor;
    m.xFilter = begin;
    m.xNext = next_row;
    m.xEof = at_end;
    m.xColumn = column_value;
    m.xRowid = row_id;
    return m;
  }();
  return instance;
}

}  // namespace

void attach_packed_scores(sqlite3* db) {
  if (sqlite3_create_module_v2(db, "packed_scores", &module(), nullptr, nullptr) != SQLITE_OK) {
    throw Error(Code::kInternal, "catalog: a table function could not be made known", "this is a bug of residue");
  }
}

}  // namespace residue::storage
