// Lost and old parts of a store are noticed; beside writers there is no false alarm.
#include "storage/commits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "storage/check.h"
#include "storage/disk/files.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class LostCommits : public ::testing::Test {
 protected:
  LostCommits() {
    std::string name = (fs::temp_directory_path() / "residue-commits-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    Store::create(folder_);
    batch(1);
  }
  ~LostCommits() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path dir() const { return folder_ / ".residue"; }

  void batch(int number, bool texts = true) {
    Store store(dir());
    const auto batch = store.write();
    if (texts) (void)batch->put_text(fmt::format("text {}", number), PrivacyClass::kOriginal);
    batch->db()
        .prepare("INSERT INTO dataset (name, content, created_at) VALUES (?1, zeroblob(16), 1)")
        .run(fmt::format("d{}", number));
    batch->commit();
  }

  void keep(const char* part) const {
    fs::remove_all(folder_ / "kept");
    fs::create_directory(folder_ / "kept");
    fs::copy(dir() / part, folder_ / "kept" / part, fs::copy_options::recursive);
  }
  void put_back(const char* part) const {
    fs::remove_all(dir() / part);
    fs::copy(folder_ / "kept" / part, dir() / part, fs::copy_options::recursive);
  }
  void settle() const {
    Db db(dir() / "catalog.db", DbMode::kReadWrite);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  // What opening says; empty: it opens.
  [[nodiscard]] std::string said() const {
    try {
      const Store store(dir());
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt) << error.what();
      EXPECT_NE(error.hint().find("backup"), std::string::npos);
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(LostCommits, OfALogThatIsGoneAreSaid) {
  settle();
  batch(2, false);
  batch(3, false);
  ASSERT_GT(fs::file_size(dir() / "catalog.db-wal"), 0U);
  fs::resize_file(dir() / "catalog.db-wal", 0);
  EXPECT_EQ(said(), "the catalog has lost its newest 2 of 4 commits");
  EXPECT_NE(said(), "") << "again, too";
}

TEST_F(LostCommits, OfAnOlderCatalogBesideNewerFactsAreSaid) {
  settle();
  keep("catalog.db");
  batch(2);
  batch(3);
  settle();
  put_back("catalog.db");
  fs::remove(dir() / "commits");
  EXPECT_EQ(said(), "catalog.db is older than facts/: it has lost 1 commits");
}

// The log has the newest count of commits; the pages that it does not have come from the older file.
TEST_F(LostCommits, OfAnOlderCatalogBesideItsNewerLogAreSaid) {
  settle();
  keep("catalog.db");
  batch(2);
  settle();
  batch(3);
  ASSERT_GT(fs::file_size(dir() / "catalog.db-wal"), 0U);
  EXPECT_EQ(said(), "");
  put_back("catalog.db");
  EXPECT_EQ(said(), "catalog.db is older than its log, catalog.db-wal: it has lost commits");
  EXPECT_NE(said(), "") << "again, too";
}

// Not repaired either: what stands in it is nothing that this store ever had.
TEST_F(LostCommits, AnotherStoresCatalogBesideThisOnesLogIsSaid) {
  const fs::path other = folder_ / "other";
  Store::create(other);
  for (int i = 0; i < 9; ++i) {  // so that its counter of changes is ahead
    Db db(other / ".residue" / "catalog.db", DbMode::kReadWrite);
    db.run("PRAGMA user_version=5; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  settle();
  batch(2);
  ASSERT_GT(fs::file_size(dir() / "catalog.db-wal"), 0U);
  EXPECT_EQ(said(), "");
  keep("catalog.db");
  fs::copy(other / ".residue" / "catalog.db", dir() / "catalog.db", fs::copy_options::overwrite_existing);
  EXPECT_EQ(said(),
            "catalog.db is of another store; its log, catalog.db-wal, and facts/ are of this one: nothing was changed");
  OpenOptions repairing;
  repairing.with_losses = true;
  EXPECT_THROW(Store(dir(), repairing), Error);
  put_back("catalog.db");
  EXPECT_EQ(said(), "");
}

// The foreign catalog fits its own log, but not the facts/ that are here.
TEST_F(LostCommits, AnotherStoresCatalogAndLogAreSaid) {
  const fs::path other = folder_ / "other";
  Store::create(other);
  batch(2);
  for (const char* part : {"catalog.db", "catalog.db-wal"}) {
    fs::remove(dir() / part);
    if (fs::exists(other / ".residue" / part)) fs::copy(other / ".residue" / part, dir() / part);
  }
  EXPECT_NE(said(), "");
}

TEST_F(LostCommits, AFileThatIsAheadOfItsLogIsNoAlarm) {
  for (int i = 2; i < 30; ++i) {
    batch(i, i % 2 == 0);
    if (i % 3 == 0) settle();
    if (i % 7 == 0) Store(dir()).collect_garbage({0, {}});
    ASSERT_EQ(said(), "") << i;
  }
}

TEST_F(LostCommits, OfOlderFactsBesideANewerCatalogAreSaid) {
  keep("facts");
  batch(2);
  put_back("facts");
  fs::remove(dir() / "commits");
  EXPECT_EQ(said(), "facts/ is older than catalog.db: it has lost 1 commits of texts and answers");
}

TEST_F(LostCommits, OfAnswersAloneAreSaid) {
  keep("facts");
  {
    Store store(dir());
    const auto batch = store.write();
    batch->facts().put_answer(VoteKey(std::string(32, 'v')), 1, "an answer");
    batch->commit();
  }
  put_back("facts");
  EXPECT_EQ(said(), "facts/ is older than what was acknowledged: it has lost 1 commits of texts and answers");
}

TEST_F(LostCommits, CanBeAccepted) {
  settle();
  keep("catalog.db");
  batch(2);
  batch(3);
  settle();
  put_back("catalog.db");
  ASSERT_NE(said(), "");
  {
    OpenOptions options;
    options.with_losses = true;
    Store store(dir(), options);
    EXPECT_NE(store.lost(), "");
    store.accept_losses();
    EXPECT_EQ(store.lost(), "");
  }
  EXPECT_EQ(said(), "");
  batch(4);
  EXPECT_EQ(said(), "");
}

TEST_F(LostCommits, ASlotThatWasBeingWrittenIsNoAlarm) {
  batch(2);
  const std::string whole = read_small_file(dir() / "commits");
  ASSERT_EQ(whole.size(), 64U);
  for (const std::size_t byte : {3U, 12U, 40U, 60U}) {
    std::string torn = whole;
    torn[byte] ^= 4;
    fs::remove(dir() / "commits");
    write_new_file(dir() / "commits", torn);
    EXPECT_EQ(said(), "") << byte;
  }
  fs::remove(dir() / "commits");
  EXPECT_EQ(said(), "") << "a power cut may take it";
  batch(3);
  EXPECT_EQ(fs::file_size(dir() / "commits"), 64U) << "the next commit makes it again";
}

TEST_F(LostCommits, AreNotSeenBesideWriters) {
  const fs::path dir_of_writer = dir();
  // A process of its own: one may open the facts once.
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      Store store(dir_of_writer);
      for (int i = 0; i < 100'000; ++i) {
        const auto batch = store.write();
        if (i % 3 != 0) (void)batch->put_text(fmt::format("w {}", i), PrivacyClass::kOriginal);
        if (i % 3 != 1) batch->db().run("UPDATE dataset SET created_at = created_at + 1");
        batch->commit();
      }
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  for (int i = 0; i < 200; ++i) ASSERT_EQ(said(), "") << i;
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it was writing until then";
  EXPECT_EQ(said(), "");
}

TEST_F(LostCommits, ABackupOpensCleanly) {
  batch(2);
  Store(dir()).backup(folder_ / "b.tar");
  batch(3);
  fs::create_directory(folder_ / "restored");
  ASSERT_EQ(std::system(
                ("tar xf '" + (folder_ / "b.tar").string() + "' -C '" + (folder_ / "restored").string() + "'").c_str()),
            0);
  Store restored(folder_ / "restored" / ".residue");
  EXPECT_TRUE(check_store(restored).problems.empty());
}

}  // namespace
}  // namespace residue::storage
