// report --plot: the charts of a report.
#pragma once

#include <string>

#include "cli/command.h"
#include "verbs/report.h"

namespace residue::cli {

// A chart for each attacker, and a table of which mark is which run; the points alone in every other format. `names` is
// X,Y. Throws as verbs::plot_fields.
void print_plots(Context& context, const verbs::ReportResult& compared, const std::string& names);

}  // namespace residue::cli
