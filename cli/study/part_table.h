// The named parts of one metric for people: a row per part, a column per run.
#pragma once

#include "cli/print/table.h"
#include "query/report/report.h"
#include "verbs/tables/part_figures.h"

namespace residue::cli {

// What the values are shares of stands once where all runs have the same, else behind each run; so do failed and
// missing records, then behind the runs that have any. Published figures stand beside their run's.
Table part_table(const query::Report& report, const verbs::PartFigures& figures);

}  // namespace residue::cli
