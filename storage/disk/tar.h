// A backup is a POSIX ustar file: restored by any tar, without this program.
#pragma once

#include <filesystem>
#include <string>

namespace residue::storage {

// Writes the regular files and directories below `dir` into `file` under the prefix `name/`, modes 0600 and 0700, owner
// and times zeroed, in byte order of their paths; synced. `file` must not exist. Error{io|try again}.
void write_tar(const std::filesystem::path& dir, const std::string& name, const std::filesystem::path& file);

// The same, but `file` has no name before it is complete: who is killed leaves nothing. False, and nothing is done,
// where the file system cannot do that.
[[nodiscard]] bool write_tar_unseen(const std::filesystem::path& dir, const std::string& name,
                                    const std::filesystem::path& file);

}  // namespace residue::storage
