// Where a store lies: may it lie there, does it last, can a thief read it, is there room?
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/health/finding.h"

namespace residue::storage {

// Of the folder `place` of a store of `bytes` bytes, or of a folder where one may be made (0).
Findings look_at_place(const std::filesystem::path& place, std::uint64_t bytes, const Kernel& kernel = {});

}  // namespace residue::storage
