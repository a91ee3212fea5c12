// The condition of `residue export --where`: one SQL expression over the columns that are exported, and nothing else.
#pragma once

#include <string_view>
#include <vector>

#include "query/export/export_table.h"

namespace residue::query {

// Accepts a condition that is one expression over `columns` and the functions of SQLite itself. It has no subselect, no
// other table, no parameter, and ends where it should: `x) UNION SELECT ...` is no expression. Throws Error{usage}
// with SQLite's message (it concerns the user's own words), Error{bad input} for a NUL. Nothing is evaluated.
//
// The statement's own guard is not enough: it allows every view and text(id). A condition on a text that is not shown
// could then be used to guess it, a question at a time.
void check_condition(std::string_view where, const ExportTable& table, const std::vector<const ExportColumn*>& columns);

}  // namespace residue::query
