// The file whose lock is held while a run is evaluated.
#pragma once

#include <filesystem>
#include <string>

#include "base/ids.h"

namespace residue::storage {

inline std::filesystem::path run_lock_file(const std::filesystem::path& store, RunId run) {
  return store / ("run-" + std::to_string(run.value) + ".lock");
}

}  // namespace residue::storage
