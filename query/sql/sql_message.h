// What the child process of a statement tells its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace residue::query {

// A message is a kind, a 32-bit size in the machine's order, and that many bytes:
//   next: where the next statement is (32 bits)     columns: texts     row: values     done: nothing
//   error: exit code (32 bits), message, hint     place: of the error that follows, a byte of the text (32 bits)
//   advice: text
//   text: 32-bit size and bytes        value: 'n' | 'i' 8 bytes | 'r' 8 bytes | 't' text | 'b' text
enum class SqlMessage : char {
  kNext = 'N',
  kColumns = 'C',
  kRow = 'R',
  kPlace = 'P',
  kAdvice = 'A',
  kError = 'E',
  kDone = 'D'
};

inline constexpr std::size_t kMaxSqlMessageBytes = 16U << 20U;
inline constexpr std::size_t kMaxSqlValueBytes = 8U << 20U;

// Of a clock that only goes forward.
std::int64_t steady_ms();

// Appends in the format above.
void put_u32(std::string& out, std::size_t value);
void put_text(std::string& out, std::string_view text);

// Writes one message to `pipe`; rows that come quickly are written together. Ends the process if nobody is listening
// any more.
void send(int pipe, SqlMessage kind, const std::string& body);

// Writes a kError message and ends the process.
[[noreturn]] void send_error(int pipe, Code code, std::string_view message, std::string_view hint);

}  // namespace residue::query
