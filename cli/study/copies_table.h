// report --table copies: what synthetic runs repeat of the originals.
#pragma once

#include <string>

#include "cli/command.h"
#include "storage/store.h"

namespace residue::cli {

// A terminal shows the first twenty texts of each run, a file all.
int print_copies(Context& context, storage::Store& store, const std::string& dataset);

}  // namespace residue::cli
