#include "storage/disk/notice.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/child.h"
#include "storage/disk/lock.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class Notices : public ::testing::Test {
 protected:
  Notices() {
    std::string name = (fs::temp_directory_path() / "residue-notice-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
  }
  ~Notices() override { fs::remove_all(dir_); }

  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(dir_)) all.push_back(entry.path());
    return all;
  }

  fs::path dir_;
};

TEST_F(Notices, AreTheLastWordsOfThoseWhoLive) {
  EXPECT_TRUE(notices(dir_).empty());
  {
    Notice one(dir_), silent(dir_);
    EXPECT_TRUE(notices(dir_).empty());
    one.say("linking, 1 of 1,000");
    EXPECT_EQ(notices(dir_), std::vector<std::string>{"linking, 1 of 1,000"});
    one.say("done");
    EXPECT_EQ(notices(dir_), std::vector<std::string>{"done"});
    one.say(std::string(kMostNoticeBytes + 1, 'x'));
    EXPECT_EQ(notices(dir_), std::vector<std::string>{"done"});
    const std::string longest(kMostNoticeBytes, 'y');
    one.say(longest);
    EXPECT_EQ(notices(dir_), std::vector<std::string>{longest});
    struct stat info {};
    ASSERT_EQ(::stat(files().front().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(Notices, OfAKilledProcessAreNotHeard) {
  std::optional<Child> child = Child::copy([&] {
    Notice notice(dir_);
    notice.say("working");
    ::pause();
    return 0;
  });
  ASSERT_TRUE(child);
  while (notices(dir_).empty()) std::this_thread::yield();
  EXPECT_EQ(notices(dir_), std::vector<std::string>{"working"});
  ::kill(child->id(), SIGKILL);
  child->wait();
  EXPECT_TRUE(notices(dir_).empty());
  EXPECT_EQ(files().size(), 1U);
}

// A reader that came in the middle of a write would take half of the one and half of the other for a third.
TEST_F(Notices, AreHeardWhole) {
  const std::string small(400, 'a'), large(1900, 'b');
  Notice notice(dir_);
  std::jthread talker([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      notice.say(small);
      notice.say(large);
    }
  });
  for (int i = 0; i < 20'000; ++i) {
    for (const std::string& words : notices(dir_)) ASSERT_TRUE(words == small || words == large) << words;
  }
}

TEST_F(Notices, ThatAreHalfWrittenAreNotHeard) {
  Notice notice(dir_);
  notice.say("3 of 10");
  ASSERT_EQ(files().size(), 1U);
  std::fstream file(files().front(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file << '7';
  file.close();
  EXPECT_TRUE(notices(dir_).empty());
}

TEST_F(Notices, ALockIsLookedAtAndNotTaken) {
  const fs::path file = dir_ / "run-1.lock";
  EXPECT_FALSE(is_locked(file));
  EXPECT_FALSE(fs::exists(file));
  auto held = Lock::take(file, LockMode::kExclusive, 0);
  ASSERT_TRUE(held);
  EXPECT_TRUE(is_locked(file));
  held->downgrade();
  EXPECT_FALSE(is_locked(file));  // shared ones are of those who look
  held->release();
  EXPECT_FALSE(is_locked(file));
  EXPECT_TRUE(Lock::take(file, LockMode::kExclusive, 0));
}

TEST_F(Notices, WhereNoneCanBeMadeTheWorkGoesOn) {
  Notice notice(dir_ / "nowhere");
  notice.say("x");
  EXPECT_TRUE(notices(dir_ / "nowhere").empty());
}

}  // namespace
}  // namespace residue::storage
