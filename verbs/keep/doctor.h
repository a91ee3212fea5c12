// `doctor`: whether this machine keeps a store, and the texts in it, as it should.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "storage/health/finding.h"

namespace residue::verbs {

// In the order in which a person wants to know.
struct HealthReport {
  std::optional<std::filesystem::path> store;  // nothing: there is none; `place` is where one would be
  storage::Findings files;                     // of the store
  storage::Findings place;                     // file system, encryption, room
  storage::Findings machine;                   // limits, memory, engines
};

// `named` is a store, or a folder of one; nothing: that of this folder or its nearest parent. Nothing of the store is
// opened or changed.
HealthReport doctor(const std::optional<std::string>& named);

}  // namespace residue::verbs
