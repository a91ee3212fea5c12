#include "cli/report/report_tables.h"

#include <string>

namespace residue::cli {

Table corrected_table(const query::CorrectedRates& rates) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},
                   {"metric", Type::kText, ""},
                   {"observed", Type::kReal, ""},
                   {"corrected", Type::kReal, ""},
                   {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},
                   {"n", Type::kInteger, ""},
                   {"failed", Type::kInteger, ""},
                   {"missing", Type::kInteger, ""},
                   {"labels", Type::kInteger, ""},
                   {"sensitivity", Type::kReal, "sens."},
                   {"specificity", Type::kReal, "spec."}};
  for (const query::CorrectedRate& run : rates.runs) {
    const auto end = [&](bool high) {
      return run.interval ? Cell(high ? run.interval->high : run.interval->low) : Cell();
    };
    const auto& judge = run.metric == query::MetricId::kFullLeakRate ? rates.full : rates.leaked;
    table.rows.push_back({Cell(run.run), Cell(std::string(query::definition(run.metric).name)), cell(run.observed),
                          cell(run.corrected), end(false), end(true), cell(run.records), cell(run.failed),
                          cell(run.missing), cell(rates.labels), judge ? Cell(judge->sensitivity) : Cell(),
                          judge ? Cell(judge->specificity) : Cell()});
  }
  return table;
}

}  // namespace residue::cli
