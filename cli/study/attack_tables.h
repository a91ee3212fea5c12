// The papers' tables that set attackers side by side: one report per attacker becomes one table.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "cli/print/table.h"
#include "cli/report/report_tables.h"
#include "cli/study/run_figures.h"
#include "query/report/report.h"

namespace residue::cli {

struct AttackRequest {
  std::string_view name;
  Form form = Form::kTerminal;
  bool json = false;
  bool reference = false;  // with published figures, where the attack is the paper's
};

// Rows: runs, and what the attackers have in common; columns: how they differ. Over several seeds each value has a
// column of its deviation. Counts and samples are those of the value's own attacker: columns beside each value, or, for
// people, one set of them where in each row all values have the same. Cells of what was not evaluated are empty. Of
// reports by several judges only tables that need none. `published` receives the rows of the papers that stand below
// their runs' (in JSON beside them). Throws Error{not found} where no attacker fits.
Shown attack_table(const std::vector<query::Report>& reports, const AttackRequest& request,
                   std::set<const query::PublishedRow*>& published);

}  // namespace residue::cli
