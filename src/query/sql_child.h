// The child process of one statement, and what it tells its parent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/sql_shell.h"

namespace residue::query {

// A message is a kind, a 32-bit size in the machine's order, and that many bytes:
//   columns: texts     row: values     error: exit code (32 bits), message, hint     done: where the next statement is
//   text: 32-bit size and bytes        value: 'n' | 'i' 8 bytes | 'r' 8 bytes | 't' text | 'b' text
enum class SqlMessage : char { kColumns = 'C', kRow = 'R', kError = 'E', kDone = 'D' };

inline constexpr std::size_t kMaxSqlMessageBytes = 64U << 20U;
inline constexpr std::size_t kMaxSqlValueBytes = 8U << 20U;
inline constexpr std::int64_t kSqlHeapBytes = 256 << 20;

// Opens the store, gives up everything that a statement does not need, runs it, and ends the process. Writes to `pipe`.
[[noreturn]] void sql_child(const SqlOptions& options, std::string_view sql, int pipe);

}  // namespace residue::query
