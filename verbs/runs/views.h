// Looking commands under a name: `view save NAME 'report clinic --where ...'`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::verbs {

struct SavedView {
  std::string name;
  std::vector<std::string> words;  // the command's name, then its arguments
  std::int64_t saved_at = 0;       // unix milliseconds
};

// The commands that a view may hold: those that only look, and write no file.
std::span<const std::string_view> view_commands();

// The words of one line as a shell has them: blanks separate, '...' and "..." hold together, \ takes the next sign as
// it is. Nothing is expanded. Throws Error{usage} for a quote that is not closed.
std::vector<std::string> split_line(std::string_view line);

// By name.
std::vector<SavedView> saved_views(storage::Store& store);

// Throws Error{not found} with the nearest name.
SavedView find_view(storage::Store& store, const std::string& name);

// In place of one of the same name; the one before is returned. Throws Error{usage} for a name that is none, and for a
// command that a view may not hold. Whether the arguments are the command's is for the caller to know.
std::optional<SavedView> save_view(storage::Store& store, const std::string& name,
                                   const std::vector<std::string>& words);

// Throws as find_view().
SavedView remove_view(storage::Store& store, const std::string& name);

}  // namespace residue::verbs
