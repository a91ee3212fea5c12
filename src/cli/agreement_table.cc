#include "cli/report_tables.h"

namespace residue::cli {

Table agreement_table(const std::vector<query::AgreementLine>& lines) {
  Table table;
  table.columns = {{"of", Type::kText, ""},
                   {"first", Type::kText, ""},
                   {"second", Type::kText, ""},
                   {"n", Type::kInteger, ""},
                   {"agreement", Type::kPercent, ""},
                   {"agreement_low", Type::kPercent, "low"},
                   {"agreement_high", Type::kPercent, "high"},
                   {"spearman", Type::kReal, ""},
                   {"spearman_low", Type::kReal, "low"},
                   {"spearman_high", Type::kReal, "high"},
                   {"kappa", Type::kReal, ""},
                   {"cohen", Type::kReal, ""},
                   {"alpha", Type::kReal, ""}};
  const auto end = [](const std::optional<query::Interval>& interval, bool high) {
    return interval ? Cell(high ? interval->high : interval->low) : Cell();
  };
  for (const query::AgreementLine& line : lines) {
    table.rows.push_back({Cell(std::string(line.kind)), Cell(line.first), Cell(line.second), cell(line.n),
                          cell(line.agreement), end(line.agreement_interval, false), end(line.agreement_interval, true),
                          cell(line.spearman), end(line.spearman_interval, false), end(line.spearman_interval, true),
                          cell(line.kappa), cell(line.cohen), cell(line.alpha)});
  }
  return table;
}

}  // namespace residue::cli
