#include "storage/catalog/repair/row_inserter.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "base/error.h"

namespace residue::storage {
namespace {

struct Binder {
  sqlite3_stmt* statement;
  int at;
  int operator()(std::monostate) const { return sqlite3_bind_null(statement, at); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, at, value); }
  int operator()(double value) const { return sqlite3_bind_double(statement, at, value); }
  int operator()(const std::string& value) const {
    return sqlite3_bind_text64(statement, at, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  int operator()(const StoredBlob& value) const {
    static const char kEmpty[] = "";  // a null pointer would bind NULL
    const char* bytes = value.bytes.empty() ? kEmpty : value.bytes.data();
    return sqlite3_bind_blob64(statement, at, bytes, value.bytes.size(), SQLITE_TRANSIENT);
  }
};

}  // namespace

RowInserter::RowInserter(Db& db, const std::string& table) {
  lay_out(db, table);
  std::string places;
  for (std::size_t i = 1; i <= columns_.size(); ++i) places += fmt::format("{}?{}", i == 1 ? "" : ", ", i);
  const std::string sql =
      fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES ({})", table, fmt::join(columns_, ", "), places);
  if (sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &insert_, nullptr) != SQLITE_OK) {
    throw Error(Code::kInternal, fmt::format("rows of {} cannot be saved", table), "this is a bug of residue");
  }
}

RowInserter::~RowInserter() { sqlite3_finalize(insert_); }

void RowInserter::lay_out(Db& db, const std::string& table) {
  Statement kind = db.prepare("SELECT wr FROM pragma_table_list(?1)");
  kind.bind(table);
  const bool by_key = kind.step() && kind.integer(0) != 0;
  kind.reset();
  std::map<std::int64_t, std::string> key;
  std::vector<std::string> rest;
  Statement find = db.prepare("SELECT name, pk, type FROM pragma_table_info(?1) ORDER BY cid");
  find.bind(table);
  while (find.step()) {
    std::string name(find.text(0));
    const std::int64_t place = find.integer(1);
    if (!by_key && place == 1 && find.text(2) == "INTEGER") rowid_ = rest.size();
    if (by_key && place > 0) {
      key[place] = std::move(name);
    } else {
      rest.push_back(std::move(name));
    }
  }
  for (auto& [place, name] : key) columns_.push_back(std::move(name));
  columns_.insert(columns_.end(), rest.begin(), rest.end());
}

bool RowInserter::put(const StoredRow& row) {
  if (row.values.size() != columns_.size()) return false;
  bool bound = true;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    const Binder binder{insert_, static_cast<int>(i) + 1};
    const int code = rowid_ == i ? binder(row.rowid) : std::visit(binder, row.values[i]);
    bound = bound && code == SQLITE_OK;
  }
  const bool put = bound && sqlite3_step(insert_) == SQLITE_DONE;
  sqlite3_reset(insert_);
  return put;
}

}  // namespace residue::storage
