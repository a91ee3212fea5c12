// Files that nobody wants to find where a command was stopped: half a result, half a backup.
#pragma once

#include <cstddef>
#include <filesystem>

namespace residue::storage {

// While it lives, remove_leftovers() removes `file`. Of more than a few at a time, or where the path is very long, the
// file stays: then it is as if the process had been killed.
class Leftover {
 public:
  explicit Leftover(const std::filesystem::path& file);
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

 private:
  std::size_t slot_;
};

// Removes all of this process's leftovers, before it ends without tidying up. A signal handler may call it.
void remove_leftovers() noexcept;

}  // namespace residue::storage
