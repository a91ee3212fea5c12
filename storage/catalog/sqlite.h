// RAII around SQLite: the only wall around sqlite3.h. A statement binds, steps and reads; it resets on scope exit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

struct sqlite3;
struct sqlite3_stmt;

namespace residue::storage {

class Statement;

// kImmutable: a file that nobody can change meanwhile, and without a log; nothing is locked and nothing made beside it.
// kUnchecked: a file of a format before 5, whose pages have no checksums.
enum class DbMode { kCreate, kReadWrite, kReadOnly, kImmutable, kUnchecked };

// What names `file` to the engine in that mode (SQLITE_OPEN_URI), and the layer that compares what is read of it with
// its checksums (storage/pages): every connection names both.
std::string database_uri(const std::filesystem::path& file, DbMode mode);

// What a result code of the engine says of damage: the Error to throw; nothing where it speaks of something else.
std::optional<Error> damage_of(sqlite3* db, int code);

// One connection. Not for use by two threads at once.
class Db {
 public:
  Db(const std::filesystem::path& file, DbMode mode);
  ~Db();
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  // Runs one or more statements without results. The text is a literal or embedded file, never put together from input.
  void run(const char* sql);

  // Prepares a statement; throws Error{internal} on a mistake in the SQL, Error{corrupt|io|busy|try again} from the
  // engine.
  [[nodiscard]] Statement prepare(std::string_view sql);

  [[nodiscard]] std::int64_t last_insert_id() const;
  [[nodiscard]] std::int64_t changes() const;      // rows changed by the last statement
  [[nodiscard]] std::int64_t all_changes() const;  // by all statements of the connection
  [[nodiscard]] bool in_transaction() const;
  // The engine's counter of changes that stands in the file itself, without what its log adds: a checkpoint raises it,
  // nothing lowers it. Only through the engine's own handle: to open and close the file again would drop its locks.
  [[nodiscard]] std::uint32_t file_changes() const;
  void sync_file() const;                                // the file itself
  [[nodiscard]] sqlite3* handle() const { return db_; }  // for storage/ itself and the SQL shell's wall only

 private:
  sqlite3* db_ = nullptr;
};

// A prepared statement. Typical use:
//   Statement find = db.prepare("SELECT id FROM record WHERE dataset_id = ?1 AND key = ?2");
//   find.bind(dataset, key);
//   while (find.step()) use(find.id<RecordTag>(0));      // step() resets by itself after the last row
class Statement {
 public:
  Statement(sqlite3* db, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  Statement(const Statement&) = delete;

  // Binds all parameters, in order ?1, ?2, ...; resets the statement first. Texts and blobs are copied.
  template <class... Args>
  Statement& bind(const Args&... args) {
    reset();
    int index = 0;
    (bind_one(++index, args), ...);
    return *this;
  }

  // Advances to the next row: true while there is one. After the last row (or any error) the statement is reset.
  bool step();

  // For statements without rows: bind and run to the end.
  template <class... Args>
  void run(const Args&... args) {
    bind(args...);
    while (step()) {
    }
  }

  void reset();

  // Columns of the current row, from 0. A view is valid until the next step, bind or reset.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;  // text or blob; NULL reads as empty
  [[nodiscard]] std::optional<std::int64_t> integer_or_null(int column) const;
  [[nodiscard]] std::optional<std::string> text_or_null(int column) const;
  template <class IdType>
  [[nodiscard]] IdType id(int column) const {
    return IdType{integer(column)};
  }
  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string column_name(int column) const;

  // A blob parameter (std::string_view binds as text).
  struct Blob {
    std::string_view bytes;
  };

 private:
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, double value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, Blob value);
  void bind_one(int index, std::nullptr_t);
  void bind_one(int index, const char* value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, const std::string& value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, int value) { bind_one(index, static_cast<std::int64_t>(value)); }
  void bind_one(int index, bool value) { bind_one(index, static_cast<std::int64_t>(value ? 1 : 0)); }
  void bind_one(int index, std::uint32_t value) { bind_one(index, static_cast<std::int64_t>(value)); }
  template <class Tag>
  void bind_one(int index, Id<Tag> value) {
    bind_one(index, value.value);
  }
  template <class T>
  void bind_one(int index, const std::optional<T>& value) {
    if (value) {
      bind_one(index, *value);
    } else {
      bind_one(index, nullptr);
    }
  }

  sqlite3* db_ = nullptr;
  sqlite3_stmt* stmt_ = nullptr;
  bool active_ = false;
};

// A read transaction (a deferred BEGIN whose snapshot is taken at once). Ends on scope exit.
class ReadTransaction {
 public:
  explicit ReadTransaction(Db& db);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Db& db_;
  bool owner_ = false;  // nested in an open transaction: nothing to end
};

}  // namespace residue::storage
