// The papers' tables that set attackers side by side (METRICS section 8): one report per attacker becomes one table.
#pragma once

#include <string_view>
#include <vector>

#include "cli/table.h"
#include "query/report.h"

namespace residue::cli {

// linkage, linkers, aux-size, paraphrased-aux: these look at all attackers that were evaluated.
bool is_attack_table(std::string_view name);

// Rows: runs, and what the attackers have in common; columns: how they differ. Over several seeds each value has a
// column of its deviation. Cells of what was not evaluated are empty. Throws Error{not found} where no attacker fits.
Table attack_table(const std::vector<query::Report>& reports, std::string_view name);

}  // namespace residue::cli
