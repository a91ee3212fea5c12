#include "storage/migrate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "storage/catalog/migration.h"
#include "storage/catalog/sqlite.h"
#include "storage/commits.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/format_file.h"
#include "storage/disk/lock.h"
#include "storage/disk/tar.h"
#include "storage/erase/backups.h"
#include "storage/facts/forgetting.h"
#include "storage/store.h"

namespace residue::storage {
namespace fs = std::filesystem;
namespace {

constexpr int kWaitMs = 5'000;
constexpr const char* kMarker = kMigrating;  // from when the copy is complete

void require_known(int version) {
  if (version > kFormatVersion) {
    throw Error(Code::kUsage, fmt::format("the store has format {}, this residue knows {}", version, kFormatVersion),
                "use a newer residue");
  }
  if (version < kOldestFormat) {
    throw Error(Code::kUsage,
                fmt::format("the store has format {}: the oldest that can be migrated is {}", version, kOldestFormat),
                "make another store with residue init and ingest the same files");
  }
}

void require_room(const fs::path& dir, std::uint64_t bytes, const char* what) {
  std::error_code error;
  const auto space = fs::space(dir, error);
  if (error || space.available > bytes + (1U << 20U)) return;
  throw Error(Code::kTryAgain, fmt::format("no room on the disk for {}: nothing was changed", what),
              fmt::format("it needs {} MiB: free some space and repeat the command", (bytes >> 20U) + 2));
}

struct Copies {
  std::vector<fs::path> there;  // of earlier calls
  fs::path next;                // a name that nothing has yet
};

Copies copies_of(const fs::path& dir, int version) {
  const fs::path parent = fs::absolute(dir).lexically_normal().parent_path();
  Copies copies;
  for (int n = 1;; ++n) {
    const std::string end = n == 1 ? "" : fmt::format("-{}", n);
    copies.next = parent / fmt::format("residue-format-{}{}.tar", version, end);
    if (!fs::exists(copies.next)) return copies;
    copies.there.push_back(copies.next);
  }
}

fs::path keep_copy(const fs::path& dir, int version) {
  if (fs::exists(dir / kMarker)) return read_store_file(dir / kMarker);  // an earlier call came this far
  const fs::path file = copies_of(dir, version).next;
  require_room(file.parent_path(), directory_bytes(dir), "a copy of the store");
  const fs::path beside = fs::path(file) += ".partial";
  discard(beside);
  write_tar(dir, ".residue", beside);
  fs::rename(beside, file);
  sync_path(file.parent_path());
  fault_point("migrate.copied");
  write_new_file(dir / kMarker, file.string());
  sync_path(dir);
  return file;
}

int catalog_version(const fs::path& file) {
  Db db(file, DbMode::kUnchecked);
  Statement version = db.prepare("PRAGMA user_version");
  return version.step() ? static_cast<int>(version.integer(0)) : 0;
}

// All changes in the file itself, and no log beside it, which would be taken for that of the new catalog.
void settle(const fs::path& catalog) {
  Db old(catalog, DbMode::kUnchecked);
  old.run("PRAGMA journal_mode=DELETE");
}

void renew_catalog(const fs::path& dir, int version, const std::function<void(const std::string&)>& progress) {
  const fs::path catalog = dir / "catalog.db";
  settle(catalog);
  require_room(dir, 2 * fs::file_size(catalog), "the new catalog");
  const fs::path work = dir / fmt::format("{}{}", kMigratePrefix, ::getpid());
  discard(work);
  make_private_directory(work);
  migrate_catalog(catalog, version, work / "catalog.db", kFormatVersion, progress);
  for (const char* name : {"catalog.db", ""}) sync_path(work / name);
  fault_point("migrate.catalog_made");
  discard(fs::path(catalog) += "-shm");
  fs::rename(work / "catalog.db", catalog);
  sync_path(dir);
  fault_point("migrate.catalog_replaced");
  discard(work);
}

// So that a purge names them. One whose migration died before the marker was written counts as well.
void note_copies(const fs::path& dir, int version) {
  Store store(dir);
  const auto batch = store.write();
  const std::int64_t now = now_ms();
  std::set<std::string> noted;
  for (const RecordedBackup& backup : backups_with(batch->db(), 0)) noted.insert(backup.path);
  for (const fs::path& copy : copies_of(dir, version).there) {
    if (noted.contains(copy.string())) continue;
    const std::int64_t id = note_backup_begun(batch->db(), copy, now);
    note_backup_finished(batch->db(), id, Forgetting::next_text(store.facts()), now);
  }
  batch->commit();
}

// From which format the store is being migrated, while the marker is there.
int format_in(const fs::path& copy) {
  const std::string name = copy.filename().string();
  int version = 0;
  const std::size_t digit = name.find_first_of("0123456789");
  if (digit != std::string::npos) std::from_chars(name.data() + digit, name.data() + name.size(), version);
  return version;
}

// With the new format in place, nobody needs to be kept out any more.
void finish(const fs::path& dir) {
  note_copies(dir, format_in(read_store_file(dir / kMarker)));
  fault_point("migrate.copies_noted");
  discard(dir / kMarker);
  sync_path(dir);
}

}  // namespace

Migration migrate_store(const fs::path& dir, const std::function<void(const std::string&)>& progress) {
  check_private_directory(dir);
  auto alone = Lock::take(dir / "store.lock", LockMode::kExclusive, kWaitMs);
  if (!alone) {
    throw Error(Code::kBusy, "another process has the store open", "repeat the command when nothing else is running");
  }
  Migration result;
  result.from = format_of(dir);
  require_known(result.from);
  if (result.from != kFormatVersion) require_format_of_catalog(dir, result.from, kFormatVersion);
  discard_beginning(dir, {kMigratePrefix});
  if (result.from == kFormatVersion) {
    alone.reset();
    if (fs::exists(dir / kMarker)) finish(dir);
    return result;
  }
  if (progress) progress("copying the store");
  result.copy = keep_copy(dir, result.from);
  if (catalog_version(dir / "catalog.db") != kFormatVersion) renew_catalog(dir, result.from, progress);
  write_format(dir, kFormatVersion);
  fault_point("migrate.format_written");
  alone.reset();
  finish(dir);
  return result;
}

}  // namespace residue::storage
