// What looking at a store's surroundings finds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace residue::storage {

enum class Health : std::uint8_t { kOk, kWarning, kProblem };

struct Finding {
  std::string check;  // what was looked at: "file system"
  Health health = Health::kOk;
  std::string said;    // what is the case
  std::string remedy;  // what to do; empty where nothing is to be done
};
using Findings = std::vector<Finding>;

// Where the kernel tells about itself; other folders in tests.
struct Kernel {
  std::filesystem::path proc = "/proc";
  std::filesystem::path sys = "/sys";
};

}  // namespace residue::storage
