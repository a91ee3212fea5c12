// A result file that replaces nothing, and is there whole or not at all.
#pragma once

#include <filesystem>
#include <optional>

#include "storage/disk/leftovers.h"

namespace residue::query {

// Throws Error{usage} if `file` is there.
void refuse_existing(const std::filesystem::path& file);

class NewFile {
 public:
  // Makes FILE.PID.part, empty, of mode 0600. Throws Error{usage} if `file` is there, Error{io}.
  explicit NewFile(const std::filesystem::path& file);
  ~NewFile();  // without finish(): the part is removed
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] const std::filesystem::path& part() const { return part_; }

  // Syncs the part and gives it its name; what appeared there meanwhile stays, and Error{usage} is thrown. Error{io},
  // Error{try again} on a full disk.
  void finish();

 private:
  std::filesystem::path file_, part_;
  std::optional<storage::Leftover> leftover_;
};

}  // namespace residue::query
