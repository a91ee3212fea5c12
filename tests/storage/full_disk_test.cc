// gc and backup on a disk that fills up: told as such, nothing lost, and the same command works when there is room.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "storage/check.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

constexpr int kTexts = 3'000;  // of 1 KB that compress to half; every other one is garbage

class SmallDisk : public ::testing::Test {
 protected:
  SmallDisk() {
    std::string name = (fs::temp_directory_path() / "residue-full-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    disk_ = dir_ / "disk";
    fs::create_directory(disk_);
    mounted_ = ::mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=64m") == 0;
  }
  ~SmallDisk() override {
    store_.reset();
    if (mounted_) ::umount2(disk_.c_str(), MNT_DETACH);
    fs::remove_all(dir_);
  }
  void fill_store() {
    Store::create(disk_);
    open();
    std::mt19937_64 random(7);
    const auto batch = store_->write();
    batch->db().run("INSERT INTO dataset (id, name, created_at, content) VALUES (1, 'd', 0, x'')");
    Statement put = batch->db().prepare("INSERT INTO record (dataset_id, key, text_id) VALUES (1, ?1, ?2)");
    for (int i = 0; i < kTexts; ++i) {
      std::string text;
      while (text.size() < 1000) text += fmt::format("{:016x}", random());
      const TextId id = batch->put_text(text, PrivacyClass::kOriginal);
      if (i % 2 == 0) put.run(fmt::format("k{}", i), id);
    }
    batch->commit();
  }
  void open() { store_ = std::make_unique<Store>(disk_ / ".residue"); }

  // Leaves that much room on the disk.
  void leave(std::uint64_t bytes) {
    fs::remove(disk_ / "fill");
    const std::uint64_t free = fs::space(disk_).available;
    const int fd = ::open((disk_ / "fill").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(::fallocate(fd, 0, 0, static_cast<off_t>(free - bytes)), 0);
    ::close(fd);
  }
  void empty_disk() { fs::remove(disk_ / "fill"); }

  void expect_sound() {
    store_.reset();
    open();
    const CheckResult check = check_store(*store_);
    EXPECT_TRUE(check.problems.empty()) << (check.problems.empty() ? "" : check.problems.front());
    EXPECT_TRUE(check.derived_problems.empty());
    for (const auto& entry : fs::directory_iterator(disk_ / ".residue")) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.starts_with(kBackupPrefix) || name.starts_with(kCompactPrefix)) << name;
    }
  }

  fs::path dir_, disk_;
  bool mounted_ = false;
  std::unique_ptr<Store> store_;
};

int code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return static_cast<int>(error.code());
  }
  return 0;
}

TEST_F(SmallDisk, GivesUpGarbageInStepsWhereThereIsLittleRoom) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  fill_store();
  bool failed = false;
  for (const std::uint64_t room : {0U, 64U << 10U, 256U << 10U}) {
    SCOPED_TRACE(room);
    leave(room);
    const int code = code_of([&] {
      EXPECT_GT(store_->collect_garbage().lacking_bytes, 0U);
    });
    EXPECT_TRUE(code == 0 || code == 75) << code;
    failed = failed || code == 75;
    expect_sound();
  }
  EXPECT_TRUE(failed);
  EXPECT_LT(store_->facts().info().texts, kTexts);  // with a sixth of the room that one transaction takes
  empty_disk();
  const Store::GcResult gone = store_->collect_garbage();
  EXPECT_EQ(gone.lacking_bytes, 0U);
  EXPECT_EQ(check_store(*store_).texts, kTexts / 2U);
  EXPECT_EQ(store_->collect_garbage().texts, 0U);
}

TEST_F(SmallDisk, RemovesIndexesThatNobodyNamesWithoutAnyRoom) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  fill_store();
  const fs::path index = store_->index_dir() / "old.glass";
  std::ofstream(index) << std::string(100'000, 'x');
  leave(0);
  (void)code_of([&] { (void)store_->collect_garbage(); });
  EXPECT_FALSE(fs::exists(index));
}

TEST_F(SmallDisk, LeavesNothingOfABackupThatHasNoRoom) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  fill_store();
  const fs::path file = disk_ / "backup.tar";
  int failures = 0;
  for (std::uint64_t room = 0;; room += 300U << 10U) {
    SCOPED_TRACE(room);
    leave(room);
    const int code = code_of([&] { store_->backup(file); });
    if (code == 0) break;
    ASSERT_EQ(code, 75);
    ++failures;
    for (const auto& entry : fs::directory_iterator(disk_)) {
      EXPECT_TRUE(entry.path().filename() == ".residue" || entry.path().filename() == "fill") << entry.path();
    }
  }
  EXPECT_GT(failures, 5);  // in the catalog, the texts and the archive
  EXPECT_TRUE(fs::exists(file));
  expect_sound();
}

TEST_F(SmallDisk, GathersABackupBesideAFileOnAnotherDisk) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  fill_store();
  leave(0);
  store_->backup(dir_ / "backup.tar");
  EXPECT_GT(fs::file_size(dir_ / "backup.tar"), 1'000'000U);
  EXPECT_FALSE(fs::exists(dir_ / "backup.tar.parts"));
  fs::create_directory(dir_ / "other.tar.parts");  // not ours
  EXPECT_EQ(code_of([&] { store_->backup(dir_ / "other.tar"); }), 2);
  EXPECT_TRUE(fs::exists(dir_ / "other.tar.parts"));
}

TEST_F(SmallDisk, GivesTheLogBackBeforeAndAfterABatchWithoutRoom) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  fill_store();
  store_.reset();
  open();
  leave(300U << 10U);
  EXPECT_EQ(code_of([&] {
              const auto batch = store_->write();
              batch->db().run("UPDATE record SET label = hex(zeroblob(600))");
              batch->commit();
            }),
            75);
  store_.reset();
  EXPECT_EQ(fs::file_size(disk_ / ".residue" / "catalog.db-wal"), 0U);
  expect_sound();
}

}  // namespace
}  // namespace residue::storage
