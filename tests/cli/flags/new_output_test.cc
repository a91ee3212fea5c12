#include "cli/flags/new_output.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "cli/print/output.h"
#include "tests/cli/ends/running.h"

namespace residue::cli {
namespace {
namespace fs = std::filesystem;

class NewOutput : public ::testing::Test {
 protected:
  NewOutput() { globals_.output = (dir_ / "f").string(); }

  std::size_t files() { return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), {})); }

  testing::Folder folder_;
  fs::path dir_ = folder_.path();
  Globals globals_;
};

TEST_F(NewOutput, GetsItsNameAtTheEnd) {
  {
    Output out(globals_);
    Context context{globals_, out};
    require_new_output(context);
    out.write("all");
    finish_new_output(context);
  }
  EXPECT_EQ(folder_.read("f"), "all");
  EXPECT_EQ(files(), 1U);
}

TEST_F(NewOutput, ReplacesNothing) {
  std::ofstream(dir_ / "f") << "mine";
  Output out(globals_);
  Context context{globals_, out};
  EXPECT_THROW(require_new_output(context), Error);
}

TEST_F(NewOutput, ReplacesNothingThatAppearsMeanwhile) {
  {
    Output out(globals_);
    Context context{globals_, out};
    require_new_output(context);
    out.write("all");
    std::ofstream(dir_ / "f") << "mine";
    EXPECT_THROW(finish_new_output(context), Error);
  }
  EXPECT_EQ(folder_.read("f"), "mine");
  EXPECT_EQ(files(), 1U);
}

TEST_F(NewOutput, MayBeADevice) {
  globals_.output = "/dev/null";
  Output out(globals_);
  Context context{globals_, out};
  EXPECT_NO_THROW(require_new_output(context));
  EXPECT_NO_THROW(finish_new_output(context));
}

}  // namespace
}  // namespace residue::cli
