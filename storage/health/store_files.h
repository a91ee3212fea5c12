// The files of a store as others see them: who may read them, who holds them now, what a killed command left.
#pragma once

#include <filesystem>

#include "storage/health/finding.h"

namespace residue::storage {

// Nothing is opened: a damaged store is looked at like any other.
Findings look_at_files(const std::filesystem::path& store, const Kernel& kernel = {});

}  // namespace residue::storage
