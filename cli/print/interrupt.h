// Whether somebody asked the program to stop.
#pragma once

#include <atomic>

namespace residue::cli {

// True once SIGINT or SIGTERM came: stop soon, keep what is done, exit 130. The second signal ends the process at once.
bool interrupted();

// The flag behind interrupted(), for lower layers that are handed a pointer to it.
std::atomic<bool>& interrupt_flag();

}  // namespace residue::cli
