#include "storage/disk/lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "storage/disk/stop_waiting.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class Locks : public ::testing::Test {
 protected:
  Locks() {
    std::string name = (fs::temp_directory_path() / "residue-lock-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    file_ = dir_ / "a.lock";
  }
  ~Locks() override { fs::remove_all(dir_); }
  Lock shared() { return std::move(*Lock::take(file_, LockMode::kShared, 0)); }

  fs::path dir_, file_;
};

TEST_F(Locks, KeepOthersOut) {
  auto alone = Lock::take(file_, LockMode::kExclusive, 0);
  ASSERT_TRUE(alone);
  EXPECT_FALSE(Lock::take(file_, LockMode::kShared, 0));
  alone->downgrade();
  const Lock second = shared();
  EXPECT_FALSE(Lock::take(file_, LockMode::kExclusive, 0));
  EXPECT_FALSE(alone->try_upgrade());
}

// Between two conversions that fail nobody is alone: who held a shared lock would go on with files that were replaced.
TEST_F(Locks, OneThatCannotBeConvertedIsKept) {
  Lock first = shared(), second = shared();
  std::atomic<int> alone{0};
  const auto convert = [&](Lock& lock) {
    for (int i = 0; i < 20'000; ++i) {
      if (!lock.try_upgrade()) continue;
      ++alone;
      lock.downgrade();
    }
  };
  std::thread other([&] { convert(second); });
  convert(first);
  other.join();
  EXPECT_EQ(alone, 0);
  second.release();
  EXPECT_TRUE(first.try_upgrade());
}

TEST_F(Locks, AreNotWaitedForAnyMoreWhenThatIsAsked) {
  const Lock held = std::move(*Lock::take(file_, LockMode::kExclusive, 0));
  std::atomic<bool> asked = false;
  std::thread asking([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    asked = true;
  });
  const StopWaiting stop([&] { return asked.load(); });
  try {
    static_cast<void>(Lock::take(file_, LockMode::kExclusive, 60'000));
    ADD_FAILURE() << "the lock is held";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInterrupted);
  }
  asking.join();
}

TEST_F(Locks, AreWaitedForAgainBehindTheScopeOfThatQuestion) {
  const Lock held = std::move(*Lock::take(file_, LockMode::kExclusive, 0));
  const StopWaiting outer([] { return false; });
  {
    const StopWaiting inner([] { return true; });
    EXPECT_THROW(static_cast<void>(Lock::take(file_, LockMode::kExclusive, 20)), Error);
  }
  EXPECT_FALSE(Lock::take(file_, LockMode::kExclusive, 20));
}

}  // namespace
}  // namespace residue::storage
