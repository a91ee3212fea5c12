#include "cli/study/open_claims_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cli/print/output.h"
#include "cli/report/report_tables.h"

namespace residue::cli {

void print_open_claims(Context& context, const std::vector<query::OpenClaims>& attackers,
                       const query::ReportOptions& what, double absent_share) {
  Table table;
  table.columns = {{"run", Type::kText, "", true},   {"protocol", Type::kText, ""}, {"threshold", Type::kReal, ""},
                   {"precision", Type::kReal, ""},   {"recall", Type::kReal, ""},   {"claims", Type::kInteger, ""},
                   {"records", Type::kInteger, "n"}, {"lost", Type::kInteger, ""}};
  for (const query::OpenClaims& attacker : attackers) {
    const std::string protocol = query::seeds_name(attacker.lens.spec, attacker.seeds);
    for (const query::OpenClaimsLine& line : attacker.runs) {
      for (const query::OpenPoint& point : line.points) {
        table.rows.push_back({Cell(line.run), Cell(protocol), Cell(point.threshold), cell(point.precision),
                              cell(point.recall), cell(point.claims), cell(line.records), cell(line.lost)});
      }
    }
  }
  context.out.table(table);
  context.out.flush();
  context.out.note(fmt::format(
      "claims of an attacker who is as sure as the threshold, {:g} of whose targets are absent: share of them that are "
      "right, and share of the targets that are there and are found; {}",
      absent_share,
      what.missing == query::MissingPolicy::kDrop ? "lost records are left out" : "lost records count as found"));
  for (const query::OpenClaims& attacker : attackers) {
    for (const query::OpenClaimsLine& line : attacker.runs) {
      if (line.reason.empty()) continue;
      context.out.note(fmt::format("{}: {}; residue eval {}/{} --protocol {}{}", line.run, line.reason, what.dataset,
                                   line.run, attacker.lens.spec.name(),
                                   attacker.seeds > 1 ? fmt::format(" --seeds {}", attacker.seeds) : ""));
    }
  }
}

}  // namespace residue::cli
