// report --table copies: what synthetic runs repeat of the originals.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "query/corpus/copies.h"

namespace residue::cli {

// A terminal shows the first twenty texts of each run, a file all.
void print_copies(Context& context, const std::vector<query::RunCopies>& runs, const std::string& dataset);

}  // namespace residue::cli
