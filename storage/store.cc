#include "storage/store.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "storage/catalog/migration.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/schema.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/disk/failed_sync.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/format_file.h"
#include "storage/disk/mutant.h"
#include "storage/disk/notice.h"
#include "storage/file_owner.h"
#include "storage/run_lock.h"

namespace residue::storage {
namespace fs = std::filesystem;

namespace {

constexpr const char* kLocks[] = {"store.lock", "writer.lock", "snapshot.lock"};
constexpr std::string_view kConfig =
    "# What flags mean where a command does not give them (docs/stores.md). API keys never go here.\n"
    "# judge = \"lexical\"\n"
    "# protocol = \"bm25/random:3\"\n"
    "# seeds = 1\n"
    "# seed = 42\n"
    "# model = \"local\"\n";
constexpr const char* kCopy = "copy it to a place where it can be written (cp -a) and name that with --store";
constexpr std::uintmax_t kCheckpointAbove = 16U << 20U;  // bytes of the WAL
constexpr std::uintmax_t kCheckpointAtCloseAbove = 1U << 20U;

std::string uuid() {
  std::string hex = to_hex(random_bytes(16));
  for (const std::size_t at : {20U, 16U, 12U, 8U}) hex.insert(at, "-");
  return hex;
}

void create_catalog(const fs::path& file, const std::string& id) {
  const auto db = make_catalog(file, kFormatVersion);
  db->run("PRAGMA journal_mode=WAL; BEGIN IMMEDIATE");
  Statement info = db->prepare(sql::kInsertStoreInfo);
  info.run("uuid", id);
  info.run("created_at", std::to_string(now_ms()));
  db->run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

std::int64_t number_of(Db& db, std::string_view sql) {
  Statement statement = db.prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

Commits stored_commits(Db& db) {
  Statement find = db.prepare(sql::kStoreInfoCommits);
  find.step();
  return {static_cast<std::uint64_t>(find.integer(0)), static_cast<std::uint64_t>(find.integer(1))};
}

std::uintmax_t wal_bytes(const fs::path& dir) {
  std::error_code error;
  const auto bytes = fs::file_size(dir / "catalog.db-wal", error);
  return error ? 0 : bytes;
}

bool can_write(const fs::path& dir) {
  const auto may = [](const fs::path& file) { return ::access(file.c_str(), W_OK) == 0; };
  return may(dir) && may(dir / "catalog.db") && may(dir / "facts") && may(dir / "facts" / "data.mdb");
}

void require_locks(const fs::path& dir) {
  for (const char* name : kLocks) {
    if (fs::exists(dir / name)) continue;
    throw Error(Code::kIo, fmt::format("the store {} cannot be written, and its {} is missing", dir.string(), name),
                kCopy);
  }
}

// So that a copy on a read-only disk has them.
void make_locks(const fs::path& dir) {
  for (const char* name : kLocks) {
    try {
      if (!fs::exists(dir / name)) (void)Lock::take(dir / name, LockMode::kShared, 0);
    } catch (const Error&) {  // Who needs it will say so.
    }
  }
}

}  // namespace

void Store::create(const fs::path& parent) {
  std::error_code error;
  fs::create_directories(parent, error);
  if (!fs::is_directory(parent, error)) {
    throw Error(Code::kUsage, fmt::format("{} is no directory and cannot be made one", parent.string()),
                fs::is_symlink(parent, error)
                    ? "it is a link to something that is not there: make that, or name another directory"
                    : "name another directory");
  }
  const fs::path dir = fs::absolute(parent) / ".residue";
  if (fs::is_symlink(dir) && !fs::exists(dir)) {
    throw Error(Code::kUsage, fmt::format("{} is a link that leads nowhere", dir.string()),
                "remove it, or name another directory");
  }
  if (fs::exists(dir)) {
    throw Error(Code::kUsage, fmt::format("there is a store already in {}", parent.string()),
                "use it as it is, or name another directory");
  }
  const fs::path fresh = fs::absolute(parent) / fmt::format(".residue.init-{}-{}", ::getpid(), to_hex(random_bytes(4)));
  make_private_directory(fresh);
  make_private_directory(fresh / "facts");
  make_private_directory(fresh / "index");
  const std::string id = uuid();
  write_new_file(fresh / "key", random_bytes(32));
  write_new_file(fresh / "config.toml", kConfig);
  create_catalog(fresh / "catalog.db", id);
  Facts::create(fresh / "facts", id);
  CommitsFile(fresh, id).write({});
  if (fs::exists(fresh / "commits")) sync_path(fresh / "commits");  // a full disk does without
  write_format(fresh, kFormatVersion);
  if (!mutant("store-unsynced")) {
    for (const char* name : {"catalog.db", "facts", "index", ""}) sync_path(fresh / name);
  }
  fault_point("store.create.synced");
  fs::rename(fresh, dir);
  fault_point("store.create.renamed");
  if (!mutant("store-name-unsynced")) sync_path(fs::absolute(parent));
}

std::optional<fs::path> Store::find(const fs::path& start, bool search_up) {
  fs::path at = fs::absolute(start).lexically_normal();
  std::error_code error;
  const auto has = [&](const fs::path& dir, const char* name) { return fs::exists(dir / name, error); };
  // One that has lost its file format is one, too: opening it says so.
  if (has(at, "catalog.db") && (has(at, "format") || has(at, "facts"))) return at;
  while (true) {
    if (has(at / ".residue", "format") || has(at / ".residue", "catalog.db")) return at / ".residue";
    if (!search_up || at == at.parent_path()) return std::nullopt;
    at = at.parent_path();
  }
}

Store::Store(const fs::path& dir, OpenOptions options) : dir_(dir), options_(std::move(options)) {
  if (!fs::exists(dir_ / "format") && !fs::exists(dir_ / "catalog.db")) {
    throw Error(Code::kNotFound, fmt::format("no store in {}", dir_.string()), "residue init");
  }
  check_private_directory(dir_);
  const int version = format_of(dir_);
  if (version != kFormatVersion) {
    require_format_of_catalog(dir_, version, kFormatVersion);
    throw Error(Code::kUsage,
                fmt::format("the store was made by {} residue: it has format {}, this one reads {}",
                            version > kFormatVersion ? "a newer" : "an older", version, kFormatVersion),
                version > kFormatVersion
                    ? "use a newer residue"
                    : "residue migrate brings it to this format and keeps a copy; nothing was touched so far");
  }
  writable_ = can_write(dir_);
  if (!writable_) require_locks(dir_);
  auto shared = Lock::take(dir_ / "store.lock", LockMode::kShared, options_.lock_timeout_ms, [&] {
    if (options_.waiting) options_.waiting("maintenance of the store by another process");
  });
  if (!shared) throw Error(Code::kBusy, "the store is being maintained by another process", "try again later");
  shared_ = std::move(*shared);
  if (writable_) {
    make_locks(dir_);
  } else {
    open_frozen();
  }
  if (!fs::exists(dir_ / "key")) {
    throw Error(Code::kCorrupt, "the store has lost its address key", "restore the last backup");
  }
  key_ = read_store_file(dir_ / "key", 64);
  if (key_.size() != 32) throw Error(Code::kCorrupt, "the store's address key is damaged", "restore the last backup");
  db_ = std::make_unique<Db>(dir_ / "catalog.db", mode_);
  if (number_of(*db_, "PRAGMA application_id") != kApplicationId) {
    throw Error(Code::kCorrupt, "catalog.db is not a catalog of residue", "restore the last backup");
  }
  if (number_of(*db_, "PRAGMA user_version") != kFormatVersion) {
    throw Error(Code::kCorrupt, "the catalog is of another format than its store", "restore the last backup");
  }
  Statement info = db_->prepare(sql::kStoreInfoUuid);
  if (!info.step()) throw Error(Code::kCorrupt, "the catalog has no identity", "restore the last backup");
  uuid_ = std::string(info.text(0));
  info.reset();
  commits_ = std::make_unique<CommitsFile>(dir_, uuid_);
  facts_ = std::make_unique<Facts>(dir_ / "facts", key_, uuid_, !writable_);
  if (wal_bytes(dir_) > 0) require_own_catalog(dir_ / "catalog.db", uuid_);
  look_for_losses();
  if (options_.read_only || !writable_) return;
  try {
    recover();
  } catch (const Error& error) {  // Who looks for damage lists it all.
    if (error.code() != Code::kCorrupt || !options_.with_losses) throw;
    shared_.downgrade();
  }
}

// What was acknowledged is read before the catalog, and what the catalog depends on after it: whoever commits meanwhile
// makes no gap.
void Store::look_for_losses() {
  const std::optional<Commits> acknowledged = commits_->read();
  const FactsCommits before = facts_->commits();
  const Commits catalog = stored_commits(*db_);
  lost_ = lost_commits(acknowledged, {before.catalog, before.own}, catalog, facts_->commits().own);
  // Last: whoever writes the log's changes into the file meanwhile raises its counter.
  if (lost_.empty() && number_of(*db_, sql::kStoreInfoFileChanges) > std::int64_t{db_->file_changes()}) {
    lost_ = "catalog.db is older than its log, catalog.db-wal: it has lost commits";
  }
  if (lost_.empty() || options_.with_losses) return;
  throw Error(
      Code::kCorrupt, lost_,
      "restore the last backup; residue check says what is missing, and residue check --repair goes on without it");
}

void Store::accept_losses() {
  const auto batch = write();
  const std::optional<Commits> acknowledged = commits_->read();
  const FactsCommits known = facts_->commits();
  const Commits catalog = stored_commits(*db_);
  const std::uint64_t newest = std::max({catalog.catalog, known.catalog, acknowledged ? acknowledged->catalog : 1});
  count_commit({newest, known.own});
  batch->commit();
  lost_.clear();
}

void Store::count_commit(const Commits& commits) {
  Statement set = db_->prepare(sql::kSetStoreInfo);
  set.run("commits", std::to_string(commits.catalog));
  set.run("facts", std::to_string(commits.facts));
  // Writes the first page, and so the counter in it, with every commit.
  db_->run(fmt::format("PRAGMA user_version={}", kFormatVersion).c_str());
  const std::uint32_t changes = db_->file_changes();
  if (number_of(*db_, sql::kStoreInfoFileChanges) == std::int64_t{changes}) return;
  db_->sync_file();  // what the log says of the file must not be lost without the log
  set.run("file_changes", std::to_string(changes));
}

void Store::commit_rows() {
  Commits commits = stored_commits(*db_);
  commits.facts = std::max(commits.facts, facts_->commits().own);
  ++commits.catalog;
  count_commit(commits);
  db_->run("COMMIT");
  commits_->write(commits);
}

void Store::replace_catalog(const fs::path& fresh) {
  require_writable();
  if (!shared_.try_upgrade()) {
    throw Error(Code::kBusy, "another process has the store open", "repeat the command when nothing else is running");
  }
  db_.reset();
  std::error_code ignored;
  fault_point("repair.before_replace");
  // A log belongs to one file, and would be taken for the new one's: it goes first.
  for (const char* old : {"catalog.db-wal", "catalog.db-shm"}) fs::remove(dir_ / old, ignored);
  sync_path(dir_);
  fault_point("repair.log_removed");
  fs::rename(fresh, dir_ / "catalog.db");
  sync_path(dir_);
  fault_point("repair.replaced");
  db_ = std::make_unique<Db>(dir_ / "catalog.db", mode_);
  shared_.downgrade();
}

// Engines cannot lock what they cannot write: our own lock keeps writers out, who may see the same files elsewhere.
void Store::open_frozen() {
  auto frozen = Lock::take(dir_ / "writer.lock", LockMode::kShared, options_.lock_timeout_ms, [&] {
    if (options_.waiting) options_.waiting("another process that is writing");
  });
  if (!frozen) throw Error(Code::kBusy, "another process is writing to this store", "try again later");
  frozen_ = std::move(*frozen);
  mode_ = wal_bytes(dir_) == 0 ? DbMode::kImmutable : DbMode::kReadOnly;
  if (mode_ == DbMode::kReadOnly && !fs::exists(dir_ / "catalog.db-shm")) {
    throw Error(
        Code::kIo,
        fmt::format("the store {} cannot be written, but its last changes must still be finished", dir_.string()),
        kCopy);
  }
}

void Store::require_writable() const {
  if (!writable_) throw Error(Code::kIo, fmt::format("the store {} cannot be written", dir_.string()), kCopy);
}

Store::~Store() {
  // A full WAL makes the next open slow, and on a full disk any space counts.
  if (options_.read_only || !writable_ || !db_ || sync_has_failed() || (facts_ && facts_->outcome_unknown())) return;
  const std::uintmax_t held = wal_bytes(dir_);
  if (held == 0 || (held < kCheckpointAtCloseAbove && !disk_is_full(dir_))) return;
  try {  // If somebody else is writing, it is theirs to do.
    const auto writer = mutant("checkpoint-unlocked") ? std::optional<Lock>(Lock())
                                                      : Lock::take(dir_ / "writer.lock", LockMode::kExclusive, 0);
    if (writer) checkpoint();
  } catch (const Error&) {  // Nothing is lost: the WAL is complete.
  }
}

// Time-out 0: a long reader must not make writers wait; the next checkpoint gets further.
void Store::checkpoint() {
  db_->run("PRAGMA busy_timeout=0");
  fault_point("catalog.checkpoint.before");
  try {
    Statement statement = db_->prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    while (statement.step()) {
    }
  } catch (const Error& error) {  // The catalog itself could not grow; the WAL stays complete.
    if (error.code() != Code::kTryAgain) throw;
  }
  fault_point("catalog.checkpoint.after");
  db_->run("PRAGMA busy_timeout=10000");
}

void Store::recover() {
  if (mutant("leftovers-stay")) return;
  if (!shared_.try_upgrade()) return;  // Somebody else is at work: what they leave is not garbage.
  (void)remove_unrecorded_indexes();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir_, error)) {  // a backup that had no room in the store
    if (!entry.is_symlink(error) || !entry.path().filename().string().starts_with(kBackupPrefix)) continue;
    const fs::path beside = fs::read_symlink(entry.path(), error);
    if (beside.extension() == ".parts") discard(beside);
  }
  // Copies that a killed gc, backup or check left: they hold texts. What killed processes said: nobody listens to it.
  discard_beginning(dir_,
                    {kCompactPrefix, kBackupPrefix, kScratchPrefix, kMigratePrefix, kReservePrefix, kNoticePrefix});
  if (dir_.filename() == ".residue") discard_beginning(dir_.parent_path(), {".residue.init-"});
  shared_.downgrade();
}

std::unique_ptr<WriteBatch> Store::write() { return std::make_unique<WriteBatch>(*this); }

Lock Store::lock_run(RunId run, bool wait) {
  const fs::path file = run_lock_file(dir_, run);
  if (!writable_ && !fs::exists(file)) return {};  // never evaluated by anybody
  auto lock = Lock::take(file, LockMode::kExclusive, wait ? options_.lock_timeout_ms : 0, [&] {
    if (options_.waiting) options_.waiting("the evaluation of this run by another process");
  });
  if (!lock) {
    throw Error(Code::kBusy, "another process is evaluating this run", "wait for it, or evaluate another run");
  }
  return std::move(*lock);
}

Lock Store::hold_texts() {
  auto lock = Lock::take(dir_ / "snapshot.lock", LockMode::kShared, options_.lock_timeout_ms, [&] {
    if (options_.waiting) options_.waiting("the removal of garbage by another process");
  });
  if (!lock) throw Error(Code::kBusy, "garbage is being removed by another process", "try again later");
  return std::move(*lock);
}

Lock Store::hold_targets() {
  require_writable();
  auto lock = Lock::take(dir_ / "ingest.lock", LockMode::kShared, options_.lock_timeout_ms, [&] {
    if (options_.waiting) options_.waiting("a removal or renaming by another process");
  });
  if (!lock) throw Error(Code::kBusy, "another process is removing or renaming something", "try again later");
  return std::move(*lock);
}

Lock Store::claim_targets() {
  require_writable();
  auto lock = Lock::take(dir_ / "ingest.lock", LockMode::kExclusive, options_.lock_timeout_ms, [&] {
    if (options_.waiting) options_.waiting("another process that is bringing in texts or claims");
  });
  if (!lock) {
    throw Error(Code::kBusy, "another process is bringing in texts or claims: nothing was changed",
                "wait until it is done, or stop it, then repeat the command");
  }
  return std::move(*lock);
}

WriteBatch::WriteBatch(Store& store) : store_(store) {
  store_.require_writable();
  const int timeout = store_.options_.lock_timeout_ms;
  const auto waiting = [&](const char* what) {
    return [this, what] {
      if (store_.options_.waiting) store_.options_.waiting(what);
    };
  };
  auto snap = Lock::take(store_.dir_ / "snapshot.lock", LockMode::kShared, timeout,
                         waiting("the removal of garbage by another process"));
  // Who writes one batch after another queues behind those that wait, who would hardly ever find the lock free.
  auto turn = snap ? Lock::take(store_.dir_ / "turn.lock", LockMode::kExclusive, timeout,
                                waiting("another process that is writing"))
                   : std::nullopt;
  auto writer = turn ? Lock::take(store_.dir_ / "writer.lock", LockMode::kExclusive, timeout,
                                  waiting("another process that is writing"))
                     : std::nullopt;
  if (!writer) {
    throw Error(Code::kBusy, fmt::format("another process has been writing for {} seconds", timeout / 1000),
                "wait until it is done, then repeat the command: it continues where it was");
  }
  snap_ = std::move(*snap);
  writer_ = std::move(*writer);
  if (disk_is_full(store_.dir_) && wal_bytes(store_.dir_) > 0) store_.checkpoint();
  store_.db_->run("BEGIN IMMEDIATE");
  changes_ = store_.db_->all_changes();
  open_ = true;
}

WriteBatch::~WriteBatch() {
  facts_.reset();
  if (!open_) return;
  try {
    if (store_.db_->in_transaction()) store_.db_->run("ROLLBACK");
  } catch (const Error&) {  // The connection is broken: nothing was committed.
  }
}

Facts::Writer& WriteBatch::facts() {
  if (!facts_) facts_ = store_.facts_->write();
  return *facts_;
}

TextId WriteBatch::put_text(std::string_view text, PrivacyClass cls, std::optional<TextId> original) {
  return facts().put(text, cls, original);
}

Db& WriteBatch::db() { return *store_.db_; }

void WriteBatch::commit() {
  fault_point("batch.before_facts");
  Commits commits = stored_commits(*store_.db_);
  const bool rows = store_.db_->all_changes() != changes_, texts = facts_ != nullptr;
  commits.facts = texts ? facts_->follow(commits.catalog).own : std::max(commits.facts, store_.facts_->commits().own);
  const auto commit_texts = [&] {
    if (!texts) return;
    facts_->commit();
    facts_.reset();
  };
  const bool swapped = mutant("catalog-first");
  if (!swapped) commit_texts();
  fault_point("batch.before_catalog");
  if (rows) {
    ++commits.catalog;
    store_.count_commit(commits);
  }
  if (mutant("lock-released-early")) writer_.release();
  store_.db_->run("COMMIT");
  if (swapped) commit_texts();
  open_ = false;
  fault_point("batch.committed");
  if (rows || texts) store_.commits_->write(commits);
  if (wal_bytes(store_.dir_) > kCheckpointAbove) store_.checkpoint();
  writer_.release();
  snap_.release();
}

}  // namespace residue::storage
