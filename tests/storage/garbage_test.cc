// gc claims nothing that it has not done, and finds what killed commands left.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "storage/disk/lock.h"
#include "storage/erase/backups.h"
#include "storage/store.h"
#include "tests/storage/lock_file_holder.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class Garbage : public ::testing::Test {
 protected:
  Garbage() {
    std::string name = (fs::temp_directory_path() / "residue-garbage-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
    open();
  }
  ~Garbage() override {
    store_.reset();
    fs::remove_all(dir_);
  }
  void open() { store_ = std::make_unique<Store>(dir_ / ".residue"); }
  std::int64_t number(const char* sql) {
    Statement row = store_->db().prepare(sql);
    return row.step() ? row.integer(0) : -1;
  }
  void begin_erasure() {
    const auto batch = store_->write();
    batch->db().run("INSERT INTO erasure (target, begun_at) VALUES (x'01', 1)");
    batch->commit();
  }

  fs::path dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(Garbage, IsNotAllGoneWhileAnotherProcessHasTheStoreOpen) {
  {
    const auto batch = store_->write();
    (void)batch->put_text("nobody names this", PrivacyClass::kOriginal);
    batch->commit();
  }
  begin_erasure();
  {
    const auto other = Lock::take(dir_ / ".residue" / "store.lock", LockMode::kShared, 0);
    ASSERT_TRUE(other);
    const Store::GcResult gone = store_->collect_garbage({50, {}});
    EXPECT_EQ(gone.texts, 1U);
    ASSERT_EQ(gone.left.size(), 1U);
    EXPECT_NE(gone.left[0].find("another process"), std::string::npos);
    EXPECT_EQ(number("SELECT count(*) FROM erasure"), 1) << "the purge has not come to its end";
  }
  EXPECT_TRUE(store_->collect_garbage({50, {}}).left.empty());
  EXPECT_EQ(number("SELECT count(*) FROM erasure"), 0);
}

// A process that is being killed closes store.lock first and lets go of the engine's own lock later. Who counts that
// one as a reader would go on with the numbers of the file that was replaced.
TEST_F(Garbage, IsCollectedAsIfADyingProcessWereGone) {
  const testing::LockFileHolder dying(dir_ / ".residue/facts");
  std::vector<TextId> kept;
  for (int round = 0; round < 6; ++round) {
    SCOPED_TRACE(round);
    for (int i = 0; i <= round; ++i) {
      const auto batch = store_->write();
      kept.push_back(batch->put_text("text " + std::to_string(kept.size()), PrivacyClass::kOriginal));
      if (kept.size() == 1) {
        batch->db().run("INSERT INTO dataset (id, name, content, created_at) VALUES (1, 'd', zeroblob(16), 1)");
      }
      Statement row = batch->db().prepare("INSERT INTO record (dataset_id, key, text_id) VALUES (1, ?1, ?2)");
      row.run(std::to_string(kept.size()), kept.back().value);
      batch->commit();
    }
    EXPECT_TRUE(store_->collect_garbage({0, {}}).left.empty());
    store_.reset();
    ASSERT_NO_THROW(open());
    const auto texts = store_->facts().read();
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(texts->text(kept[i]), "text " + std::to_string(i));
  }
}

TEST_F(Garbage, IsWhatABackupThatWasKilledLeft) {
  const fs::path file = dir_ / "monday.tar";
  {
    const auto batch = store_->write();
    (void)note_backup_begun(batch->db(), file, 1);
    batch->commit();
  }
  std::ofstream(partial_of(file)) << "originals";
  fs::create_directory(parts_of(file));
  std::ofstream(parts_of(file) / "catalog.db") << "originals";
  std::ofstream(dir_ / "other.tar.partial") << "of somebody else";
  EXPECT_TRUE(store_->collect_garbage().left.empty());
  EXPECT_FALSE(fs::exists(partial_of(file)));
  EXPECT_FALSE(fs::exists(parts_of(file)));
  EXPECT_TRUE(fs::exists(dir_ / "other.tar.partial"));
  EXPECT_EQ(number("SELECT count(*) FROM backup"), 0);
}

TEST_F(Garbage, IsNoBackupThatLacksOnlyItsNote) {
  const fs::path file = dir_ / "monday.tar";
  {
    const auto batch = store_->write();
    (void)note_backup_begun(batch->db(), file, 1);
    batch->commit();
  }
  std::ofstream(file) << "a backup";
  EXPECT_TRUE(store_->collect_garbage().left.empty());
  EXPECT_TRUE(fs::exists(file));
  ASSERT_EQ(backups_with(store_->db(), 1'000'000).size(), 1U) << "any text may be in it";
}

TEST_F(Garbage, ABackupKnowsWhatCameAfterIt) {
  store_->backup(dir_ / "a.tar");
  TextId id;
  {
    const auto batch = store_->write();
    id = batch->put_text("later", PrivacyClass::kOriginal);
    batch->commit();
  }
  EXPECT_TRUE(backups_with(store_->db(), id.value).empty());
  store_->backup(dir_ / "b.tar");
  ASSERT_EQ(backups_with(store_->db(), id.value).size(), 1U);
  EXPECT_EQ(backups_with(store_->db(), id.value)[0].path, (dir_ / "b.tar").string());
  fs::remove(dir_ / "b.tar");
  EXPECT_FALSE(backups_with(store_->db(), id.value)[0].there);
}

}  // namespace
}  // namespace residue::storage
