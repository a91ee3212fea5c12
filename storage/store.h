// A store: catalog.db, facts/, index/ and their locks; how it is made, found, opened and changed.
//
//   WriteBatch: writer lock ─> facts (LMDB) commit ─> catalog (SQLite) commit ─> checkpoint when due ─> unlock
//
// Texts are committed before the rows that name them: a row never names a text that is not there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "base/progress.h"
#include "storage/catalog/sqlite.h"
#include "storage/commits.h"
#include "storage/disk/lock.h"
#include "storage/facts/facts.h"

namespace residue::storage {

inline constexpr int kFormatVersion = 8;

// Directories inside the store that a command works in; what a killed one left is removed at the next open.
inline constexpr std::string_view kCompactPrefix = "compact-";
inline constexpr std::string_view kBackupPrefix = "backup-";
inline constexpr std::string_view kScratchPrefix = "scratch-";
inline constexpr std::string_view kMigratePrefix = "migrate-";
inline constexpr std::string_view kReservePrefix = "reserve-";  // a file (reserve.h)

class WriteBatch;

// Called once when a lock is not free at once, with what is being waited for.
using WaitNotice = std::function<void(const std::string& what)>;

struct OpenOptions {
  WaitNotice waiting;  // default: silent
  // Called with what a person should know of work that was done unasked; default: silent.
  std::function<void(const std::string& what)> telling;
  int lock_timeout_ms = 30'000;  // then Error{busy}
  bool read_only = false;        // no recovery
  bool with_losses = false;      // opens what has lost commits, too (Store::lost)
};

class Store {
 public:
  // Creates `dir/.residue` (0700), durably; Error{usage} if there is one.
  static void create(const std::filesystem::path& dir);

  // The store directory for `start`: `start` itself if it is one, else `start/.residue`, else (if `search_up`) that of
  // the nearest parent. Nothing if there is none.
  static std::optional<std::filesystem::path> find(const std::filesystem::path& start, bool search_up);

  // Opens and, if nobody else has it open, recovers. Refuses newer formats, stores that others can read, and network
  // file systems. Throws Error{not found|corrupt|busy|io}. Where nothing can be written (a read-only disk, missing
  // permissions), it is opened for reading, and others who can write to it wait as long.
  explicit Store(const std::filesystem::path& dir, OpenOptions options = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] Db& db() { return *db_; }
  [[nodiscard]] const Facts& facts() const { return *facts_; }
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }
  [[nodiscard]] std::filesystem::path index_dir() const { return dir_ / "index"; }
  void tell(const std::string& what) const {
    if (options_.telling) options_.telling(what);
  }
  [[nodiscard]] const std::string& key() const { return key_; }  // 32 bytes; never printed, never exported

  // Which newest commits are missing, as a sentence; empty: none are known to be.
  [[nodiscard]] const std::string& lost() const { return lost_; }

  // From now on the state as it is counts as the newest.
  void accept_losses();

  // Puts the catalog `fresh`, which is synced and of this store, in the place of the one there is. Error{busy} if
  // anybody else has the store open.
  void replace_catalog(const std::filesystem::path& fresh);

  // What sql's own connection opens (SQLITE_OPEN_URI).
  [[nodiscard]] std::string catalog_uri() const { return database_uri(dir_ / "catalog.db", mode_); }

  // Starts the one write batch there can be; waits for other writers, Error{busy} after the time-out.
  [[nodiscard]] std::unique_ptr<WriteBatch> write();

  // The lock of one run's evaluation (or of index building); waits for others as write() does, or not at all.
  [[nodiscard]] Lock lock_run(RunId run, bool wait = true);

  // While held, no text that was in the store is removed (gc waits); for work that reads ids first and texts later.
  [[nodiscard]] Lock hold_texts();

  // Held while inputs are read: what they fill is neither removed nor renamed between two batches. Waits as write().
  [[nodiscard]] Lock hold_targets();

  // Held while something is removed or renamed: waits for all that hold_targets().
  [[nodiscard]] Lock claim_targets();

