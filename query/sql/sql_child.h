// The child process of one statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/sql/sql_shell.h"

namespace residue::query {

inline constexpr std::int64_t kSqlHeapBytes = 256 << 20;

// Opens the store, gives up everything that a statement does not need, runs it, and ends the process. Writes to `pipe`.
[[noreturn]] void sql_child(const SqlOptions& options, std::string_view sql, int pipe);

}  // namespace residue::query
