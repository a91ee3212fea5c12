// How commands reach the store.
#pragma once

#include <memory>

#include "cli/command.h"
#include "storage/store.h"

namespace residue::cli {

// Opens the store that --store or RESIDUE_STORE names, else that of this folder or its nearest parent. Says on standard
// error when it has to wait for another process; RESIDUE_LOCK_TIMEOUT_MS says for how long (default 30,000). Throws
// Error{not found} with what to do.
std::unique_ptr<storage::Store> open_store(const Context& context, bool read_only = false);

}  // namespace residue::cli
