// facts/ when something goes wrong: kills, full disks and maps, damage, other processes and threads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "storage/facts/facts.h"
#include "tests/storage/lock_file_holder.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

const std::string kKey(32, 'k');
constexpr std::string_view kUuid = "uuid-of-a-test";

struct Place {
  Place() {
    std::string name = (fs::temp_directory_path() / "residue-faults-XXXXXX").string();
    dir = ::mkdtemp(name.data());
  }
  ~Place() {
    if (mounted) ::umount2(dir.c_str(), MNT_DETACH);
    fs::remove_all(dir);
  }
  [[nodiscard]] std::unique_ptr<Facts> open() const { return std::make_unique<Facts>(dir, kKey, kUuid); }
  fs::path dir;
  bool mounted = false;
};

struct SmallMap {
  explicit SmallMap(const char* bytes) { ::setenv("RESIDUE_TEST_MAP_BYTES", bytes, 1); }
  ~SmallMap() { ::unsetenv("RESIDUE_TEST_MAP_BYTES"); }
};

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return Code{};
}

// Bytes that do not compress.
std::string noise(std::uint64_t seed, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>(hash_of(seed, "noise", i)));
  return text;
}

std::uint64_t damaged(const Facts& facts) {
  std::uint64_t count = 0;
  facts.verify([&](TextId, const std::string&) { ++count; });
  return count;
}

