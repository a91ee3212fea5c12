#include "query/sql/sql_shell.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "query/sql/sql_child.h"
#include "query/sql/sql_message.h"

namespace residue::query {
namespace {

using Millis = std::chrono::milliseconds;

[[noreturn]] void timed_out() {
  throw Error(Code::kUsage, "sql: stopped at its time limit", "--timeout S gives it more");
}

// The child of one statement: killed and waited for when this goes out of scope.
class StatementChild {
 public:
  StatementChild(const SqlOptions& options, std::string_view sql)
      : pipe_(Pipe::make()), child_(started(pipe_, options, sql)) {
    pipe_->close_write();
  }

  // Appends what the child writes to `buffer`; false at its end. Waits until `patience` is used up, and takes from it.
  bool read(std::string& buffer, Millis& patience, const SqlOptions& options) {
    while (true) {
      if (options.interrupted && options.interrupted()) throw Error(Code::kInterrupted, "stopped");
      if (patience.count() <= 0) timed_out();
      pollfd ready{pipe_->read_end(), POLLIN, 0};
      const auto start = std::chrono::steady_clock::now();
      const int wait_ms = static_cast<int>(std::min<std::int64_t>(patience.count(), 200));
      const int count = ::poll(&ready, 1, wait_ms);
      patience -= std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - start);
      if (count <= 0) continue;
      char chunk[1 << 16];
      const ssize_t got = ::read(pipe_->read_end(), chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      buffer.append(chunk, static_cast<std::size_t>(got));
      return true;
    }
  }

  ChildStatus wait() { return child_->wait(); }

 private:
  static std::optional<Child> started(std::optional<Pipe>& pipe, const SqlOptions& options, std::string_view sql) {
    if (!pipe) throw Error(Code::kTryAgain, "sql: no pipe", "too many files are open");
    std::optional<Child> child = Child::copy([&]() -> int {
      pipe->close_read();
      sql_child(options, sql, pipe->write_end());
    });
    if (!child) throw Error(Code::kTryAgain, "sql: no process could be started", "try again later");
    return child;
  }

  std::optional<Pipe> pipe_;
  std::optional<Child> child_;
};

[[noreturn]] void garbled() {
  throw Error(Code::kInternal, "sql: the answer of the statement cannot be read", "this is a bug of residue");
}

// Reads the fields of a message; a child that a statement took over could send anything.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  template <class Number>
  Number number() {
    if (rest_.size() < sizeof(Number)) garbled();
    Number value{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (rest_.size() < size) garbled();
    std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return result;
  }
  SqlValue value() {
    switch (number<char>()) {
      case 'n':
        return std::monostate{};
      case 'i':
        return number<std::int64_t>();
      case 'r':
        return number<double>();
      case 't':
        return text();
      case 'b':
        return SqlBlob{text()};
      default:
        garbled();
    }
  }

 private:
  std::string_view rest_;
};

constexpr std::size_t kHead = 1 + sizeof(std::uint32_t);

// Hands one message on; the place of the next statement once the last one came.
std::optional<std::size_t> deliver(char kind, std::string_view body, const SqlSink& sink) {
  Fields fields(body);
  switch (static_cast<SqlMessage>(kind)) {
    case SqlMessage::kColumns: {
      std::vector<std::string> columns;
      while (!fields.empty()) columns.push_back(fields.text());
      sink.columns(columns);
      return std::nullopt;
    }
    case SqlMessage::kRow: {
      std::vector<SqlValue> row;
      while (!fields.empty()) row.push_back(fields.value());
      sink.row(std::move(row));
      return std::nullopt;
    }
    case SqlMessage::kError: {
      const auto code = static_cast<Code>(fields.number<std::uint32_t>());
      const std::string message = fields.text();
      throw Error(code, message, fields.text());
    }
    case SqlMessage::kDone:
      return fields.number<std::uint32_t>();
  }
  garbled();
}

}  // namespace

std::size_t run_statement(const SqlOptions& options, std::string_view sql, const SqlSink& sink) {
  StatementChild child(options, sql);
  Millis patience(options.timeout_ms + 1000);  // the child stops by itself, where it can
  std::string buffer;
  std::size_t used = 0;
  while (true) {
    while (buffer.size() - used >= kHead) {
      std::uint32_t size = 0;
      std::memcpy(&size, buffer.data() + used + 1, sizeof size);
      if (size > kMaxSqlMessageBytes + kMaxSqlValueBytes + kHead) garbled();
      if (buffer.size() - used < kHead + size) break;
      const auto next = deliver(buffer[used], std::string_view(buffer).substr(used + kHead, size), sink);
      if (next) return std::min(*next, sql.size());
      used += kHead + size;
    }
    buffer.erase(0, used);
    used = 0;
    if (child.read(buffer, patience, options)) continue;
    const ChildStatus end = child.wait();
    if (end.signalled && (end.code == SIGXCPU || end.code == SIGKILL)) timed_out();
    throw Error(Code::kUsage, "sql: the statement ended its process", "it needed more memory than it may have");
  }
}

bool is_complete(const std::string& sql) { return sqlite3_complete(sql.c_str()) != 0; }

}  // namespace residue::query
