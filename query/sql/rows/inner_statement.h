// Statements of ours inside a statement of the user's: on the same connection, of the same moment.
//
// No error is explained here. The code goes up to SQLite, which ends the user's statement with it.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace residue::query {

class InnerStatement {
 public:
  InnerStatement() = default;
  ~InnerStatement() { sqlite3_finalize(statement_); }
  InnerStatement(const InnerStatement&) = delete;
  InnerStatement& operator=(const InnerStatement&) = delete;

  // Once; later calls do nothing.
  int prepare(sqlite3* db, const char* sql) {
    if (statement_ != nullptr) return SQLITE_OK;
    return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  }

  // Goes before the first row. The parameters are ?1, ?2 ...
  int begin(std::initializer_list<std::int64_t> values) {
    sqlite3_reset(statement_);
    int place = 0;
    for (const std::int64_t value : values) {
      if (const int code = sqlite3_bind_int64(statement_, ++place, value); code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
  }
  int bind(int place, std::string_view text) {
    return sqlite3_bind_text64(statement_, place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }

  // SQLITE_ROW, SQLITE_DONE or an error.
  int next() { return sqlite3_step(statement_); }
  void reset() { sqlite3_reset(statement_); }

  [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] double real(int column) const { return sqlite3_column_double(statement_, column); }
  // Valid until the next step.
  [[nodiscard]] std::string_view bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// The rows of one table in order of their records, asked for records in ascending order: neighbours are stepped to,
// which costs a fifth of finding them.
class RowsByRecord {
 public:
  // Column 0 is the record, ascending, from the last parameter on.
  int prepare(sqlite3* db, const char* sql) { return rows_.prepare(db, sql); }

  // The parameter before the record.
  void begin(std::int64_t of) {
    of_ = of;
    state_ = SQLITE_OK;
  }

  // Sets `found` to whether there is a row of `record`, and goes to its first.
  int find(std::int64_t record, bool& found) {
    found = false;
    constexpr int kSteps = 8;
    for (int i = 0; state_ == SQLITE_ROW && current() < record && i < kSteps; ++i) state_ = rows_.next();
    if (state_ == SQLITE_OK || (state_ == SQLITE_ROW && current() < record)) {
      if (const int code = rows_.begin({of_, record}); code != SQLITE_OK) return code;
      state_ = rows_.next();
    }
    found = state_ == SQLITE_ROW && current() == record;
    return code();
  }

  // Sets `found` to whether the next row is of the same record.
  int next(bool& found) {
    const std::int64_t record = current();
    state_ = rows_.next();
    found = state_ == SQLITE_ROW && current() == record;
    return code();
  }

  [[nodiscard]] const InnerStatement& row() const { return rows_; }

 private:
  [[nodiscard]] std::int64_t current() const { return rows_.integer(0); }
  [[nodiscard]] int code() const { return state_ == SQLITE_ROW || state_ == SQLITE_DONE ? SQLITE_OK : state_; }

  InnerStatement rows_;
  std::int64_t of_ = 0;
  int state_ = SQLITE_OK;  // SQLITE_OK: nothing was read yet
};

}  // namespace residue::query
