// What was typed in earlier shells. Statements may hold texts of the store: the file is its owner's alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::cli {

inline constexpr std::size_t kMostEntries = 1000;           // that are kept
inline constexpr std::size_t kMostEntryBytes = 64U << 10U;  // a longer one is not kept

// $XDG_STATE_HOME/residue/sql_history, else ~/.local/state/residue/sql_history. Nothing where there is neither.
std::optional<std::filesystem::path> history_file();

// The entries of `file`, oldest first, at most kMostEntries; of a file with twice as many the oldest are removed. None
// where there is no such file. Makes the file its owner's alone. Throws Error{io} where it cannot be read, or is no
// regular file of this user.
std::vector<std::string> read_history(const std::filesystem::path& file);

// Appends `entry`, which may have several lines, in one piece: several shells may do so at a time. Makes the file
// (0600) and its folder (0700). Nothing is written of an entry that begins with a space. Throws Error{io}.
void add_history(const std::filesystem::path& file, std::string_view entry);

}  // namespace residue::cli
