#include "query/export/new_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "tests/query/child.h"

namespace residue::query {
namespace {
namespace fs = std::filesystem;

class NewFileTest : public ::testing::Test {
 protected:
  static std::string content(const fs::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  std::size_t files() { return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), {})); }

  testing::ScratchDir scratch_;
  fs::path dir_ = scratch_.path();
};

TEST_F(NewFileTest, HasItsNameOnceItIsWhole) {
  const fs::path file = dir_ / "f";
  {
    NewFile whole(file);
    std::ofstream(whole.part()) << "all";
    EXPECT_FALSE(fs::exists(file));
    whole.finish();
  }
  EXPECT_EQ(content(file), "all");
  EXPECT_EQ(files(), 1U);
  struct stat info = {};
  ::stat(file.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(NewFileTest, LeavesNothingWhereItWasNotFinished) {
  { const NewFile whole(dir_ / "f"); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(NewFileTest, ReplacesNothingThatAppearsMeanwhile) {
  const fs::path file = dir_ / "f";
  {
    NewFile whole(file);
    std::ofstream(whole.part()) << "all";
    std::ofstream(file) << "mine";
    EXPECT_THROW(whole.finish(), Error);
  }
  EXPECT_EQ(content(file), "mine");
  EXPECT_EQ(files(), 1U);
}

TEST_F(NewFileTest, SaysWhereItCannotBe) {
  EXPECT_THROW(NewFile(dir_ / "gone" / "f"), Error);
  EXPECT_THROW(NewFile(fs::path(dir_)), Error);
}

}  // namespace
}  // namespace residue::query
