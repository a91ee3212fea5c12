#include "storage/migrate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "storage/catalog/migration.h"
#include "storage/catalog/sqlite.h"
#include "storage/commits.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/format_file.h"
#include "storage/disk/lock.h"
#include "storage/disk/tar.h"
#include "storage/store.h"

namespace residue::storage {
namespace fs = std::filesystem;
namespace {

constexpr int kWaitMs = 5'000;
constexpr const char* kMarker = "migrating";  // a file that names the copy, from when that is complete

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

// A name that nothing has yet.
fs::path copy_name(const fs::path& dir, int version) {
  const fs::path parent = fs::absolute(dir).lexically_normal().parent_path();
  for (int n = 1;; ++n) {
    const std::string end = n == 1 ? "" : fmt::format("-{}", n);
    fs::path file = parent / fmt::format("residue-format-{}{}.tar", version, end);
    if (!fs::exists(file)) return file;
  }
}

fs::path keep_copy(const fs::path& dir, int version) {
  if (fs::exists(dir / kMarker)) return read_small_file(dir / kMarker);  // an earlier call came this far
  const fs::path file = copy_name(dir, version);
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

}  // namespace

Migration migrate_store(const fs::path& dir, const std::function<void(const std::string&)>& progress) {
  check_private_directory(dir);
  const auto alone = Lock::take(dir / "store.lock", LockMode::kExclusive, kWaitMs);
  if (!alone) {
    throw Error(Code::kBusy, "another process has the store open", "repeat the command when nothing else is running");
  }
  Migration result;
  result.from = format_of(dir);
  require_known(result.from);
  discard_beginning(dir, {kMigratePrefix});
  if (result.from == kFormatVersion) {
    discard(dir / kMarker);
    return result;
  }
  if (progress) progress("copying the store");
  result.copy = keep_copy(dir, result.from);
  if (catalog_version(dir / "catalog.db") != kFormatVersion) renew_catalog(dir, result.from, progress);
  write_format(dir, kFormatVersion);
  fault_point("migrate.format_written");
  discard(dir / kMarker);
  sync_path(dir);
  return result;
}

}  // namespace residue::storage
