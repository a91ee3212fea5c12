#include "query/sql/sql_message.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace residue::query {

void put_u32(std::string& out, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_text(std::string& out, std::string_view text) {
  put_u32(out, text.size());
  out += text;
}

void send(int pipe, SqlMessage kind, const std::string& body) {
  std::string message(1, static_cast<char>(kind));
  put_text(message, body);
  std::string_view rest = message;
  while (!rest.empty()) {
    const ssize_t written = ::write(pipe, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(0);  // Nobody is listening any more.
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
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
