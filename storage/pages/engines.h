// Which copy of SQLite this process has a catalog open with.
//
// The system drops a process's locks on a file when any of its handles is closed. One copy of SQLite knows of all its
// handles, two copies in one process do not know of each other: the log of a catalog that both have open is then read
// and written without locks. This unit is in the library that all copies of our code share
// (storage/facts/environments.h).
#pragma once

#include <cstdint>

namespace residue::storage {

extern "C" {

// Notes one handle more of the file, by `engine`. False: another copy has it open, and nothing was noted. An engine is
// told by the address of its version (sqlite3_libversion).
[[gnu::visibility("default")]] bool residue_engine_enter(std::uint64_t device, std::uint64_t inode, const char* engine);

// One handle less.
[[gnu::visibility("default")]] void residue_engine_leave(std::uint64_t device, std::uint64_t inode);
}

}  // namespace residue::storage
