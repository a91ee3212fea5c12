// Garbage and backups: the only operations that look at everything.
#include <unistd.h>

#include <set>
#include <system_error>
#include <unordered_set>

#include "storage/fault.h"
#include "storage/files.h"
#include "storage/references.h"
#include "storage/store.h"
#include "storage/tar.h"
#include "storage/vectors.h"

namespace residue::storage {
namespace fs = std::filesystem;

namespace {

constexpr int kGcWaitMs = 5'000;

void drop_orphaned_judgments(Db& db, const std::unordered_set<std::int64_t>& keep) {
  std::vector<std::array<std::int64_t, 3>> gone;
  Statement all = db.prepare("SELECT judge_id, passage_id, claim_id FROM judgment");
  while (all.step()) {
    if (keep.count(all.integer(1)) == 0 || keep.count(all.integer(2)) == 0) {
      gone.push_back({all.integer(0), all.integer(1), all.integer(2)});
    }
  }
  Statement erase = db.prepare("DELETE FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3");
  for (const auto& row : gone) erase.run(row[0], row[1], row[2]);
}

// Vectors of replaced rows, of texts that went, and of batches that the catalog did not follow.
std::vector<VectorId> unnamed_vectors(Db& db, const Facts::Reader& facts) {
  const std::vector<VectorId> named = named_vectors(db);
  std::vector<VectorId> unnamed;
  facts.each_vector([&](VectorId id) {
    if (!std::binary_search(named.begin(), named.end(), id)) unnamed.push_back(id);
  });
  return unnamed;
}

}  // namespace

Store::GcResult Store::collect_garbage() {
  GcResult result;
  const std::uint64_t before = directory_bytes(dir_);
  const auto snap = Lock::take(dir_ / "snapshot.lock", LockMode::kExclusive, kGcWaitMs, [&] {
    if (options_.waiting) options_.waiting("readers and writers of the store");
  });
  if (!snap) throw Error(Code::kBusy, "the store is in use", "run 'residue gc' when nothing else is running");
  const auto writer = Lock::take(dir_ / "writer.lock", LockMode::kExclusive, kGcWaitMs);
  if (!writer) throw Error(Code::kBusy, "another process is writing", "run 'residue gc' when nothing else is running");

  db_->run("BEGIN IMMEDIATE");
  std::vector<TextId> garbage;
  std::vector<VectorId> old_vectors;
  try {
    std::unordered_set<std::int64_t> keep = referenced_texts(*db_);
    const auto reader = facts_->read();
    std::vector<std::int64_t> references;  // Originals that kept frames are compressed against.
    reader->each([&](TextId id, TextId reference) {
      if (reference.value != 0 && keep.count(id.value) != 0) references.push_back(reference.value);
    });
    std::unordered_set<std::int64_t> stored = keep;
    stored.insert(references.begin(), references.end());
    drop_orphaned_judgments(*db_, stored);
    drop_orphaned_vectors(*db_, keep);
    old_vectors = unnamed_vectors(*db_, *reader);
    reader->each([&](TextId id, TextId) {
      if (stored.count(id.value) == 0) garbage.push_back(id);
    });
    db_->run("COMMIT");  // Rows first here: a judgment must never outlive its texts.
  } catch (...) {
    db_->run("ROLLBACK");
    throw;
  }
  fault_point("gc.before_facts");
  result.vectors = old_vectors.size();
  if (!garbage.empty() || !old_vectors.empty()) {
    const auto facts = facts_->write();
    for (const VectorId id : old_vectors) facts->erase_vector(id);
    // Newest first: a text is compressed against an older one, and must be decoded to be erased.
    std::sort(garbage.begin(), garbage.end());
    for (auto id = garbage.rbegin(); id != garbage.rend(); ++id) result.texts += facts->erase(*id) ? 1 : 0;
    facts->commit();
  }
  fault_point("gc.after_facts");
  std::set<std::string> recorded;
  Statement segments = db_->prepare("SELECT file FROM index_segment");
  while (segments.step()) recorded.emplace(segments.text(0));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(index_dir(), error)) {
    if (recorded.count(entry.path().filename().string()) != 0) continue;
    fs::remove_all(entry.path(), error);
    ++result.index_files;
  }
  sync_path(index_dir());

  // Freed pages are given back to the disk only when nobody else has the store open.
  if (shared_.try_upgrade()) {
    db_->run("VACUUM");
    db_->run("PRAGMA wal_checkpoint(TRUNCATE)");
    const fs::path fresh = dir_ / fmt::format("{}{}", kCompactPrefix, ::getpid());
    fs::remove_all(fresh, error);
    make_private_directory(fresh);
    facts_->backup(fresh);
    facts_.reset();
    fault_point("gc.before_compact_rename");
    fs::rename(fresh / "data.mdb", dir_ / "facts" / "data.mdb");
    sync_path(dir_ / "facts");
    fault_point("gc.compacted");
    fs::remove_all(fresh, error);
    facts_ = std::make_unique<Facts>(dir_ / "facts", key_, uuid_);
    shared_.downgrade();
  }
  const std::uint64_t after = directory_bytes(dir_);
  result.bytes = before > after ? before - after : 0;
  return result;
}

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
  const fs::path fresh = dir_ / fmt::format("{}{}", kBackupPrefix, ::getpid());
  std::error_code error;
  fs::remove_all(fresh, error);
  make_private_directory(fresh);
  struct Cleanup {
    const fs::path& dir;
    ~Cleanup() {
      std::error_code ignored;
      fs::remove_all(dir, ignored);
    }
  } const cleanup{fresh};

  // Catalog first, facts second: every row of the older catalog finds its text in the newer facts.
  Statement vacuum = db_->prepare("VACUUM INTO ?1");
  vacuum.run((fresh / "catalog.db").string());
  make_private_directory(fresh / "facts");
  facts_->backup(fresh / "facts");
  make_private_directory(fresh / "index");
  Db copy(fresh / "catalog.db", DbMode::kReadWrite);
  Statement segments = copy.prepare("SELECT file FROM index_segment");
  while (segments.step()) {
    const std::string name(segments.text(0));
    fs::copy_file(index_dir() / name, fresh / "index" / name, error);
    // An index is derived: one that has been replaced meanwhile is built again.
    if (error && error != std::errc::no_such_file_or_directory) {
      throw Error(Code::kIo, fmt::format("cannot copy index file {}: {}", name, error.message()));
    }
    error.clear();
  }
  fs::copy_file(dir_ / "key", fresh / "key");
  fs::copy_file(dir_ / "config.toml", fresh / "config.toml");
  write_new_file(fresh / "format", read_small_file(dir_ / "format"));
  copy.run("PRAGMA journal_mode=WAL");
  const fs::path partial = fs::path(fs::absolute(file)) += ".partial";
  fs::remove(partial, error);
  write_tar(fresh, ".residue", partial);
  fs::rename(partial, file);
  sync_path(parent);
}

}  // namespace residue::storage
