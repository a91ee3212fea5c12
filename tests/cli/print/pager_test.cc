#include "cli/print/pager.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <optional>
#include <string>

namespace residue::cli {
namespace {

struct Variables {
  std::optional<std::string> ours, everyones, terminal;
};

std::optional<std::string> wanted(const Variables& variables) {
  const auto set = [](const char* name, const std::optional<std::string>& value) {
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  };
  set("RESIDUE_PAGER", variables.ours);
  set("PAGER", variables.everyones);
  set("TERM", variables.terminal);
  return wanted_pager();
}

TEST(Pager, IsTheReadersOwn) {
  EXPECT_EQ(wanted({"most", "more", "xterm"}), "most");
  EXPECT_EQ(wanted({{}, "more", "dumb"}), "more") << "somebody chose it";
  EXPECT_EQ(wanted({"", "more", "xterm"}), std::nullopt);
  EXPECT_EQ(wanted({{}, "", "xterm"}), std::nullopt);
  EXPECT_EQ(wanted({{}, "cat", "xterm"}), std::nullopt);
  EXPECT_EQ(wanted({{}, {}, "dumb"}), std::nullopt);
  EXPECT_EQ(wanted({{}, {}, {}}), std::nullopt);
}

TEST(Pager, IsLessWhereThereIsOne) {
  const char* path = ::getenv("PATH");
  const std::string kept = path == nullptr ? "" : path;
  char folder[] = "/tmp/residue-pager-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  ::setenv("PATH", folder, 1);
  EXPECT_EQ(wanted({{}, {}, "xterm"}), std::nullopt);
  const std::string less = std::string(folder) + "/less";
  ASSERT_EQ(::symlink("/bin/sh", less.c_str()), 0);
  EXPECT_EQ(wanted({{}, {}, "xterm"}), "less -FRX");
  ::setenv("PATH", kept.c_str(), 1);
  ::unlink(less.c_str());
  ::rmdir(folder);
}

TEST(Pager, CountsTheLinesOfATerminal) {
  EXPECT_EQ(lines_of("", 80), 0U);
  EXPECT_EQ(lines_of("a\nb\n", 80), 2U);
  EXPECT_EQ(lines_of("a\n\nb", 80), 3U);
  EXPECT_EQ(lines_of(std::string(161, 'x') + "\n", 80), 3U);
  EXPECT_EQ(lines_of(std::string(160, 'x') + "\n", 80), 2U);
  EXPECT_EQ(lines_of("\x1b[1m" + std::string(80, 'x') + "\x1b[0m\n", 80), 1U) << "styles take no room";
  EXPECT_EQ(lines_of(std::string(500, 'x') + "\n", 0), 1U);
}

}  // namespace
}  // namespace residue::cli
