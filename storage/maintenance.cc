// Backups: a consistent copy of everything.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/sources/backup.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/copy.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/leftovers.h"
#include "storage/disk/mutant.h"
#include "storage/disk/tar.h"
#include "storage/erase/backups.h"
#include "storage/facts/forgetting.h"
#include "storage/store.h"

namespace residue::storage {
namespace fs = std::filesystem;

namespace {

// Removes a file or directory at the end, whatever happens. What a killed command left under its name is in its way.
struct Cleanup {
  explicit Cleanup(fs::path file) : path(std::move(file)) { discard(path); }
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() { discard(path); }
  const fs::path path;
  const Leftover leftover{path};  // where it is a file
};

}  // namespace

void Store::backup(const fs::path& file) {
  if (fs::exists(file)) {
    throw Error(Code::kUsage, fmt::format("{} exists already", file.string()), "name a file that does not exist yet");
  }
  const auto snap = Lock::take(dir_ / "snapshot.lock", LockMode::kShared, options_.lock_timeout_ms);
  if (!snap) throw Error(Code::kBusy, "garbage is being removed by another process", "try again later");
  const fs::path parent = fs::absolute(file).parent_path();
  if (!fs::is_directory(parent)) {
    throw Error(Code::kNotFound, fmt::format("there is no directory {}", parent.string()),
                "make it, or name another file");
  }
  std::error_code error;
  const std::uint64_t bytes = directory_bytes(dir_);
  const auto here = fs::space(dir_, error);
  const bool room = writable_ && !error && here.available > bytes + bytes / 8;
  const fs::path beside = parts_of(file);
  if (!room && fs::exists(beside)) {
    throw Error(Code::kUsage, fmt::format("{} exists already", beside.string()),
                "if a killed backup left it, remove it; otherwise name another file");
  }
  const Cleanup fresh{room ? dir_ / fmt::format("{}{}", kBackupPrefix, ::getpid()) : beside};
  // What is not in the store is named there, for the next opening to remove if this is killed.
  const Cleanup pointer{dir_ / fmt::format("{}{}-at", kBackupPrefix, ::getpid())};
  if (!room && writable_) fs::create_directory_symlink(beside, pointer.path, error);
  const Cleanup partial{mutant("backup-in-place") ? fs::absolute(file) : partial_of(file)};
  const std::optional<std::int64_t> noted = note_backup(file);
  bool written = false;
  try {
    make_private_directory(fresh.path);
    gather(fresh.path);
    written = !mutant("backup-in-place") && write_tar_unseen(fresh.path, ".residue", file);
    if (!written) write_tar(fresh.path, ".residue", partial.path);
  } catch (const Error& failed) {
    if (failed.code() != Code::kTryAgain) throw;
    throw Error(Code::kTryAgain, fmt::format("no room on the disk for the backup {}", file.string()),
                fmt::format("it needs {} MiB, and while it is made as much again: free some space or name a file on "
                            "another disk, and repeat the command",
                            (bytes >> 20U) + 1));
  }
  if (!written) fs::rename(partial.path, file, error);
  if (error && !written) {
    throw Error(Code::kIo, fmt::format("cannot write {}: {}", file.string(), error.message()),
                "check the path and its permissions");
  }
  sync_path(parent);
  if (!noted) return;
  try {
    const auto batch = write();
    note_backup_finished(batch->db(), *noted, Forgetting::next_text(*facts_), now_ms());
    batch->commit();
  } catch (const Error& failed) {  // The backup is there: gc makes up for the note.
    if (failed.code() != Code::kTryAgain && failed.code() != Code::kBusy) throw;
  }
}

// So that a purge can name it. Where nothing can be written, or there is no room for it, the backup is made all the
// same.
std::optional<std::int64_t> Store::note_backup(const fs::path& file) {
  const auto untold = [&](const char* why) {
    tell(fmt::format("{}: residue purge will not name this backup", why));
    return std::nullopt;
  };
  if (!writable_) return untold("the store cannot be written");
  try {
    const auto batch = write();
    const std::int64_t id = note_backup_begun(batch->db(), file, now_ms());
    batch->commit();
    return id;
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain && error.code() != Code::kBusy) throw;
    return untold("it cannot be noted in the store");
  }
}

// Everything of the tar file, in the new directory `fresh`.
void Store::gather(const fs::path& fresh) {
  // Catalog first, facts second: every row of the older catalog finds its text in the newer facts.
  const bool swapped = mutant("backup-facts-first");
  if (swapped) make_private_directory(fresh / "facts"), facts_->backup(fresh / "facts");
  Statement vacuum = db_->prepare("VACUUM INTO ?1");
  vacuum.run((fresh / "catalog.db").string());
  if (!swapped) {
    make_private_directory(fresh / "facts");
    facts_->backup(fresh / "facts");
  }
  {
    Db copy(fresh / "catalog.db", DbMode::kReadWrite);
    copy.prepare(sql::kUpdateBackupsFinished).run(now_ms());  // this one
    copy.prepare(sql::kDeleteStoreInfoFileChanges).run();
  }
  finish_copy(*this, fresh, key_, uuid_);
  add_empty_log(fresh);
  copy_private_file(dir_ / "key", fresh / "key");
  copy_private_file(dir_ / "config.toml", fresh / "config.toml");
  for (const char* lock : {"store.lock", "writer.lock", "snapshot.lock"}) write_new_file(fresh / lock, "");
  write_new_file(fresh / "format", read_store_file(dir_ / "format"));
}

}  // namespace residue::storage
