// A store where nothing can be written: it is read, writers elsewhere wait, and writing fails with one clear line.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "storage/check.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class ReadOnly : public ::testing::Test {
 protected:
  ReadOnly() {
    std::string name = (fs::temp_directory_path() / "residue-read-only-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
  }
  ~ReadOnly() override {
    if (frozen_) ::umount2((dir_ / ".residue").c_str(), MNT_DETACH);
    set_modes(0700, 0600);
    fs::remove_all(dir_);
  }
  void add(const std::string& text) {
    Store store(dir_ / ".residue");
    const auto batch = store.write();
    id_ = batch->put_text(text, PrivacyClass::kOriginal);
    batch->db().prepare("INSERT OR REPLACE INTO store_info VALUES ('text', ?1)").run(text);
    batch->commit();
  }
  void set_modes(mode_t dirs, mode_t files) const {
    std::error_code error;
    for (const fs::path& dir : {dir_ / ".residue", dir_ / ".residue" / "facts"}) {
      ::chmod(dir.c_str(), dirs | 0700);
      for (const auto& entry : fs::directory_iterator(dir, error)) {
        if (entry.is_regular_file(error)) ::chmod(entry.path().c_str(), files);
      }
      if (dirs != 0700) ::chmod(dir.c_str(), dirs);
    }
  }
  // As root, a read-only mount; permissions for everybody else.
  bool freeze() {
    const fs::path store = dir_ / ".residue";
    if (::geteuid() != 0) {
      ::chmod((store / "facts").c_str(), 0500);
      set_modes(0500, 0400);
      return true;
    }
    if (::mount(store.c_str(), store.c_str(), nullptr, MS_BIND, nullptr) != 0) return false;
    frozen_ = true;
    return ::mount(nullptr, store.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
  }
  [[nodiscard]] static std::string text_of(Store& store) {
    Statement find = store.db().prepare("SELECT value FROM store_info WHERE key = 'text'");
    return find.step() ? std::string(find.text(0)) : "";
  }

  fs::path dir_;
  bool frozen_ = false;
  TextId id_;
};

std::pair<int, std::string> error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what() + (" | " + error.hint())};
  }
  return {0, ""};
}

TEST_F(ReadOnly, IsReadWithItsLog) {
  add("A nurse.");
  ASSERT_GT(fs::file_size(dir_ / ".residue" / "catalog.db-wal"), 0U);
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  Store store(dir_ / ".residue");
  EXPECT_EQ(text_of(store), "A nurse.");
  EXPECT_EQ(store.facts().read()->text(id_), "A nurse.");
  EXPECT_TRUE(check_store(store).problems.empty());
  (void)store.hold_texts();
  EXPECT_NO_THROW((void)store.lock_run(RunId{77}, false));
}

TEST_F(ReadOnly, IsReadWithoutALogOrItsMemory) {
  add("A nurse.");
  {
    Db db(dir_ / ".residue" / "catalog.db", DbMode::kReadWrite);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  fs::remove(dir_ / ".residue" / "catalog.db-wal");
  fs::remove(dir_ / ".residue" / "catalog.db-shm");
  fs::remove(dir_ / ".residue" / "facts" / "lock.mdb");
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  Store store(dir_ / ".residue");
  EXPECT_EQ(text_of(store), "A nurse.");
  EXPECT_EQ(store.facts().read()->text(id_), "A nurse.");
}

TEST_F(ReadOnly, SaysWhyNothingIsWrittenAndWhatToDo) {
  add("A nurse.");
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  Store store(dir_ / ".residue");
  for (const auto& work : {std::function<void()>([&] { (void)store.write(); }),
                           {[&] { store.collect_garbage(); }},
                           {[&] { (void)store.hold_targets(); }},
                           {[&] { (void)store.claim_targets(); }}}) {
    const auto [code, words] = error_of(work);
    EXPECT_EQ(code, 74);
    EXPECT_NE(words.find("cannot be written"), std::string::npos) << words;
    EXPECT_NE(words.find("copy it"), std::string::npos) << words;
  }
}

TEST_F(ReadOnly, IsBackedUpToAPlaceThatCanBeWritten) {
  add("A nurse.");
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  Store(dir_ / ".residue").backup(dir_ / "backup.tar");
  EXPECT_TRUE(fs::exists(dir_ / "backup.tar"));
}

// Without its lock files nobody could keep out a writer who sees the same files elsewhere.
TEST_F(ReadOnly, IsRefusedWithoutItsLocks) {
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  EXPECT_EQ(error_of([&] { Store store(dir_ / ".residue"); }).first, 74);
}

TEST_F(ReadOnly, KeepsWritersOut) {
  add("A nurse.");
  // As one who can write to the same file elsewhere.
  const int file = ::open((dir_ / ".residue" / "writer.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  const auto locked = [&] {
    struct flock wanted {};
    wanted.l_type = F_WRLCK;
    return ::fcntl(file, F_OFD_GETLK, &wanted) != 0 || wanted.l_type != F_UNLCK;
  };
  EXPECT_FALSE(locked());
  if (!freeze()) GTEST_SKIP() << "needs the right to mount, or another user than root";
  const Store store(dir_ / ".residue");
  EXPECT_TRUE(locked());
  ::close(file);
}

}  // namespace
}  // namespace residue::storage
