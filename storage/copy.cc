#include "storage/copy.h"

#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/sources/store_info.h"
#include "storage/check.h"
#include "storage/disk/files.h"

namespace residue::storage {
namespace fs = std::filesystem;
namespace {

bool copied(const fs::path& from, const fs::path& to, std::string_view digest) {
  try {
    copy_private_file(from, to);
    return has_sha256(to, digest);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return false;
  }
}

// An index is derived: one that was replaced meanwhile, or is damaged, is built again where the copy is used.
void copy_indexes(const fs::path& from, const fs::path& to, Db& copy) {
  make_private_directory(to);
  std::vector<std::int64_t> missing;
  Statement segments = copy.prepare(sql::kIndexSegmentFilesWithDigest);
  while (segments.step()) {
    const std::string name(segments.text(1));
    if (copied(from / name, to / name, segments.text(2))) continue;
    missing.push_back(segments.integer(0));
    std::error_code ignored;
    fs::remove(to / name, ignored);
  }
  Statement forget = copy.prepare(sql::kDeleteIndexSegmentById);
  for (const std::int64_t id : missing) forget.run(id);
}

}  // namespace

void finish_copy(const Store& store, const fs::path& fresh, const std::string& key, const std::string& uuid) {
  Db copy(fresh / "catalog.db", DbMode::kReadWrite);
  copy_indexes(store.index_dir(), fresh / "index", copy);
  Statement find = copy.prepare(sql::kStoreInfoCommits);
  find.step();
  Commits commits{static_cast<std::uint64_t>(find.integer(0)), static_cast<std::uint64_t>(find.integer(1))};
  find.reset();
  {
    // The copy of facts/ may have seen commits of the catalog that its copy has not.
    Facts facts(fresh / "facts", key, uuid);
    const auto writer = facts.write();
    commits.facts = writer->follow(commits.catalog).own;
    writer->commit();
  }
  std::error_code ignored;
  fs::remove(fresh / "facts" / "lock.mdb", ignored);
  CommitsFile(fresh, uuid).write(commits);
  copy.run("PRAGMA journal_mode=WAL");
}

void add_empty_log(const fs::path& fresh) {
  std::error_code ignored;
  for (const char* name : {"catalog.db-wal", "catalog.db-shm"}) fs::remove(fresh / name, ignored);
  write_new_file(fresh / "catalog.db-wal", "");
}

}  // namespace residue::storage