  // Texts and garbage: deletes texts and vectors that no row names, whatever else holds bytes of them (frames,
  // dictionaries, freed pages, index segments), answers that a purge gave up, index files that the catalog does not
  // record, and what killed commands left. Error{try again} if the disk has no room for that; what needs none is done.
  // Repeatable.
  struct GcOptions {
    int wait_ms = 10'000;  // for other processes to close the store
    ProgressFunction progress;
  };
  struct GcResult {
    std::uint64_t texts = 0;
    std::uint64_t vectors = 0;
    std::uint64_t index_files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t answers = 0;       // of models
    std::uint64_t rewritten = 0;     // texts whose frames needed what went
    std::uint64_t dictionaries = 0;  // trained on texts that went
    std::uint64_t paid_texts = 0;    // that stay although only paid ratings name them
    std::uint64_t outdated = 0;      // protocols of which what attackers know names claims that were replaced since
    std::vector<std::string> left;   // what may still hold bytes of removed texts, and why; empty: nothing does
    // Room that the disk lacks for the copies by which freed pages leave the engines' files; 0: none, or not tried.
    std::uint64_t lacking_bytes = 0;
  };
  GcResult collect_garbage(const GcOptions& options);
  GcResult collect_garbage() { return collect_garbage(GcOptions()); }

  // A consistent copy as one tar file `file` (must not exist), 0600; `tar xf` restores it as `.residue/`. What goes in
  // is gathered in the store, or beside `file` where the store's disk has no room. Error{try again} without room.
  void backup(const std::filesystem::path& file);

 private:
  friend class WriteBatch;
  void open_frozen();
  void recover();
  void look_for_losses();
  void require_writable() const;              // Error{io}
  void count_commit(const Commits& commits);  // in the catalog's transaction
  void commit_rows();                         // the same, for a transaction of rows alone that is no batch
  // The caller holds the writer lock. Gives the log's space back to the disk, as far as there is room to do it.
  void checkpoint();
  // Returns how many there were. The caller syncs the folder if they must not come back.
  std::uint64_t remove_unrecorded_indexes();
  void drop_garbage(GcResult& result, const ProgressFunction& progress);
  void drop_rows(GcResult& result, std::unordered_set<std::int64_t>& keep, std::vector<VectorId>& old_vectors);
  bool become_alone(int wait_ms);
  void compact(GcResult& result);
  bool vacuum();
  bool compact_facts();
  std::optional<std::int64_t> note_backup(const std::filesystem::path& file);
  void gather(const std::filesystem::path& fresh);

  std::filesystem::path dir_;
  OpenOptions options_;
  bool writable_ = true;
  DbMode mode_ = DbMode::kReadWrite;
  Lock shared_;
  Lock frozen_;  // of a store that is not writable: the writer lock, shared
  std::string key_;
  std::string uuid_;
  std::string lost_;
  std::unique_ptr<CommitsFile> commits_;
  std::unique_ptr<Facts> facts_;
  std::unique_ptr<Db> db_;
};

// One write transaction over both engines. Destroyed without commit: nothing happened.
class WriteBatch {
 public:
  explicit WriteBatch(Store& store);
  ~WriteBatch();
  WriteBatch(const WriteBatch&) = delete;
  WriteBatch& operator=(const WriteBatch&) = delete;

  // Stores a text (see Facts::Writer::put).
  TextId put_text(std::string_view text, PrivacyClass cls, std::optional<TextId> original = std::nullopt);
  [[nodiscard]] Facts::Writer& facts();  // started on first use

  // The catalog connection, inside BEGIN IMMEDIATE.
  [[nodiscard]] Db& db();

  // Texts first, rows second. Durable and acknowledged at return. An error here means "outcome unknown": the process
  // must stop writing; the next open decides from what is on disk.
  void commit();

 private:
  Store& store_;
  Lock snap_;
  Lock writer_;
  std::unique_ptr<Facts::Writer> facts_;
  std::int64_t changes_ = 0;  // of the connection when this began
  bool open_ = false;
};

}  // namespace residue::storage
