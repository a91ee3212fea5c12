// report --table abstention: how often an attacker is right who only speaks where he is sure.
#pragma once

#include "cli/command.h"
#include "query/report/report.h"
#include "query/study/abstention.h"

namespace residue::cli {

// `what`: what it is of.
void print_abstention(Context& context, const query::Abstention& abstention, const query::ReportOptions& what);

}  // namespace residue::cli
