// How much of facts/ this process can map: the engine maps the whole file, and a process may have little address space
// (ulimit -v, containers of clusters).
#pragma once

#include <cstddef>
#include <optional>

#include "storage/facts/facts_txn.h"

namespace residue::storage {

// What is left of a limited address space; nothing where there is no limit.
std::optional<std::size_t> address_room();

// A map for a file that is about to be opened: `most` bytes, or the part of a limited address space that leaves room
// for everything else. The engine makes it as large as the file needs.
std::size_t first_map_bytes(std::size_t most);

// Makes the map larger: for what other processes wrote, or `grow`, for more to be written. No transaction of this
// process may be open. Throws Error{try again} where the address space is too small; the map is then as it was.
void enlarge_map(MDB_env* env, bool grow);

// Whether a limited address space makes the map so small that the next transaction may not fit.
bool map_nearly_full(MDB_env* env);

}  // namespace residue::storage
