// `report --table NAME` of tables that are of no report: agreement, task, corrected, noise, abstention, open-world,
// copies, spans.
#pragma once

#include "cli/command.h"
#include "verbs/tables/table.h"

namespace residue::cli {

// `result` is of kind kLone. `reference`: with the papers' figures.
void print_lone(Context& context, const verbs::TableResult& result, bool reference);

}  // namespace residue::cli
