#include "query/sql/sql_shell.h"

#include <fmt/format.h>
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
#include "query/sql/packed_values.h"
#include "query/sql/sql_child.h"
#include "query/sql/sql_message.h"
#include "query/sql/sql_program.h"

namespace residue::query {
namespace {

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

constexpr Millis kLastWords{500};  // the child stops by itself, where it can, and says what it was about

[[noreturn]] void timed_out() {
  throw Error(Code::kUsage, "sql: stopped at its time limit", "--timeout S allows more time");
}

// The child of one statement: killed and waited for when this goes out of scope.
class StatementChild {
 public:
  StatementChild(const SqlOptions& options, std::string_view sql)
      : pipe_(Pipe::make()), child_(started(pipe_, options, sql)) {
    pipe_->close_write();
  }

  // Appends what the child writes to `buffer`; false at its end. Not later than at `until`.
  bool read(std::string& buffer, Clock::time_point until, const SqlOptions& options) {
    while (true) {
      if (options.interrupted && options.interrupted()) throw Error(Code::kInterrupted, "stopped");
      const auto left = std::chrono::duration_cast<Millis>(until - Clock::now());
      if (left.count() <= 0) timed_out();
      pollfd ready{pipe_->read_end(), POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 100))) <= 0) continue;
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
    const auto start = [&]() -> std::optional<Child> {
      if (!options.program.empty()) return start_sql_program(options, sql, pipe->write_end());
      return Child::copy([&]() -> int {
        pipe->close_read();
        sql_child(options, sql, pipe->write_end());
      });
    };
    std::optional<Child> child = start();
    if (!child) throw Error(Code::kTryAgain, "sql: no process could be started", "try again later");
    return child;
  }

  std::optional<Pipe> pipe_;
  std::optional<Child> child_;
};

SqlValue value_of(const PackedValue& packed) {
  switch (packed.type) {
    case 'i':
      return packed.whole;
    case 'r':
      return packed.real;
    case 't':
      return std::string(packed.text);
    case 'b':
      return SqlBlob{std::string(packed.text)};
    default:
      return std::monostate{};
  }
}

constexpr std::size_t kHead = 1 + sizeof(std::uint32_t);

// Hands messages on, as far as the limit of rows.
class Delivery {
 public:
  Delivery(const SqlSink& sink, std::uint64_t most_rows) : sink_(sink), most_rows_(most_rows) {}

  // False after the last one.
  bool take(char kind, std::string_view body) {
    PackedValues fields(body);
    switch (static_cast<SqlMessage>(kind)) {
      case SqlMessage::kNext:
        end_.next = fields.number<std::uint32_t>();
        return true;
      case SqlMessage::kColumns: {
        std::vector<std::string> columns;
        while (!fields.empty()) columns.emplace_back(fields.text());
        if (sink_.columns) sink_.columns(columns);
        return true;
      }
      case SqlMessage::kRow: {
        end_.more = rows_++ == most_rows_;
        if (end_.more) return false;
        if (sink_.packed) {
          sink_.packed(body);
          return true;
        }
        std::vector<SqlValue> row;
        PackedValue value;
        while (fields.next(value)) row.push_back(value_of(value));
        sink_.row(std::move(row));
        return true;
      }
      case SqlMessage::kPlace: {
        const auto byte = fields.number<std::uint32_t>();
        if (sink_.place) sink_.place(byte);
        return true;
      }
      case SqlMessage::kAdvice: {
        const std::string line(fields.text());
        if (sink_.advice) sink_.advice(line);
        return true;
      }
      case SqlMessage::kError: {
        const auto code = static_cast<Code>(fields.number<std::uint32_t>());
        const std::string message(fields.text());
        throw Error(code, message, std::string(fields.text()));
      }
      case SqlMessage::kDone:
        return false;
    }
    garbled_answer();
  }

  [[nodiscard]] const SqlEnd& end() const { return end_; }

 private:
  const SqlSink& sink_;
  std::uint64_t most_rows_;
  std::uint64_t rows_ = 0;
  SqlEnd end_;
};

}  // namespace

SqlEnd run_statement(const SqlOptions& options, std::string_view sql, const SqlSink& sink) {
  if (const std::size_t nul = sql.find('\0'); nul != std::string_view::npos) {
    throw Error(Code::kBadInput, fmt::format("sql: the statement has a NUL character, byte {}", nul + 1),
                "remove it; in a statement, write char(0) for a NUL");
  }
  const auto until = Clock::now() + Millis(options.timeout_ms) + kLastWords;
  StatementChild child(options, sql);
  Delivery delivery(sink, options.most_rows);
  std::string buffer;
  std::size_t used = 0;
  while (true) {
    while (buffer.size() - used >= kHead) {
      std::uint32_t size = 0;
      std::memcpy(&size, buffer.data() + used + 1, sizeof size);
      if (size > kMaxSqlMessageBytes + kMaxSqlValueBytes + kHead) garbled_answer();
      if (buffer.size() - used < kHead + size) break;
      if (!delivery.take(buffer[used], std::string_view(buffer).substr(used + kHead, size))) {
        return {std::min(delivery.end().next, sql.size()), delivery.end().more};
      }
      used += kHead + size;
    }
    buffer.erase(0, used);
    used = 0;
    if (child.read(buffer, until, options)) continue;
    if (options.interrupted && options.interrupted()) throw Error(Code::kInterrupted, "stopped");
    const ChildStatus end = child.wait();
    if (end.signalled && end.code == SIGXCPU) timed_out();
    if (end.signalled && end.code == SIGKILL) {
      throw Error(Code::kTryAgain,
                  "sql: the process of the statement was killed: the system does so where memory runs out, or somebody "
                  "did it",
                  "free some memory, or select less at a time, then repeat the statement");
    }
    throw Error(Code::kUsage, "sql: the statement ended its process", "it needed more memory than it may have");
  }
}

bool is_complete(const std::string& sql) { return sqlite3_complete(sql.c_str()) != 0; }

}  // namespace residue::query
