// report --table spans: what runs replaced against what people marked, by type.
#pragma once

#include <string>

#include "cli/command.h"
#include "storage/store.h"

namespace residue::cli {

// A terminal gets a line for each type, a file one for each pair of types.
int print_spans(Context& context, storage::Store& store, const std::string& dataset);

}  // namespace residue::cli
