// One LMDB environment for all of a process that have the same directory open.
#include "storage/facts/environments.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "storage/disk/lock.h"
#include "storage/facts/facts.h"

namespace residue::storage {
namespace {

const std::string kKey(32, 'k');
constexpr const char* kUuid = "u";

struct TwoOpen : testing::Test {
  TwoOpen() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-environments-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    Facts::create(dir, kUuid);
    first = open();
    second = open();
  }
  ~TwoOpen() override {
    first.reset();
    second.reset();
    std::filesystem::remove_all(dir);
  }
  [[nodiscard]] std::unique_ptr<Facts> open(bool frozen = false) const {
    return std::make_unique<Facts>(dir, kKey, kUuid, frozen);
  }
  [[nodiscard]] std::uint64_t users() const {
    struct stat status {};
    ::stat(dir.c_str(), &status);
    const std::scoped_lock lock(*residue_environments_mutex());
    Environment* const here = residue_environment_enter(status.st_dev, status.st_ino);
    const std::uint64_t others = here->users - 1;
    residue_environment_leave(here);
    return others;
  }
  static TextId put(Facts& facts, const std::string& text) {
    const auto writer = facts.write();
    const TextId id = writer->put(text, PrivacyClass::kOriginal);
    writer->commit();
    return id;
  }

  std::filesystem::path dir;
  std::unique_ptr<Facts> first, second;
};

TEST_F(TwoOpen, SeeWhatTheOtherWrote) {
  EXPECT_EQ(users(), 2U);
  const TextId id = put(*first, "Anna lives in Bonn.");
  EXPECT_EQ(second->read()->text(id), "Anna lives in Bonn.");
  const TextId other = put(*second, "Bob does not.");
  EXPECT_EQ(first->read()->text(other), "Bob does not.");
}

TEST_F(TwoOpen, CloseInBothOrders) {
  const TextId id = put(*first, "Anna");
  for (const bool first_goes : {true, false}) {
    auto& leaving = first_goes ? first : second;
    auto& staying = first_goes ? second : first;
    const auto reader = staying->read();
    leaving.reset();
    EXPECT_EQ(users(), 1U);
    EXPECT_EQ(reader->text(id), "Anna");
    const std::string text = first_goes ? "Carl" : "Dora";
    const TextId next = put(*staying, text);
    EXPECT_EQ(staying->read()->text(next), text);
    leaving = open();
  }
  first.reset();
  second.reset();
  EXPECT_EQ(users(), 0U);
  EXPECT_EQ(open()->read()->text(id), "Anna");
}

TEST_F(TwoOpen, OtherProcessesSeeItOpenUntilTheLastLeaves) {
  first.reset();
  const auto other = Lock::take(dir / "open.lock", LockMode::kExclusive, 0);
  EXPECT_FALSE(other.has_value());
  second.reset();
  EXPECT_TRUE(Lock::take(dir / "open.lock", LockMode::kExclusive, 0).has_value());
}

TEST_F(TwoOpen, OneThatCannotWriteIsNotMixedWithOneThatCan) {
  try {
    (void)open(true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBusy) << error.what();
  }
  EXPECT_EQ(users(), 2U);
}

}  // namespace
}  // namespace residue::storage
