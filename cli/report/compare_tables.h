// A comparison of runs as tables and as JSON.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/print/table.h"
#include "cli/report/report_tables.h"
#include "query/compare/compare.h"
#include "query/compare/frontier.h"

namespace residue::cli {

// For a terminal: who is compared with whom under what, then each run's deltas and flips, and the frontier.
// `look_flags` is what `residue show` needs besides the record and the run.
// `power`: with what each comparison could have found.
std::string compare_text(const query::Compared& compared, const query::Frontier& frontier, const Look& look,
                         const std::string& look_flags, bool power);

// {"dataset","protocol","judge","baseline","comparisons":[{"run","metrics":{ID:{...}},"flips":{...}}],"pareto":{...}}
Json compare_json(const query::Compared& compared, const query::Frontier& frontier, const std::string& look_flags);

// One row per run and metric.
Table deltas_table(const query::Compared& compared, Form form, bool power);

// One row per claim that changed sides.
Table flips_table(const query::Compared& compared, const std::string& look_flags);

// One row per run.
Table frontier_table(const query::Frontier& frontier);

Json frontier_json(const query::Frontier& frontier);

// "3 of 5 runs are on the frontier of ..."
std::string frontier_words(const query::Frontier& frontier);

}  // namespace residue::cli
