// Garbage and backups: the only operations that look at everything.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "storage/catalog/answers/claim_request.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/request.h"
#include "storage/catalog/references.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "storage/disk/tar.h"
#include "storage/store.h"
#include "storage/vectors.h"

namespace residue::storage {
namespace fs = std::filesystem;

namespace {

constexpr int kGcWaitMs = 5'000;
constexpr std::size_t kSmallestStep = 8;  // texts of one transaction

void drop_orphaned_judgments(Db& db, const std::unordered_set<std::int64_t>& keep) {
  std::vector<std::array<std::int64_t, 3>> gone;
  Statement all = db.prepare(sql::kJudgmentPairsOfAll);
  while (all.step()) {
    if (keep.count(all.integer(1)) == 0 || keep.count(all.integer(2)) == 0) {
      gone.push_back({all.integer(0), all.integer(1), all.integer(2)});
    }
  }
  Statement erase = db.prepare(sql::kDeleteJudgmentsOfPair);
  for (const auto& row : gone) erase.run(row[0], row[1], row[2]);
}

// Requests that led to no judgment are cut anew when they are needed; those of judgments keep their claims.
void drop_unused_requests(Db& db) {
  db.prepare(sql::kDeleteClaimRequestsUnjudged).run();
  db.prepare(sql::kDeleteRequestsUnjudged).run();
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

// All in one transaction; where the disk has no room for that, in steps: small ones need few new pages, and each gives
// its own to the next but one.
template <class Id, class Erase>
void erase_in_steps(Facts& facts, std::span<const Id> ids, std::uint64_t& erased, const Erase& erase) {
  for (std::size_t step = ids.size(); !ids.empty();) {
    try {
      const auto writer = facts.write();
      std::uint64_t done = 0;
      for (const Id id : ids.first(std::min(step, ids.size()))) done += erase(*writer, id) ? 1 : 0;
      writer->commit();
      erased += done;
      ids = ids.subspan(std::min(step, ids.size()));
    } catch (const Error& error) {
      if (error.code() != Code::kTryAgain || step <= kSmallestStep) throw;
      step /= 8;
    }
  }
}

// Removes a file or directory at the end, whatever happens. What a killed command left under its name is in its way.
struct Cleanup {
  explicit Cleanup(fs::path file) : path(std::move(file)) { remove(); }
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() { remove(); }
  void remove() const {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  const fs::path path;
};

}  // namespace

Store::GcResult Store::collect_garbage() {
  require_writable();
  GcResult result;
  const std::uint64_t before = directory_bytes(dir_);
  const auto snap = Lock::take(dir_ / "snapshot.lock", LockMode::kExclusive, kGcWaitMs, [&] {
    if (options_.waiting) options_.waiting("readers and writers of the store");
  });
  if (!snap) throw Error(Code::kBusy, "the store is in use", "run 'residue gc' when nothing else is running");
  const auto writer = Lock::take(dir_ / "writer.lock", LockMode::kExclusive, kGcWaitMs);
  if (!writer) throw Error(Code::kBusy, "another process is writing", "run 'residue gc' when nothing else is running");

  remove_unrecorded_indexes(result);  // First what needs no room on the disk.
  checkpoint();
  try {
    drop_garbage(result);
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain) throw;
    checkpoint();
    throw Error(Code::kTryAgain,
                fmt::format("the disk of the store is full: {} texts and {} index files were removed, not all",
                            result.texts, result.index_files),
                "free some space on it and repeat the command: deleting needs a little room before it gives some");
  }
  // Freed pages are given back to the disk only when nobody else has the store open.
  if (!mutant("gc-keeps-pages") && shared_.try_upgrade()) {
    compact(result);
    shared_.downgrade();
  }
  const std::uint64_t after = directory_bytes(dir_);
  result.bytes = before > after ? before - after : 0;
  return result;
}

void Store::remove_unrecorded_indexes(GcResult& result) {
  std::set<std::string> recorded;
  Statement segments = db_->prepare(sql::kIndexSegmentFiles);
  while (segments.step()) recorded.emplace(segments.text(0));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(index_dir(), error)) {
    if (recorded.count(entry.path().filename().string()) != 0) continue;
    fs::remove_all(entry.path(), error);
    ++result.index_files;
  }
  sync_path(index_dir());
}

void Store::drop_garbage(GcResult& result) {
  db_->run("BEGIN IMMEDIATE");
  std::vector<TextId> garbage;
  std::vector<VectorId> old_vectors;
  try {
    drop_unused_requests(*db_);
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
    if (db_->in_transaction()) db_->run("ROLLBACK");
    throw;
  }
  fault_point("gc.before_facts");
  // Newest first: a text is compressed against an older one, and must be decoded to be erased.
  std::sort(garbage.rbegin(), garbage.rend());
  erase_in_steps<TextId>(*facts_, garbage, result.texts, [](auto& facts, TextId id) { return facts.erase(id); });
  erase_in_steps<VectorId>(*facts_, old_vectors, result.vectors,
                           [](auto& facts, VectorId id) { return facts.erase_vector(id); });
  fault_point("gc.after_facts");
}

void Store::compact(GcResult& result) {
  const bool copied_rows = vacuum();
  const bool copied_texts = compact_facts();
  if ((copied_rows || (copied_texts && vacuum())) && copied_texts) return;
  result.lacking_bytes =
      std::max<std::uint64_t>(1, copied_texts ? fs::file_size(dir_ / "catalog.db") : facts_->info().file_bytes);
}

// False: the disk has no room for it.
bool Store::vacuum() {
  bool done = true;
  try {
    db_->run("VACUUM");
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain) throw;
    done = false;
  }
  checkpoint();
  return done;
}

