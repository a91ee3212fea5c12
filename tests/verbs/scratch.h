// A folder that goes with its scope; in memory where that is possible: nothing here has to outlive the machine.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace residue::verbs {

class ScratchFolder {
 public:
  ScratchFolder() {
    namespace fs = std::filesystem;
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    std::string name = ((memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "residue-verbs-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace residue::verbs
