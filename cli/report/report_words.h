// What a report says of where its numbers come from, in a line each; empty where there is nothing to say.
#pragma once

#include <string>

#include "query/report/report.h"

namespace residue::cli {

// Whose answers to tasks are shown; part of a table's heading.
std::string answered_by(const query::Report& report);

// Who else answered, and about which runs the shown model did not.
std::string answered_by_others(const query::Report& report);

// Whose vectors are behind which metrics, and where runs that stand together differ in that.
std::string embedders(const query::Report& report);

// Which of the judge's metrics have no value, and why.
std::string unmeasured(const query::Report& report);

}  // namespace residue::cli
