// Outputs of the reference implementations: one JSON object a line, the first line a header.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace residue::text {

// The cases of `file` in RESIDUE_PARITY, else beside the source tree; empty when the folder is not there.
inline std::vector<nlohmann::json> parity_cases(const std::string& file) {
  const char* folder = std::getenv("RESIDUE_PARITY");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : RESIDUE_SOURCE_DIR "/../shared/parity") / file;
  std::vector<nlohmann::json> cases;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    auto value = nlohmann::json::parse(line);
    if (!value.contains("_header")) cases.push_back(std::move(value));
  }
  return cases;
}

}  // namespace residue::text
