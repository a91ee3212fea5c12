#include "base/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>

namespace residue {
namespace {

std::string all_of(const Pipe& pipe) {
  std::string bytes(4096, '\0');
  const ssize_t got = ::read(pipe.read_end(), bytes.data(), bytes.size());
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

TEST(Child, EndsWithWhatItsWorkSays) {
  std::optional<Child> child = Child::copy([] { return 7; });
  ASSERT_TRUE(child);
  const ChildStatus end = child->wait();
  EXPECT_FALSE(end.signalled);
  EXPECT_EQ(end.code, 7);
  EXPECT_EQ(child->wait().code, 7) << "asked again";
}

TEST(Child, SaysWhichSignalItDiedOf) {
  std::optional<Child> child = Child::copy([]() -> int {
    ::raise(SIGKILL);
    return 0;
  });
  ASSERT_TRUE(child);
  const ChildStatus end = child->wait();
  EXPECT_TRUE(end.signalled);
  EXPECT_EQ(end.code, SIGKILL);
}

TEST(Child, IsKilledOnScopeExit) {
  pid_t id = 0;
  {
    std::optional<Child> child = Child::copy([]() -> int {
      ::pause();
      return 0;
    });
    ASSERT_TRUE(child);
    id = child->id();
    EXPECT_FALSE(child->ended().has_value());
  }
  EXPECT_NE(::kill(id, 0), 0);
}

TEST(Child, RunsAShellThatReadsAndWrites) {
  std::optional<Pipe> in = Pipe::make(), out = Pipe::make();
  ASSERT_TRUE(in && out);
  std::optional<Child> child =
      Child::shell({.command = "tr a b; exit 3", .in = in->read_end(), .out = out->write_end()});
  ASSERT_TRUE(child);
  in->close_read();
  out->close_write();
  ASSERT_EQ(::write(in->write_end(), "banana", 6), 6);
  in->close_write();
  EXPECT_EQ(all_of(*out), "bbnbnb");
  EXPECT_EQ(child->wait().code, 3);
}

}  // namespace
}  // namespace residue
