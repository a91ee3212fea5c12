// The rows of an export, as they come: read by the child process of `residue sql`, within its limits.
//
//   ExportRequest ── check_condition, export_statement ──> run_statement ──> typed rows
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "query/export/export_table.h"
#include "query/sql/sql_shell.h"

namespace residue::query {

struct ExportRequest {
  SqlOptions how;  // store, level, time and rows; its `texts` is that of the export
  const ExportTable* table = nullptr;
  std::string where;  // empty: all rows
};

// A row's values in order of columns_at(). Each is NULL or of its column's type: std::string for kUtf8, std::int64_t
// for kInt64 and kBoolean (0 or 1), double.
using ExportRow = std::vector<SqlValue>;

// Hands on the rows, in the order in which the catalog has them; the same store gives the same order. Memory is that
// of a row. Returns whether there are more than how.most_rows. Throws as check_condition() and run_statement().
bool export_rows(const ExportRequest& request, const std::function<void(ExportRow row)>& take);

}  // namespace residue::query
