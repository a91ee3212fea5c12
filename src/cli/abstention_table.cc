#include "cli/abstention_table.h"

#include "cli/output.h"
#include "cli/report_tables.h"

namespace residue::cli {
namespace {

Table abstention_table(const query::Abstention& abstention) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  for (std::size_t tenth = 1; tenth <= query::kCoverages; ++tenth) {
    table.columns.push_back({fmt::format("precision_at_{}", tenth * 10), Type::kReal, fmt::format("{} %", tenth * 10)});
  }
  table.columns.push_back({"records", Type::kInteger, "n"});
  table.columns.push_back({"failed", Type::kInteger, ""});
  for (const query::AbstentionLine& line : abstention.runs) {
    std::vector<Cell> row{Cell(line.run)};
    for (std::size_t i = 0; i < query::kCoverages; ++i) {
      row.push_back(i < line.precision.size() ? cell(line.precision[i]) : Cell());
    }
    row.push_back(cell(line.records));
    row.push_back(cell(line.failed));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

int print_abstention(Context& context, storage::Store& store, const std::string& dataset, const std::string& protocol,
                     const std::string& judge, query::MissingPolicy missing) {
  const auto named = judge.empty() ? std::nullopt : std::optional(judge);
  const query::Abstention abstention = query::load_abstention(store, dataset, protocol, named, missing);
  context.out.table(abstention_table(abstention));
  context.out.flush();
  context.out.note(fmt::format(
      "share of right names under {}, where names are given only for the surest part of the records; {}",
      abstention.lens.spec.name(),
      missing == query::MissingPolicy::kDrop ? "failed records are left out" : "failed records count as found"));
  for (const query::AbstentionLine& line : abstention.runs) {
    if (!line.reason.empty()) {
      context.out.note(fmt::format("{}: {}; residue eval {}/{} --protocol {}", line.run, line.reason, dataset, line.run,
                                   abstention.lens.spec.name()));
    }
  }
  return 0;
}

}  // namespace residue::cli