bool Store::compact_facts() {
  const fs::path fresh = dir_ / fmt::format("{}{}", kCompactPrefix, ::getpid());
  std::error_code error;
  fs::remove_all(fresh, error);
  try {
    make_private_directory(fresh);
    facts_->backup(fresh);
  } catch (const Error& failed) {
    fs::remove_all(fresh, error);
    if (failed.code() != Code::kTryAgain) throw;
    return false;
  }
  facts_.reset();
  fault_point("gc.before_compact_rename");
  fs::rename(fresh / "data.mdb", dir_ / "facts" / "data.mdb");
  if (!mutant("compacted-name-unsynced")) sync_path(dir_ / "facts");
  fault_point("gc.compacted");
  fs::remove_all(fresh, error);
  facts_ = std::make_unique<Facts>(dir_ / "facts", key_, uuid_);
  return true;
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
  std::error_code error;
  const std::uint64_t bytes = directory_bytes(dir_);
  const auto here = fs::space(dir_, error);
  const bool room = writable_ && !error && here.available > bytes + bytes / 8;
  const fs::path beside = fs::path(fs::absolute(file)) += ".parts";
  if (!room && fs::exists(beside)) {
    throw Error(Code::kUsage, fmt::format("{} exists already", beside.string()),
                "remove it if a backup that was killed left it, or name another file");
  }
  const Cleanup fresh{room ? dir_ / fmt::format("{}{}", kBackupPrefix, ::getpid()) : beside};
  const Cleanup partial{mutant("backup-in-place") ? fs::absolute(file) : fs::path(fs::absolute(file)) += ".partial"};
  try {
    make_private_directory(fresh.path);
    gather(fresh.path);
    write_tar(fresh.path, ".residue", partial.path);
  } catch (const Error& failed) {
    if (failed.code() != Code::kTryAgain) throw;
    throw Error(Code::kTryAgain, fmt::format("no room on the disk for the backup {}", file.string()),
                fmt::format("it needs {} MiB, and while it is made as much again: free some space or name a file on "
                            "another disk, and repeat the command",
                            (bytes >> 20U) + 1));
  }
  fs::rename(partial.path, file, error);
  if (error) {
    throw Error(Code::kIo, fmt::format("cannot write {}: {}", file.string(), error.message()),
                "check the path and its permissions");
  }
  sync_path(parent);
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
  make_private_directory(fresh / "index");
  Db copy(fresh / "catalog.db", DbMode::kReadWrite);
  Statement segments = copy.prepare(sql::kIndexSegmentFiles);
  while (segments.step()) {
    const std::string name(segments.text(0));
    try {
      copy_private_file(index_dir() / name, fresh / "index" / name);
    } catch (const Error& error) {  // An index is derived: one that has been replaced meanwhile is built again.
      if (error.code() != Code::kNotFound) throw;
    }
  }
  copy_private_file(dir_ / "key", fresh / "key");
  copy_private_file(dir_ / "config.toml", fresh / "config.toml");
  for (const char* lock : {"store.lock", "writer.lock", "snapshot.lock"}) write_new_file(fresh / lock, "");
  write_new_file(fresh / "format", read_small_file(dir_ / "format"));
  copy.run("PRAGMA journal_mode=WAL");
}

}  // namespace residue::storage
