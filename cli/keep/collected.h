// What gc and purge say about garbage: one voice, so that neither claims what it has not done.
#pragma once

#include <string>

#include "cli/command.h"
#include "storage/store.h"

namespace residue::cli {

// Runs gc with progress; `wait_s`: for other processes to close the store.
storage::Store::GcResult collect(const Context& context, storage::Store& store, int wait_s);

// Throws Error{try again} that says what is left, where something is; `again` is the command that finishes it.
void require_collected(const storage::Store::GcResult& gone, const std::string& again);

}  // namespace residue::cli
