// A store inside another program: read, never written, with all the checks that the program itself makes.
//
//   directory ── Store (locks, format, losses) ──> connection of its own, pages compared ──> views
//                        └── facts/, shared with others of this process ──> text(id)
//
// The host's connection never sees the catalog: it gets rows through view_table.h.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "query/sql/levels/readable.h"
#include "storage/store.h"

struct sqlite3;

namespace residue::query {

struct StoredColumn {
  std::string name;
  std::string type;  // TEXT, INTEGER, REAL, of a column of a table; empty for what is computed
};

// Not for two threads at once: the host serializes the calls of one connection. Not usable after fork.
class OpenStore {
 public:
  // Takes the reader's locks, and holds them until the end: no text that is there is removed meanwhile. `host`: whose
  // interruption stops a statement. Throws what Store throws.
  OpenStore(const std::filesystem::path& dir, ReadLevel level, sqlite3* host);
  ~OpenStore();
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  // As long as one of these lives all statements see the same state. Throws Error{corrupt|busy|io}, also where the
  // process was forked.
  class Snapshot {
   public:
    explicit Snapshot(OpenStore& store);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

   private:
    OpenStore& store_;
  };

  [[nodiscard]] sqlite3* connection() const { return db_; }
  [[nodiscard]] const std::filesystem::path& dir() const { return store_->dir(); }
  [[nodiscard]] ReadLevel level() const { return level_; }

  // In alphabetical order.
  [[nodiscard]] std::vector<std::string> views() const;
  // Empty: there is no such view.
  [[nodiscard]] std::vector<StoredColumn> columns(const std::string& view) const;

  // Before a statement that asks which texts failed. Cost: reads the texts of all runs, once for each state.
  void find_failures();

  // Verified; 0 is the empty text. Throws unreadable_text() for what the level does not allow and what is not there
  // alike.
  std::string text(TextId id);

  // What went wrong on the connection: `code` is a result that is not SQLITE_OK.
  [[nodiscard]] Error error_of(int code) const;

 private:
  void open_connection();
  void begin();
  void end();
  void run(const char* sql) const;

  ReadLevel level_;
  sqlite3* host_;
  pid_t process_;
  std::unique_ptr<storage::Store> store_;
  storage::Lock held_;
  sqlite3* db_ = nullptr;
  int snapshots_ = 0;
  std::int64_t state_ = 0;                         // of this snapshot: another number when the catalog has changed
  std::unique_ptr<storage::Facts::Reader> texts_;  // of this snapshot
  std::int64_t failures_of_ = -1;                  // state_ when they were found
  std::int64_t readable_of_ = -1;
  std::optional<Readable> readable_;
  HiddenColumns hidden_;
};

}  // namespace residue::query
