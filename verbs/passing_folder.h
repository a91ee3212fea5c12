// A folder that goes with its process, however that ends.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace residue::verbs {

// A new folder in TMPDIR, readable by its owner alone. A process of its own waits for this one to end and removes the
// folder then, also after SIGKILL; only a machine that stops leaves it. To be made before any thread is. Throws
// Error{io}.
class PassingFolder {
 public:
  explicit PassingFolder(const std::string& name);  // "residue-quick": the folder's name begins with it
  ~PassingFolder();
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;  // closed when this process ends
  pid_t remover_ = -1;
};

}  // namespace residue::verbs
