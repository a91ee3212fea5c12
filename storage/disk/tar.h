// A backup is a POSIX ustar file: restored by any tar, without this program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue::storage {

// Writes the regular files and directories below `dir` into `file` under the prefix `name/`, modes 0600 and 0700, owner
// and times zeroed, in byte order of their paths; synced. `file` must not exist. Error{io|try again}.
void write_tar(const std::filesystem::path& dir, const std::string& name, const std::filesystem::path& file);

// The same, but `file` has no name before it is complete: who is killed leaves nothing. False, and nothing is done,
// where the file system cannot do that.
[[nodiscard]] bool write_tar_unseen(const std::filesystem::path& dir, const std::string& name,
                                    const std::filesystem::path& file);

// Paths and bytes, in order.
using TarFiles = std::vector<std::pair<std::string, std::string>>;

// The same in memory: regular files alone, paths of at most 99 bytes.
std::string tar_bytes(const TarFiles& files);

// The files of what tar_bytes() made; nothing where `bytes` are not, to the last one, what it makes of them.
// `first_wrong`: where they begin to differ.
std::optional<TarFiles> files_of_tar(std::string_view bytes, std::size_t& first_wrong);

}  // namespace residue::storage
