// report --table open-world: how many targets an attacker finds who claims only where he is sure.
#pragma once

#include <vector>

#include "cli/command.h"
#include "query/report/report.h"
#include "query/study/open_claims.h"

namespace residue::cli {

// `what`: what it is of; `absent_share`: of the targets.
void print_open_claims(Context& context, const std::vector<query::OpenClaims>& attackers,
                       const query::ReportOptions& what, double absent_share);

}  // namespace residue::cli
