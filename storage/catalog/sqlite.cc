#include "storage/catalog/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/error.h"
#include "storage/catalog/content.h"
#include "storage/catalog/packed_scores.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/disk/big_endian.h"
#include "storage/disk/failed_sync.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "storage/pages/checksum.h"
#include "storage/pages/page_image.h"
#include "storage/pages/page_vfs.h"
#include "storage/pages/tree.h"

namespace residue::storage {
namespace {

// ENOSPC has a code of its own; quotas and limits on file sizes are I/O errors, of the catalog or of its log. The error
// number of such a want of space, or 0.
int wanted_space(sqlite3* db) {
  int error = sqlite3_system_errno(db);
  if (means_full(error)) return error;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK && means_full(error)) return error;
  sqlite3_file* log = nullptr;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK || log == nullptr) return 0;
  const bool told =
      log->pMethods != nullptr && log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK;
  return told && means_full(error) ? error : 0;
}

// SQLite's own message may quote a value (a UNIQUE message names columns only, but a CHECK prints its expression): only
// the code's fixed text is used.
[[noreturn]] void fail(sqlite3* db, int code) {
  const int primary = code & 0xff;
  const int extended = db != nullptr ? sqlite3_extended_errcode(db) : code;
  if (const auto damage = damage_of(db, extended)) throw *damage;
  const std::string what = fmt::format("catalog: {} ({})", sqlite3_errstr(code), extended);
  // A failed sync is not among them: what it leaves on the disk is unknown.
  if (extended == SQLITE_IOERR_FSYNC && !mutant("goes-on-after-failed-sync")) note_failed_sync();
  const bool other = primary != SQLITE_IOERR || extended == SQLITE_IOERR_FSYNC || db == nullptr;
  const int want = other ? 0 : wanted_space(db);
  if (want == EFBIG) {
    throw Error(Code::kTryAgain, what + ": a file would be larger than files may be",
                "raise the limit (ulimit -f) and repeat the command");
  }
  switch (want != 0 ? SQLITE_FULL : primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:  // somebody stands still while the log is looked at for the first time
      throw Error(Code::kBusy, what, "another program has locked the catalog; try again");
    case SQLITE_FULL:
      throw Error(Code::kTryAgain, what, "the disk is full: free some space and repeat the command");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw Error(Code::kIo, what, "check the disk and the permissions of the store, then repeat the command");
    case SQLITE_NOMEM:
      throw Error(Code::kTryAgain, what, "out of memory");
    case SQLITE_INTERRUPT:
      throw Error(Code::kInterrupted, "interrupted");
    default:
      throw Error(Code::kInternal, what, "this is a bug of residue");
  }
}

void check(sqlite3* db, int code) {
  if (code != SQLITE_OK) fail(db, code);
}

}  // namespace

std::optional<Error> damage_of(sqlite3* db, int code) {
  const int primary = code & 0xff;
  std::string what = fmt::format("{} ({})", sqlite3_errstr(primary), code);
  if (code == SQLITE_IOERR_DATA) {
    const auto page = take_damaged_page();
    const std::uint32_t number = page ? page->number : 0;
    if (page && page->in_log) {
      what = fmt::format("change {} in catalog.db-wal is not what was written", number);
    } else {
      const std::string owner = db == nullptr ? "catalog.db" : owner_of_page(PageImage(db), number);
      what = fmt::format("page {} of {} is not what was written", number, owner);
    }
  } else if (primary != SQLITE_CORRUPT && primary != SQLITE_NOTADB) {
    return std::nullopt;
  }
  return Error(
      Code::kCorrupt, "the catalog is damaged: " + what,
      "residue check says what is lost; restore the last backup, or save the rest with residue check --repair");
}

std::string database_uri(const std::filesystem::path& file, DbMode mode) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  uri += fmt::format("?vfs={}", mode == DbMode::kUnchecked ? system_vfs() : page_vfs());
  return mode == DbMode::kImmutable ? uri + "&immutable=1" : uri;
}

Db::Db(const std::filesystem::path& file, DbMode mode) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
  switch (mode) {
    case DbMode::kCreate:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
    case DbMode::kReadWrite:
    case DbMode::kUnchecked:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case DbMode::kReadOnly:
    case DbMode::kImmutable:
      flags |= SQLITE_OPEN_READONLY;
      break;
  }
  const int code = sqlite3_open_v2(database_uri(file, mode).c_str(), &db_, flags, nullptr);
  // No destructor runs for what was not made to its end.
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> closing(db_, sqlite3_close_v2);
  if (code == SQLITE_CANTOPEN && take_refused_engine()) {
    throw Error(Code::kBusy, "this process has the catalog open with another copy of SQLite",
                "close it there, or use another process");
  }
  if (code != SQLITE_OK) fail(nullptr, code);
  sqlite3_busy_timeout(db_, 10'000);
  if (mode == DbMode::kCreate) {  // Of a file that has pages already it changes nothing.
    int reserved = static_cast<int>(kPageReserved);
    check(db_, sqlite3_file_control(db_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved));
  }
  attach_packed_scores(db_);
  attach_content_functions(db_);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // Autocheckpoint off: every checkpoint runs under the store's writer lock (WAL-reset bug of SQLite < 3.51.3).
  run("PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON;"
      "PRAGMA mmap_size=0; PRAGMA synchronous=FULL; PRAGMA cache_size=-16384;");
  if (mutant("catalog-sync-normal")) run("PRAGMA synchronous=NORMAL");
  if (mutant("catalog-sync-off")) run("PRAGMA synchronous=OFF");
  closing.release();
}