// A process killed between its commit and the extension leaves a file without its last pages, all of them free.
TEST(FactsFaults, OpensAFileThatLacksOnlyFreePages) {
  const Place place;
  Facts::create(place.dir, kUuid);
  {
    const auto facts = place.open();
    std::vector<TextId> ids;
    auto writer = facts->write();
    (void)writer->put("kept", PrivacyClass::kOriginal);
    for (std::uint64_t i = 0; i < 200; ++i) ids.push_back(writer->put(noise(i, 5'000), PrivacyClass::kOriginal));
    writer->commit();
    writer = facts->write();
    for (const TextId id : ids) (void)writer->erase(id);
    writer->commit();
    for (int i = 0; i < 5; ++i) {  // freed pages are used again, lowest first: what is in use moves to the front
      writer = facts->write();
      (void)writer->put("more " + std::to_string(i), PrivacyClass::kOriginal);
      writer->commit();
    }
  }
  const auto file = place.dir / "data.mdb";
  const auto size = fs::file_size(file);
  fs::resize_file(file, size / 2);
  const auto facts = place.open();
  EXPECT_EQ(fs::file_size(file), size);
  EXPECT_TRUE(facts->read()->find("kept"));
  EXPECT_EQ(damaged(*facts), 0U);
}

TEST(FactsFaults, NoticesEveryLengthThatLosesAPage) {
  const Place place;
  Facts::create(place.dir, kUuid);
  {
    const auto facts = place.open();
    auto writer = facts->write();
    for (std::uint64_t i = 0; i < 120; ++i) (void)writer->put(noise(i, 300), PrivacyClass::kOriginal);
    writer->commit();
  }
  const auto file = place.dir / "data.mdb";
  for (auto size = fs::file_size(file) - 4'096; size >= 8'192; size -= 4'096) {
    SCOPED_TRACE(size);
    fs::resize_file(file, size);
    EXPECT_EQ(code_of([&] { (void)place.open(); }), Code::kCorrupt);
    EXPECT_EQ(fs::file_size(file), size);  // it must be noticed the next time, too
  }
}

TEST(FactsFaults, LosesOneBatchWhenTheMapIsFullThenGrows) {
  const Place place;
  Facts::create(place.dir, kUuid);
  const SmallMap small("262144");
  const auto facts = place.open();
  auto writer = facts->write();
  (void)writer->put("first", PrivacyClass::kOriginal);
  writer->commit();
  const auto fill = [&] {
    const auto batch = facts->write();
    for (std::uint64_t i = 0; i < 400; ++i) (void)batch->put(noise(i, 1'000), PrivacyClass::kOriginal);
    batch->commit();
  };
  EXPECT_EQ(code_of(fill), Code::kTryAgain);
  EXPECT_EQ(facts->info().texts, 1U);
  EXPECT_TRUE(facts->read()->find("first"));
  Code code = Code::kTryAgain;
  for (int i = 0; i < 4 && code == Code::kTryAgain; ++i) code = code_of(fill);
  EXPECT_EQ(code, Code{});
  EXPECT_EQ(facts->info().texts, 401U);
  EXPECT_EQ(damaged(*facts), 0U);
}

TEST(FactsFaults, RefusesToGoOnWithABatchThatFailed) {
  const Place place;
  Facts::create(place.dir, kUuid);
  const SmallMap small("131072");
  const auto facts = place.open();
  const auto writer = facts->write();
  const auto fill = [&] {
    for (std::uint64_t i = 0; i < 400; ++i) (void)writer->put(noise(i, 1'000), PrivacyClass::kOriginal);
  };
  EXPECT_EQ(code_of(fill), Code::kTryAgain);
  EXPECT_EQ(code_of(fill), Code::kTryAgain);
  EXPECT_EQ(code_of([&] { writer->commit(); }), Code::kTryAgain);
  EXPECT_EQ(facts->info().texts, 0U);
}

// As a process leaves the engine's lock file that is killed while it sets it up, with another one waiting: that one
// would read and go on from the first of the two newest commits.
TEST(FactsFaults, TakesNothingFromALockFileThatNobodyFinished) {
  constexpr off_t kLastCommit = 48;
  const Place place;
  Facts::create(place.dir, kUuid);
  for (int round = 0; round < 4; ++round) {
    SCOPED_TRACE(round);
    std::uint64_t before = 0;
    {
      const auto facts = place.open();
      const auto writer = facts->write();
      (void)writer->put("text " + std::to_string(round), PrivacyClass::kOriginal);
      writer->commit();
      before = facts->commits().own;
    }
    const int file = ::open((place.dir / "lock.mdb").c_str(), O_RDWR | O_CLOEXEC);
    std::uint64_t last = 0;
    ASSERT_EQ(::pread(file, &last, sizeof last, kLastCommit), static_cast<ssize_t>(sizeof last));
    EXPECT_TRUE(last > 0 && last < 100) << "the file has another layout";
    last = 0;
    ASSERT_EQ(::pwrite(file, &last, sizeof last, kLastCommit), static_cast<ssize_t>(sizeof last));
    ::close(file);
    {
      const testing::LockFileHolder waiting(place.dir);
      const auto facts = place.open();
      EXPECT_EQ(facts->commits().own, before);
      EXPECT_TRUE(facts->read()->find("text " + std::to_string(round)));
    }
  }
}

TEST(FactsFaults, StaysUsableWhenTheDiskIsFull) {
  Place place;
  place.mounted = ::mount("tmpfs", place.dir.c_str(), "tmpfs", 0, "size=512k") == 0;
  if (!place.mounted) GTEST_SKIP() << "mounting a small tmpfs needs root";
  Facts::create(place.dir, kUuid);
  const auto facts = place.open();
  auto writer = facts->write();
  (void)writer->put("first", PrivacyClass::kOriginal);
  writer->commit();
  writer.reset();
  const auto fill = [&](std::uint64_t count) {
    const auto batch = facts->write();
    for (std::uint64_t i = 0; i < count; ++i) (void)batch->put(noise(i, 1'000), PrivacyClass::kOriginal);
    batch->commit();
  };
  EXPECT_EQ(code_of([&] { fill(1'000); }), Code::kTryAgain);
  EXPECT_EQ(facts->info().texts, 1U);
  ASSERT_EQ(::mount("tmpfs", place.dir.c_str(), "tmpfs", MS_REMOUNT, "size=8m"), 0);
  EXPECT_EQ(code_of([&] { fill(1'000); }), Code{});
  EXPECT_EQ(facts->info().texts, 1'001U);
  EXPECT_EQ(damaged(*facts), 0U);
}

TEST(FactsFaults, WritesNoMoreAfterACommitOfUnknownOutcome) {
  const Place place;
  Facts::create(place.dir, kUuid);
  const auto facts = place.open();
  auto writer = facts->write();
  (void)writer->put("text", PrivacyClass::kOriginal);
  // The engine's file becomes one that cannot be written: its commit fails with EBADF.
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (fs::read_symlink(entry, error) != fs::canonical(place.dir) / "data.mdb") continue;
    const int closed = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(::dup2(closed, std::stoi(entry.path().filename().string())), 0);
    ::close(closed);
  }
  EXPECT_EQ(code_of([&] { writer->commit(); }), Code::kIo);
  writer.reset();
  EXPECT_EQ(code_of([&] { (void)facts->write(); }), Code::kIo);
}

TEST(FactsFaults, ErasesADamagedTextSoThatItCanBeStoredAgain) {
  const Place place;
  Facts::create(place.dir, kUuid);
  const std::string text = "the quick brown fox 0123456789 jumps";
  TextId id;
  {
    const auto facts = place.open();
    auto writer = facts->write();
    id = writer->put(text, PrivacyClass::kOriginal);
    (void)writer->put("another", PrivacyClass::kOriginal);
    writer->commit();
  }
  std::ostringstream all;
  all << std::ifstream(place.dir / "data.mdb", std::ios::binary).rdbuf();
  std::string bytes = all.str();
  bytes[bytes.find(text) - 5] = '\x7f';  // the kind of the frame
  std::ofstream(place.dir / "data.mdb", std::ios::binary) << bytes;

  const auto facts = place.open();
  std::map<TextId, TextId> seen;
  facts->read()->each([&](TextId text_id, TextId reference) { seen[text_id] = reference; });
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen.at(id), TextId{});
  auto writer = facts->write();
  EXPECT_TRUE(writer->erase(id));
  const TextId again = writer->put(text, PrivacyClass::kOriginal);
  writer->commit();
  EXPECT_NE(again, id);
  EXPECT_EQ(facts->read()->text(again), text);
  EXPECT_EQ(damaged(*facts), 0U);
}

TEST(FactsFaults, ReadsWhileAnotherProcessWritesAndGrowsTheMap) {
  const Place place;
  Facts::create(place.dir, kUuid);
  constexpr std::uint64_t kTexts = 1'500;
  const SmallMap small("262144");
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const auto facts = place.open();
      for (std::uint64_t i = 0; i < kTexts; i += 50) {
        for (int attempt = 0;; ++attempt) {
          try {
            const auto writer = facts->write();
            for (std::uint64_t n = i; n < i + 50; ++n) (void)writer->put(noise(n, 700), PrivacyClass::kOriginal);
            writer->commit();
            break;
          } catch (const Error& error) {
            if (error.code() != Code::kTryAgain || attempt == 9) throw;
          }
        }
      }
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  const auto facts = place.open();
  int status = -1;
  bool running = true;
  std::uint64_t seen = 0;
  while (running) {
    running = ::waitpid(child, &status, WNOHANG) == 0;
    const auto reader = facts->read();
    std::vector<TextId> ids;
    reader->each([&](TextId id, TextId) { ids.push_back(id); });
    EXPECT_GE(ids.size(), seen);
    EXPECT_EQ(ids.size() % 50, 0U);  // whole batches only
    for (std::size_t i = 0; i < ids.size(); i += 37) {
      ASSERT_EQ(reader->text(ids[i]), noise(static_cast<std::uint64_t>(ids[i].value) - 1, 700));
    }
    seen = ids.size();
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(seen, kTexts);
}

TEST(FactsFaults, ReadsFromSeveralThreadsWhileOneWrites) {
  const Place place;
  Facts::create(place.dir, kUuid);
  const auto facts = place.open();
  std::atomic<bool> done{false};
  std::atomic<std::int64_t> last{0};
  std::atomic<int> wrong{0};
  const auto text_of = [](std::int64_t n) {
    return "patient " + std::to_string(n) + " took words " + std::to_string(n * 7919);
  };
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!done) {
        const std::int64_t known = last;
        const auto reader = facts->read();
        for (std::int64_t n = 1; n <= known; n += 61) wrong += reader->text(TextId{n}) == text_of(n) ? 0 : 1;
      }
    });
  }
  std::int64_t n = 0;
  for (int batch = 0; batch < 20; ++batch) {
    const auto writer = facts->write();
    for (int i = 0; i < 500; ++i) {
      ++n;
      EXPECT_EQ(writer->put(text_of(n), PrivacyClass::kOriginal).value, n);
    }
    writer->commit();
    last = n;
  }
  done = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace residue::storage
