// What a report says of where its numbers come from, in a line each; empty where there is nothing to say.
#pragma once

#include <string>

#include "query/report/report.h"
#include "verbs/look/report_state.h"

namespace residue::cli {

// Whose answers to tasks are shown; part of a table's heading.
std::string answered_by(const query::Report& report);

// Who else answered, and about which runs the shown model did not.
std::string answered_by_others(const query::Report& report, const verbs::ReportState& state);

// Whose vectors are behind which metrics, and where runs that stand together differ in that.
std::string embedders(const verbs::ReportState& state);

// Which of the judge's metrics have no value, and why.
std::string unmeasured(const verbs::ReportState& state);

// "texts that lead their judge (injection_suspect): scrub 12.5 %"; where the originals do, too, it is the judge.
std::string suspects(const query::Report& report, const verbs::ReportState& state);

}  // namespace residue::cli
