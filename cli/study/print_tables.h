// `report --table NAME` of runs and of attackers: headings, tables, notes, in every form.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/study/run_figures.h"
#include "query/report/report.h"

namespace residue::cli {

Form form_of(Format format);

// `name` is a table of kind kRuns, kAttacks or kLong. Returns notes for after the results.
std::vector<std::string> print_table(Context& context, const std::vector<query::Report>& reports,
                                     const std::string& name, bool reference);

// The table, and in JSON the field "reference" of every row where published figures were asked for.
void print_shown(Context& context, const Shown& shown);

}  // namespace residue::cli
