// Who changes the catalog or its log holds the writer's lock: of SQLite before 3.51.3 a commit beside a checkpoint can
// damage the catalog, and our own lock is what keeps them apart. Read from the log of all changes and locks.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <iostream>
#include <map>

#include "tests/crash/power.h"
#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

TEST(Locks, WhoeverChangesTheCatalogHoldsTheWritersLock) {
  const Scratch scratch;
  const fs::path log = scratch.path() / "log";
  const Workload job(scratch.path(), log);
  std::map<std::uint64_t, std::string> files;  // by inode
  bool alone = false, only_one = false, named = false;
  std::size_t changes = 0;
  for (const Event& event : read_log(log, scratch.path() / "whole")) {
    if (event.kind == 'C') files[event.inode] = event.path;
    if (event.kind == 'R' && event.bytes == ".residue") named = true;  // before that, nobody else knows of it
    if (event.kind == 'L' && event.path == ".residue/writer.lock") alone = event.lock == LOCK_EX;
    // Everybody who has the store open holds this one, shared: gc takes it alone before it writes the files anew.
    if (event.kind == 'L' && event.path == ".residue/store.lock") only_one = event.lock == LOCK_EX;
    if (!named || (event.kind != 'W' && event.kind != 'T')) continue;
    const std::string file = fs::path(files[event.inode]).filename().string();
    const bool compacting = files[event.inode].find("backup-") != std::string::npos;
    if (compacting || (file != "catalog.db" && file != "catalog.db-wal")) continue;
    ++changes;
    ASSERT_TRUE(alone || only_one) << "change " << changes << " of " << file;
  }
  EXPECT_GT(changes, 200U);
  std::cout << fmt::format("{} changes of the catalog and its log\n", changes);
}

}  // namespace
}  // namespace residue::crash
