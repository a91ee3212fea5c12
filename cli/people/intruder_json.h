// The report of an intruder test as JSON.
#pragma once

#include "base/json.h"
#include "query/people/intruder_report.h"

namespace residue::cli {

Json rate_json(const query::IntruderRate& rate);

// All numbers, as one object; what is held back is null.
Json intruder_json(const query::IntruderReport& report);

}  // namespace residue::cli
