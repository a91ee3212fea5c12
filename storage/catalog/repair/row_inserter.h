// Puts rows as they lie in a damaged catalog's pages into the same table of a new one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "storage/catalog/sqlite.h"
#include "storage/pages/tree.h"

struct sqlite3_stmt;

namespace residue::storage {

class RowInserter {
 public:
  // `table` is one of the schema's. Outlived by `db`.
  RowInserter(Db& db, const std::string& table);
  RowInserter(const RowInserter&) = delete;
  RowInserter& operator=(const RowInserter&) = delete;
  ~RowInserter();

  // False: the row does not fit the table. One that is there already stays.
  bool put(const StoredRow& row);

 private:
  void lay_out(Db& db, const std::string& table);

  // How the values of a row lie in its tree: in the table's order, or its key first where that is the tree's.
  std::vector<std::string> columns_;
  std::optional<std::size_t> rowid_;  // the column that the row's number stands for
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace residue::storage
