// What asking would send, for --dry-run.
#pragma once

#include <string>

#include "cli/command.h"
#include "verbs/bring_in/planned.h"

namespace residue::cli {

// Answers known and needed, requests, tokens, USD and where the texts of `dataset` would go.
void print_plan(Context& context, const std::string& dataset, const verbs::PlannedAsking& plan);

}  // namespace residue::cli
