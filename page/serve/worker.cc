#include "page/serve/worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"

namespace residue::page {
namespace {

// status, sizes of type, body, file and news; then these
constexpr std::size_t kHead = 5 * sizeof(std::uint32_t);

void write_all(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(pipe, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void send(int pipe, const Reply& reply) {
  std::string bytes;
  for (const std::size_t number : {static_cast<std::size_t>(reply.status), reply.type.size(), reply.body.size(),
                                   reply.file.size(), reply.news.size()}) {
    const auto whole = static_cast<std::uint32_t>(number);
    bytes.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  }
  bytes += reply.type;
  write_all(pipe, bytes);
  write_all(pipe, reply.body);
  write_all(pipe, reply.file);
  write_all(pipe, reply.news);
}

std::uint32_t number_at(std::string_view bytes, std::size_t index) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

// Sockets of the server are not this process's business: a connection that the server closes must end.
void keep_only(int pipe) {
  for (const int own : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0 && nothing != own) {
      ::dup2(nothing, own);
      ::close(nothing);
    }
  }
  if (pipe > 3) ::close_range(3, static_cast<unsigned>(pipe) - 1, 0);
  ::close_range(static_cast<unsigned>(pipe) + 1, ~0U, 0);
}

}  // namespace

std::unique_ptr<Worker> Worker::start(const std::function<Reply()>& answer, std::chrono::milliseconds limit) {
  std::optional<Pipe> pipe = Pipe::make();
  if (!pipe) return nullptr;
  std::optional<Child> child = Child::copy([&] {
    const int out = pipe->write_end();
    keep_only(out);
    send(out, answer());
    return 0;
  });
  if (!child) return nullptr;
  pipe->close_write();
  ::fcntl(pipe->read_end(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<Worker>(new Worker(std::move(*pipe), std::move(*child), limit));
}

bool Worker::read() {
  char chunk[1 << 16];
  while (true) {
    const ssize_t got = ::read(pipe_.read_end(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno != EAGAIN && errno != EWOULDBLOCK;
    if (got == 0) return true;
    bytes_.append(chunk, static_cast<std::size_t>(got));
    if (bytes_.size() > kMostReplyBytes + kMostNewsBytes) return true;
  }
}

Reply Worker::finish() {
  const std::string_view bytes(bytes_);
  const std::size_t news = bytes.size() >= kHead ? number_at(bytes, 4) : 0;
  if (bytes.size() > kMostReplyBytes + news) {
    return failed(413, "the answer is larger than 64 MiB", "ask for less, or residue export writes all of it");
  }
  if (bytes.size() >= kHead) {
    const std::size_t type = number_at(bytes, 1), body = number_at(bytes, 2), file = number_at(bytes, 3);
    if (bytes.size() == kHead + type + body + file + news) {
      return {.status = static_cast<int>(number_at(bytes, 0)),
              .type = std::string(bytes.substr(kHead, type)),
              .body = std::string(bytes.substr(kHead + type, body)),
              .file = std::string(bytes.substr(kHead + type + body, file)),
              .news = std::string(bytes.substr(bytes.size() - news))};
    }
  }
  if (late()) return failed(503, "it took too long", "ask for less, or ask the program at a terminal");
  return failed(503, "the process that was to answer ended", "try again; free some memory if it happens again");
}

Reply failed(int status, const std::string& error, const std::string& hint) {
  return {.status = status, .body = Json({{"error", error}, {"hint", hint}}).dump()};
}

}  // namespace residue::page
