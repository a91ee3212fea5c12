#include "query/sql/sql_message.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>

namespace residue::query {
namespace {
constexpr std::size_t kSmallBytes = 64U << 10U;
// A row is written at once if nothing was written for so long. Else it waits for the next message.
constexpr std::int64_t kWaitMs = 20;
}  // namespace

std::int64_t steady_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void put_u32(std::string& out, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_text(std::string& out, std::string_view text) {
  put_u32(out, text.size());
  out += text;
}

namespace {

void write_all(int pipe, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t written = ::write(pipe, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(0);  // Nobody is listening any more.
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void send(int pipe, SqlMessage kind, const std::string& body) {
  // A call for each row would cost more than the row. This process has one thread, one statement and one pipe.
  static std::string waiting;
  static std::int64_t written_ms = 0;
  waiting += static_cast<char>(kind);
  put_u32(waiting, body.size());
  waiting += body;
  const std::int64_t now = steady_ms();
  if (kind == SqlMessage::kRow && waiting.size() < kSmallBytes && now - written_ms < kWaitMs) return;
  write_all(pipe, waiting);
  waiting.clear();
  written_ms = now;
}

[[noreturn]] void send_error(int pipe, Code code, std::string_view message, std::string_view hint) {
  std::string body;
  put_u32(body, static_cast<std::size_t>(code));
  put_text(body, message);
  put_text(body, hint);
  send(pipe, SqlMessage::kError, body);
  ::_exit(0);
}

}  // namespace residue::query
