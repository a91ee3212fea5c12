// A table-valued function of SQLite as two structs: what it is, and a walk over its rows.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <new>
#include <span>

namespace residue::storage {

// `Table` begins with `sqlite3_vtab base{}`, is made from the data of its module, and has
//   static constexpr int kSafety         SQLITE_VTAB_INNOCUOUS or SQLITE_VTAB_DIRECTONLY
//   const char* schema() const           CREATE TABLE x (columns, hidden arguments)
//   int plan(sqlite3_index_info&) const  as xBestIndex
// `Cursor` begins with `sqlite3_vtab_cursor base{}` and has
//   int begin(Table&, int plan, std::span<sqlite3_value*> arguments)  as xFilter
//   int next(); bool at_end() const; std::int64_t row_id() const
//   void column(const Table&, sqlite3_context*, int) const
// The function is there as a table of its name, without being created.
template <class Table, class Cursor>
const sqlite3_module& table_function() {
  static const sqlite3_module instance = [] {
    static constexpr auto table_of = [](sqlite3_vtab* base) -> Table& { return *reinterpret_cast<Table*>(base); };
    static constexpr auto cursor_of = [](sqlite3_vtab_cursor* base) -> Cursor& {
      return *reinterpret_cast<Cursor*>(base);
    };
    sqlite3_module m{};
    m.xConnect = [](sqlite3* db, void* data, int /*count*/, const char* const* /*words*/, sqlite3_vtab** table,
                    char** /*error*/) {
      std::unique_ptr<Table> made(new (std::nothrow) Table(data));
      if (made == nullptr) return SQLITE_NOMEM;
      const int code = sqlite3_declare_vtab(db, made->schema());
      if (code != SQLITE_OK) return code;
      sqlite3_vtab_config(db, Table::kSafety);
      *table = &made.release()->base;
      return SQLITE_OK;
    };
    m.xBestIndex = [](sqlite3_vtab* table, sqlite3_index_info* info) { return table_of(table).plan(*info); };
    m.xDisconnect = [](sqlite3_vtab* table) {
      delete &table_of(table);
      return SQLITE_OK;
    };
    m.xOpen = [](sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** cursor) {
      auto* made = new (std::nothrow) Cursor;
      if (made == nullptr) return SQLITE_NOMEM;
      *cursor = &made->base;
      return SQLITE_OK;
    };
    m.xClose = [](sqlite3_vtab_cursor* cursor) {
      delete &cursor_of(cursor);
      return SQLITE_OK;
    };
    m.xFilter = [](sqlite3_vtab_cursor* cursor, int plan, const char* /*name*/, int count, sqlite3_value** values) {
      return cursor_of(cursor).begin(table_of(cursor->pVtab), plan, {values, static_cast<std::size_t>(count)});
    };
    m.xNext = [](sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).next(); };
    m.xEof = [](sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).at_end() ? 1 : 0; };
    m.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
      cursor_of(cursor).column(table_of(cursor->pVtab), context, column);
      return SQLITE_OK;
    };
    m.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
      *id = cursor_of(cursor).row_id();
      return SQLITE_OK;
    };
    return m;
  }();
  return instance;
}

}  // namespace residue::storage
