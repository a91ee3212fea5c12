#include "query/sql/sql_message.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace residue::query {
namespace {
constexpr std::size_t kSmallBytes = 64U << 10U;
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
  std::string head(1, static_cast<char>(kind));
  put_u32(head, body.size());
  if (body.size() < kSmallBytes) {  // One call for a row is cheaper than two.
    write_all(pipe, head + body);
    return;
  }
  write_all(pipe, head);
  write_all(pipe, body);
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
