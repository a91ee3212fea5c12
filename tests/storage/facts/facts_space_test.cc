#include "storage/facts/facts_space.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "storage/facts/facts.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows need terabytes of addresses

namespace residue::storage {
namespace {

const std::string kKey(32, 'k');
constexpr std::string_view kUuid = "uuid-of-a-test";
constexpr std::size_t kMiB = std::size_t{1} << 20U;

struct Place {
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-space-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    Facts::create(dir, kUuid);
  }
  ~Place() { std::filesystem::remove_all(dir); }
  std::filesystem::path dir;
};

// Bytes that do not compress.
std::string noise(std::uint64_t seed, std::size_t bytes) {
  std::string text;
  text.reserve(bytes);
  for (std::size_t i = 0; text.size() < bytes; ++i) {
    const std::uint64_t drawn = hash_of(seed, "noise", i);
    text.append(reinterpret_cast<const char*>(&drawn), sizeof drawn);
  }
  return text;
}

void write(Facts& facts, std::uint64_t first, int batches) {
  for (int i = 0; i < batches; ++i) {
    const auto writer = facts.write();
    writer->put(noise(first + static_cast<std::uint64_t>(i), 8 * kMiB), PrivacyClass::kOriginal);
    writer->commit();
  }
}

// Runs `work` in a process whose address space has `bytes` left. 0: it returned; else the code of its error, which it
// prints.
int with_room(std::size_t bytes, const std::function<void()>& work) {
  const pid_t id = ::fork();
  if (id == 0) {
    ::alarm(120);
    const rlimit probe{std::size_t{1} << 46U, std::size_t{1} << 46U};
    ::setrlimit(RLIMIT_AS, &probe);
    const rlim_t limit = probe.rlim_cur - *address_room() + bytes;
    const rlimit both{limit, limit};
    ::setrlimit(RLIMIT_AS, &both);
    try {
      work();
    } catch (const Error& error) {
      std::cerr << error.what() << '\n' << error.hint() << std::endl;
      ::_exit(static_cast<int>(error.code()));
    } catch (const std::bad_alloc&) {
      ::_exit(99);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(AddressSpace, IsUnlimitedUnlessSomebodyLimitsIt) {
  EXPECT_FALSE(address_room());
  EXPECT_EQ(first_map_bytes(std::size_t{256} << 30U), std::size_t{256} << 30U);
}

TEST(AddressSpace, TheMapStartsSmallAndGrowsWithTheFile) {
  const Place place;
  EXPECT_EQ(with_room(400 * kMiB,
                      [&] {
                        Facts facts(place.dir, kKey, kUuid);
                        write(facts, 1, 20);
                      }),
            0);
  EXPECT_GT(std::filesystem::file_size(place.dir / "data.mdb"), 150 * kMiB);
  EXPECT_EQ(with_room(300 * kMiB,
                      [&] {
                        const Facts facts(place.dir, kKey, kUuid);
                        (void)facts.read()->text(TextId{20});
                      }),
            0);
}

TEST(AddressSpace, WhatDoesNotFitSaysSoAndLosesNothing) {
  const Place place;
  {
    Facts facts(place.dir, kKey, kUuid);
    write(facts, 1, 12);
  }
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(with_room(64 * kMiB, [&] { const Facts facts(place.dir, kKey, kUuid); }), 75);
  EXPECT_EQ(with_room(190 * kMiB,
                      [&] {
                        Facts facts(place.dir, kKey, kUuid);
                        write(facts, 100, 20);
                      }),
            75);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("address space"), std::string::npos) << said;
  EXPECT_EQ(said.find("disk"), std::string::npos) << said;
  const Facts facts(place.dir, kKey, kUuid);
  EXPECT_EQ(facts.read()->text(TextId{12}).size(), 8 * kMiB);
}

// A process without a limit writes what one with a limit has not mapped.
TEST(AddressSpace, FollowsWhatOtherProcessesWrite) {
  const Place place;
  int opened[2], written[2];
  ASSERT_EQ(::pipe(opened) + ::pipe(written), 0);
  const auto tell = [](const int(&ends)[2]) { return ::write(ends[1], "x", 1) == 1; };
  const auto hear = [](const int(&ends)[2]) {
    char byte = 0;
    return ::read(ends[0], &byte, 1) == 1;
  };
  const pid_t other = ::fork();
  if (other == 0) {
    ::alarm(120);
    if (!hear(opened)) ::_exit(1);
    Facts facts(place.dir, kKey, kUuid);
    write(facts, 1, 20);
    ::_exit(tell(written) ? 0 : 1);
  }
  EXPECT_EQ(with_room(400 * kMiB,
                      [&] {
                        const Facts facts(place.dir, kKey, kUuid);
                        if (!tell(opened) || !hear(written)) ::_exit(98);
                        if (facts.read()->text(TextId{20}).size() != 8 * kMiB) ::_exit(97);
                      }),
            0);
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  for (const int end : {opened[0], opened[1], written[0], written[1]}) ::close(end);
}

}  // namespace
}  // namespace residue::storage

#endif
