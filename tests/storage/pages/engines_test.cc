// A catalog is open with one copy of SQLite in a process.
#include "storage/pages/engines.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {
namespace {

struct Engines : testing::Test {
  Engines() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-engines-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    Db(file(), DbMode::kCreate).run("CREATE TABLE t (x INTEGER) STRICT");
    struct stat status {};
    ::stat(file().c_str(), &status);
    device = status.st_dev;
    inode = status.st_ino;
  }
  ~Engines() override { std::filesystem::remove_all(dir); }
  [[nodiscard]] std::filesystem::path file() const { return dir / "catalog.db"; }
  bool enter_as(const char* engine) { return residue_engine_enter(device, inode, engine); }

  std::filesystem::path dir;
  std::uint64_t device = 0, inode = 0;
};

TEST_F(Engines, OneOpensAFileManyTimes) {
  const Db first(file(), DbMode::kReadWrite);
  const Db second(file(), DbMode::kReadOnly);
}

TEST_F(Engines, AnotherCopyIsRefusedUntilTheLastHandleIsClosed) {
  auto first = std::make_unique<Db>(file(), DbMode::kReadWrite);
  auto second = std::make_unique<Db>(file(), DbMode::kReadWrite);
  first.reset();
  EXPECT_FALSE(enter_as("another copy"));
  second.reset();
  EXPECT_TRUE(enter_as("another copy"));
  residue_engine_leave(device, inode);
}

TEST_F(Engines, WhatAnotherCopyHasOpenIsNotOpened) {
  ASSERT_TRUE(enter_as("another copy"));
  try {
    const Db refused(file(), DbMode::kReadWrite);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBusy);
    EXPECT_STREQ(error.what(), "this process has the catalog open with another copy of SQLite");
  }
  residue_engine_leave(device, inode);
  const Db opened(file(), DbMode::kReadWrite);
}

}  // namespace
}  // namespace residue::storage
