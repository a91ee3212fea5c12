// A backup beside writers is whole; one that is killed leaves nothing behind.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/digest.h"
#include "base/error.h"
#include "storage/check.h"
#include "storage/disk/tar.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class Backup : public ::testing::Test {
 protected:
  Backup() {
    std::string name = (fs::temp_directory_path() / "residue-backup-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    Store::create(folder_);
  }
  ~Backup() override { fs::remove_all(folder_); }
  [[nodiscard]] fs::path dir() const { return folder_ / ".residue"; }

  fs::path folder_;
};

TEST_F(Backup, BesideWritersPassesCheck) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      Store store(dir());
      std::string recorded;
      for (int i = 0; i < 100'000; ++i) {
        const auto batch = store.write();
        const TextId text = batch->put_text(fmt::format("a text {} of its own", i), PrivacyClass::kOriginal);
        batch->db().run("INSERT OR IGNORE INTO dataset (id, name, created_at, content) VALUES (1, 'd', 0, x'')");
        batch->db()
            .prepare("INSERT INTO record (dataset_id, key, text_id) VALUES (1, ?1, ?2)")
            .run(fmt::format("k{}", i), text);
        if (i % 3 == 0) {  // an index file that is replaced all the time
          const std::string file = fmt::format("run1-{}.glass", i);
          std::ofstream(store.index_dir() / file) << i;
          batch->db().run(
              "INSERT OR IGNORE INTO run (id, dataset_id, name, kind, content, created_at) VALUES (1, 1, 'r', "
              "'aligned', x'', 0)");
          batch->db().run("DELETE FROM index_segment");
          batch->db()
              .prepare(
                  "INSERT INTO index_segment (run_id, analyzer, file, sha256, bytes, documents) VALUES (1, 'a', ?1, "
                  "?2, 1, 1)")
              .run(file, Statement::Blob{sha256(std::to_string(i))});
          recorded = file;
        }
        batch->commit();
        for (const auto& entry : fs::directory_iterator(store.index_dir())) {  // rows first, files second
          if (entry.path().filename() != recorded) fs::remove(entry.path());
        }
      }
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  OpenOptions patient;
  patient.lock_timeout_ms = 60'000;
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const fs::path file = folder_ / fmt::format("{}.tar", i), restored = folder_ / fmt::format("restored-{}", i);
    Store(dir(), patient).backup(file);
    fs::create_directory(restored);
    ASSERT_EQ(std::system(fmt::format("tar xf '{}' -C '{}'", file.string(), restored.string()).c_str()), 0);
    Store store(restored / ".residue");
    const CheckResult result = check_store(store);
    EXPECT_TRUE(result.problems.empty()) << result.problems.front();
    EXPECT_TRUE(result.derived_problems.empty()) << result.derived_problems.front();
    Store beside(dir(), patient);
    const CheckResult live = check_store(beside);
    EXPECT_TRUE(live.problems.empty()) << live.problems.front();
    EXPECT_TRUE(live.derived_problems.empty()) << live.derived_problems.front();
  }
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it was writing until then";
}

TEST_F(Backup, HasNoNameBeforeItIsComplete) {
  const fs::path folder = folder_ / "out";
  fs::create_directory(folder);
  std::ofstream(folder / "there.tar") << "somebody's";
  try {
    ASSERT_TRUE(write_tar_unseen(dir(), ".residue", folder / "there.tar")) << "this file system can do it";
    FAIL() << "written over";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
  }
  Store(dir()).backup(folder / "new.tar");
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) files += entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 2U) << "nothing is left over";
  EXPECT_EQ(fs::file_size(folder / "there.tar"), 10U);
}

TEST_F(Backup, PartsBesideTheStoreOfAKilledOneGoAtTheNextOpening) {
  const fs::path parts = folder_ / "monday.tar.parts", mine = folder_ / "mine";
  for (const fs::path& place : {parts, mine}) {
    fs::create_directory(place);
    std::ofstream(place / "catalog.db") << "originals";
  }
  fs::create_directory_symlink(parts, dir() / "backup-123-at");
  fs::create_directory_symlink(mine, dir() / "backup-124-at");
  { const Store store(dir()); }
  EXPECT_FALSE(fs::exists(parts));
  EXPECT_TRUE(fs::exists(mine / "catalog.db")) << "no backup is called like that";
  EXPECT_FALSE(fs::exists(fs::symlink_status(dir() / "backup-124-at")));
}

}  // namespace
}  // namespace residue::storage