Db::~Db() { sqlite3_close_v2(db_); }

namespace {

sqlite3_file* main_file(sqlite3* db) {
  sqlite3_file* file = nullptr;
  check(db, sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file));
  return file;
}

}  // namespace

std::uint32_t Db::file_changes() const {
  constexpr int kAt = 24;
  std::array<char, 4> bytes{};
  sqlite3_file* const file = main_file(db_);
  const int code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), kAt);
  if (code == SQLITE_IOERR_SHORT_READ) return 0;
  check(db_, code);
  return static_cast<std::uint32_t>(of_big_endian({bytes.data(), bytes.size()}));
}

void Db::sync_file() const {
  sqlite3_file* const file = main_file(db_);
  // Not through the connection, which does not know that it failed.
  if (file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) != SQLITE_OK) fail(nullptr, SQLITE_IOERR_FSYNC);
}

void Db::run(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(db_, code);
}

Statement Db::prepare(std::string_view sql) { return {db_, sql}; }
std::int64_t Db::last_insert_id() const { return sqlite3_last_insert_rowid(db_); }
std::int64_t Db::changes() const { return sqlite3_changes64(db_); }
std::int64_t Db::all_changes() const { return sqlite3_total_changes64(db_); }
bool Db::in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }

Statement::Statement(sqlite3* db, std::string_view sql) : db_(db) {
  const int code =
      sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &stmt_, nullptr);
  if (code == SQLITE_ERROR) {  // The text is ours, so the message quotes nothing of the user's.
    throw Error(Code::kInternal, fmt::format("catalog: {} in: {}", sqlite3_errmsg(db), sql),
                "this is a bug of residue");
  }
  check(db, code);
}

Statement::~Statement() { sqlite3_finalize(stmt_); }

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_), stmt_(std::exchange(other.stmt_, nullptr)), active_(std::exchange(other.active_, false)) {}

bool Statement::step() {
  active_ = true;
  const int code = sqlite3_step(stmt_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  sqlite3_reset(stmt_);
  active_ = false;
  fail(db_, code);
}

void Statement::reset() {
  if (active_) sqlite3_reset(stmt_);
  active_ = false;
}

bool Statement::is_null(int column) const { return sqlite3_column_type(stmt_, column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(stmt_, column); }
double Statement::real(int column) const { return sqlite3_column_double(stmt_, column); }

std::string_view Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(stmt_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(stmt_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

std::optional<std::int64_t> Statement::integer_or_null(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

std::optional<std::string> Statement::text_or_null(int column) const {
  if (is_null(column)) return std::nullopt;
  return std::string(text(column));
}

int Statement::columns() const { return sqlite3_column_count(stmt_); }
std::string Statement::column_name(int column) const { return sqlite3_column_name(stmt_, column); }

void Statement::bind_one(int index, std::int64_t value) { check(db_, sqlite3_bind_int64(stmt_, index, value)); }
void Statement::bind_one(int index, double value) { check(db_, sqlite3_bind_double(stmt_, index, value)); }

void Statement::bind_one(int index, std::string_view value) {
  static const char kEmpty[] = "";
  const char* bytes = value.data() == nullptr ? kEmpty : value.data();
  check(db_, sqlite3_bind_text64(stmt_, index, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_one(int index, Blob value) {
  static const char kEmpty[] = "";
  const char* bytes = value.bytes.data() == nullptr ? kEmpty : value.bytes.data();
  check(db_, sqlite3_bind_blob64(stmt_, index, bytes, value.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_one(int index, std::nullptr_t) { check(db_, sqlite3_bind_null(stmt_, index)); }

ReadTransaction::ReadTransaction(Db& db) : db_(db), owner_(!db.in_transaction()) {
  if (!owner_) return;
  db_.run("BEGIN");
  // The snapshot is taken by the first read, and must be older than the LMDB one that follows.
  Statement first = db_.prepare(sql::kStoreInfoExists);
  first.run();
}

ReadTransaction::~ReadTransaction() {
  if (!owner_) return;
  sqlite3_exec(db_.handle(), "COMMIT", nullptr, nullptr, nullptr);
}

}  // namespace residue::storage
