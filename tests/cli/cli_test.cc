#include "cli/cli.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "cli/print/interrupt.h"

namespace residue::cli {
namespace {

int run_words(std::vector<std::string> words) {
  words.insert(words.begin(), "residue");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return run(static_cast<int>(argv.size()), argv.data());
}

TEST(Cli, ExitsWithTheCodeOfTheError) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_words({"nonsense"}), 2);
  EXPECT_EQ(run_words({"info", "--store", "/nonexistent/store"}), 3);
  EXPECT_EQ(run_words({"version", "-o", "/nonexistent/file"}), 74);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("residue: unknown command 'nonsense'\n  residue help lists the commands\n"), 0U) << said;
}

TEST(Cli, MakesTheProcessSafeForConfidentialTexts) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_words({"--version"}), 0);
  ::testing::internal::GetCapturedStdout();
  rlimit core = {};
  ::getrlimit(RLIMIT_CORE, &core);
  EXPECT_EQ(core.rlim_cur, 0U);
  const mode_t mask = ::umask(077);
  EXPECT_EQ(mask, 077U);
}

TEST(CliDeathTest, ASecondSignalEndsTheProcessAtOnce) {
  EXPECT_EXIT(
      {
        run_words({"--version"});
        EXPECT_FALSE(interrupted());
        std::raise(SIGINT);
        if (!interrupted()) ::_exit(99);
        std::raise(SIGTERM);
        ::_exit(98);
      },
      ::testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace residue::cli
