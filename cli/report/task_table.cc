#include <vector>

#include "cli/report/report_tables.h"

namespace residue::cli {

Table task_table(const std::vector<query::TaskAccuracy>& lines, bool drop_missing) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},
                   {"model", Type::kText, "", true},
                   {"task_accuracy", Type::kReal, "accuracy"},
                   {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},
                   {"right", Type::kInteger, ""},
                   {"n", Type::kInteger, ""},
                   {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""},
                   {"not_applicable", Type::kInteger, "n/a"},
                   {"if_right", Type::kReal, "if right"}};
  for (const query::TaskAccuracy& line : lines) {
    const query::MetricRow& row = line.row;
    table.rows.push_back({Cell(line.run), Cell(line.model), cell(drop_missing ? row.drop_value : row.value),
                          cell(drop_missing ? row.drop_low : row.low), cell(drop_missing ? row.drop_high : row.high),
                          Cell(line.right), Cell(row.n), Cell(row.failed), Cell(row.missing), Cell(row.not_applicable),
                          cell(row.if_private)});
  }
  return table;
}

}  // namespace residue::cli
