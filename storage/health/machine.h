// What the machine allows this process, and what it writes of its memory.
#pragma once

#include <cstdint>

#include "storage/health/finding.h"

namespace residue::storage {

// `largest`: bytes of the largest file of the store.
Findings look_at_machine(std::uint64_t largest, const Kernel& kernel = {});

// Engines with their known errors. Xapian is checked by whoever opens it.
Findings look_at_engines();

// Whether version `have` ("3.40.1") comes before `wanted`.
bool older(const char* have, const char* wanted);

}  // namespace residue::storage
