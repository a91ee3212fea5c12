#include "cli/shell/history.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/cli/ends/running.h"

namespace residue::cli {
namespace {

using Entries = std::vector<std::string>;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0;
}

class HistoryTest : public ::testing::Test {
 protected:
  HistoryTest() { ::umask(077); }  // as the program has it
  testing::Folder folder_;
  std::filesystem::path file_ = folder_.path() / "state" / "residue" / "sql_history";
};

TEST_F(HistoryTest, KeepsWhatWasTypedForItsOwnerAlone) {
  EXPECT_EQ(read_history(file_), Entries());
  const Entries typed = {"SELECT 1;", "SELECT 'a\\n'\n  FROM x; -- \\", ".quit", "SELECT 'ä';"};
  for (const std::string& entry : typed) add_history(file_, entry);
  EXPECT_EQ(read_history(file_), typed);
  EXPECT_EQ(mode_of(file_), 0600U);
  EXPECT_EQ(mode_of(file_.parent_path()), 0700U);
  ::chmod(file_.c_str(), 0644);
  read_history(file_);
  EXPECT_EQ(mode_of(file_), 0600U);
}

TEST_F(HistoryTest, LeavesOutWhatBeginsWithASpaceAndWhatIsLong) {
  add_history(file_, " SELECT 'secret';");
  add_history(file_, "");
  add_history(file_, std::string(kMostEntryBytes + 1, 'x'));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(HistoryTest, KeepsTheNewest) {
  for (std::size_t i = 0; i <= 2 * kMostEntries; ++i) add_history(file_, std::to_string(i));
  const Entries entries = read_history(file_);
  ASSERT_EQ(entries.size(), kMostEntries);
  EXPECT_EQ(entries.front(), std::to_string(kMostEntries + 1));
  EXPECT_EQ(entries.back(), std::to_string(2 * kMostEntries));
  std::ifstream in(file_);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  EXPECT_EQ(lines, kMostEntries) << "the file is shorter, too";
  EXPECT_EQ(mode_of(file_), 0600U);
}

TEST_F(HistoryTest, RefusesWhatIsNoFile) {
  std::filesystem::create_directories(file_.parent_path());
  folder_.write("elsewhere", "SELECT 1;\n");
  std::filesystem::create_symlink(folder_.path() / "elsewhere", file_);
  EXPECT_THROW(read_history(file_), Error);
  EXPECT_THROW(add_history(file_, "SELECT 2;"), Error);
  EXPECT_EQ(folder_.read("elsewhere"), "SELECT 1;\n");
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_THROW(add_history(file_, "SELECT 2;"), Error);
  std::filesystem::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_THROW(read_history(file_), Error) << "and it does not wait for a writer";
}

TEST_F(HistoryTest, LiesInTheUsersFolderOfStates) {
  const auto with = [](const char* state, const char* home) {
    state == nullptr ? ::unsetenv("XDG_STATE_HOME") : ::setenv("XDG_STATE_HOME", state, 1);
    home == nullptr ? ::unsetenv("HOME") : ::setenv("HOME", home, 1);
    const auto file = history_file();
    return file ? file->string() : "none";
  };
  const char* const home = ::getenv("HOME");
  const std::string kept = home == nullptr ? "/" : home;
  EXPECT_EQ(with("/s", "/h"), "/s/residue/sql_history");
  EXPECT_EQ(with("relative", "/h"), "/h/.local/state/residue/sql_history");
  EXPECT_EQ(with(nullptr, "/h"), "/h/.local/state/residue/sql_history");
  EXPECT_EQ(with(nullptr, ""), "none");
  EXPECT_EQ(with(nullptr, nullptr), "none");
  ::setenv("HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace residue::cli
