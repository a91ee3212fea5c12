// The shell as somebody at a terminal has it: keys in, the screen out.
#include "cli/shell/shell.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.h"
#include "tests/cli/ends/running.h"

namespace residue::cli {
namespace {

using testing::Clock;
using testing::Folder;
using testing::since;

constexpr double kPatience = 20 * testing::kSlow;

// `residue LINE` at a terminal of its own.
class AtTerminal {
 public:
  AtTerminal(const Folder& folder, const std::string& line, const char* pager = "") {
    std::vector<std::string> words = testing::words_of("residue " + line);
    winsize size{50, 120, 0, 0};
    id_ = ::forkpty(&master_, nullptr, nullptr, &size);
    if (id_ < 0) throw std::runtime_error("no terminal");
    if (id_ != 0) return;
    ::setenv("TERM", "dumb", 1);
    ::setenv("HOME", folder.path().c_str(), 1);
    ::setenv("RESIDUE_PAGER", pager, 1);
    for (const char* name : {"XDG_STATE_HOME", "EDITRC"}) ::unsetenv(name);
    for (int open = 3; open < 200; ++open) ::close(open);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    if (::chdir(folder.path().c_str()) != 0) ::_exit(97);
    ::_exit(run(static_cast<int>(argv.size()), argv.data()));
  }
  ~AtTerminal() {
    if (master_ >= 0) ::close(master_);
    if (!status_) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  void type(const std::string& keys) const { ASSERT_EQ(::write(master_, keys.data(), keys.size()), std::ssize(keys)); }

  // What is on the screen since the last call, up to `text`; all there was where it does not come.
  std::string until(const std::string& text) {
    const auto start = Clock::now();
    while (since(start) < kPatience && screen_.find(text) == std::string::npos && more()) {
    }
    const std::size_t at = screen_.find(text);
    const std::size_t end = at == std::string::npos ? screen_.size() : at + text.size();
    std::string seen = screen_.substr(0, end);
    screen_.erase(0, end);
    EXPECT_NE(at, std::string::npos) << "waited for " << text << ", saw " << seen;
    return seen;
  }

  // Types `keys` and the return key, waits for the next prompt.
  std::string ask(const std::string& keys) {
    type(keys + "\r");
    until("\n");  // the echo
    return until("sql> ");
  }

  void hang_up() { ::close(std::exchange(master_, -1)); }

  int wait() {
    const auto start = Clock::now();
    int status = 0;
    while (since(start) < kPatience) {
      more();
      if (::waitpid(id_, &status, WNOHANG) != id_) continue;
      status_ = true;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }
    return -1;
  }

 private:
  bool more() {
    if (master_ < 0) {
      testing::wait_ms(5);
      return true;
    }
    pollfd ready{master_, POLLIN, 0};
    if (::poll(&ready, 1, 50) <= 0) return true;
    char bytes[4096];
    const ssize_t got = ::read(master_, bytes, sizeof bytes);
    if (got <= 0) return false;
    screen_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  int master_ = -1;
  pid_t id_ = -1;
  bool status_ = false;
  std::string screen_;
};

class ShellTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("notes.jsonl",
                  "{\"id\":\"r1\",\"text\":\"Maria keeps bees.\"}\n"
                  "{\"id\":\"r2\\u001b[2J\",\"text\":\"Tom repairs \\u001b[2Jclocks.\"}\n");
    ASSERT_EQ(folder_.done("init"), 0);
    ASSERT_EQ(folder_.done("ingest dataset clinic notes.jsonl"), 0);
    ASSERT_EQ(folder_.done("sanitize clinic --with scrub --run tags"), 0);
  }
  [[nodiscard]] std::filesystem::path history() const {
    return folder_.path() / ".local" / "state" / "residue" / "sql_history";
  }
  static void has(const std::string& screen, const std::string& part) {
    EXPECT_NE(screen.find(part), std::string::npos) << part << " is not on the screen: " << screen;
  }

  Folder folder_;
};

TEST_F(ShellTest, AnswersStatementsOfSeveralLinesAndGoesOnAfterAnError) {
  AtTerminal shell(folder_, "sql");
  has(shell.until("sql> "), ".questions");
  shell.type("SELECT count(*)\r");
  shell.until("...> ");
  shell.type("AS records FROM records;\r");
  has(shell.until("sql> "), "records");
  const std::string error = shell.ask("SELECT recrd FROM records;");
  has(error, "  SELECT recrd FROM records;");
  has(error, "         ^");
  has(error, "no such column: recrd");
  has(error, "did you mean record");
  has(shell.ask("SELECT 6 * 7 AS x;"), "42");
  shell.type("\x04");
  EXPECT_EQ(shell.wait(), 0);
}

TEST_F(ShellTest, StopsAStatementOrALineAtCtrlC) {
  AtTerminal shell(folder_, "sql --timeout 1000");
  shell.until("sql> ");
  shell.type("SELECT nonsense");
  shell.until("nonsense");
  shell.type("\x03");
  shell.until("sql> ");
  shell.type("SELECT 1\r");
  shell.until("...> ");
  shell.type("\x03");
  shell.until("sql> ");
  shell.type("WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;\r");
  shell.until("\n");
  testing::wait_ms(300);
  const auto start = Clock::now();
  shell.type("\x03");
  has(shell.until("sql> "), "stopped");
  EXPECT_LT(since(start), 5.0 * testing::kSlow);
  has(shell.ask("SELECT 6 * 7 AS x;"), "42");
  shell.ask(".mode csv");
  shell.type(".quit\r");
  EXPECT_EQ(shell.wait(), 0);
}

TEST_F(ShellTest, CompletesNames) {
  AtTerminal shell(folder_, "sql");
  shell.until("sql> ");
  shell.type("SELECT count(*) * 21 AS n FROM reco\t WHERE dataset = 'clini\t';\r");
  shell.until("42");
  shell.type("SELECT upper(run) AS r FROM runs WHERE run = 'tag\t;\r");
  shell.until("TAGS");
  shell.type("SELECT rouge\t\t");
  const std::string list = shell.until("rouge_n(");
  has(list, "rouge_l(");
  EXPECT_EQ(list.find('\x1b'), std::string::npos);
}

TEST_F(ShellTest, KeepsWhatIsTypedForItsOwner) {
  {
    AtTerminal shell(folder_, "sql");
    shell.until("sql> ");
    shell.ask("SELECT 6 * 7 AS x;");
    shell.ask(" SELECT 'secret';");
    shell.type("\x04");
    EXPECT_EQ(shell.wait(), 0);
  }
  EXPECT_EQ(folder_.read(".local/state/residue/sql_history"), "SELECT 6 * 7 AS x;\n");
  struct stat info = {};
  ASSERT_EQ(::stat(history().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  AtTerminal shell(folder_, "sql");
  shell.until("sql> ");
  has(shell.ask("\x10"), "42");  // Ctrl-P: the statement before
  shell.type("\x04");
  EXPECT_EQ(shell.wait(), 0);
}

TEST_F(ShellTest, KeepsNothingWhereNobodyWantsIt) {
  AtTerminal shell(folder_, "sql --no-history");
  shell.until("sql> ");
  shell.ask("SELECT 6 * 7 AS x;");
  shell.type("\x04");
  EXPECT_EQ(shell.wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(history()));
}

TEST_F(ShellTest, HasCommandsThatBeginWithADot) {
  AtTerminal shell(folder_, "sql --no-history");
  shell.until("sql> ");
  has(shell.ask(".help"), "rouge_n(REFERENCE, HYPOTHESIS, N)");
  has(shell.ask(".schema"), "leaks");
  has(shell.ask(".schema records"), "record_text");
  EXPECT_EQ(shell.ask(".schema leaks").find("record_text"), std::string::npos);
  has(shell.ask(".schema recrds"), "did you mean");
  const std::string all = shell.ask(".questions");
  has(all, " 1  Which sanitizers were run");
  has(shell.ask(".questions 1"), "WHERE dataset = 'clinic'");
  has(shell.ask(".questions 99"), "no question of this number");
  shell.ask(".mode csv");
  has(shell.ask("SELECT 1 AS a, 2 AS b;"), "a,b");
  has(shell.ask(".mode"), "csv");
  has(shell.ask(".mode cvs"), "did you mean");
  has(shell.ask(".nonsense"), "no such command");
  shell.type(".quit\r");
  EXPECT_EQ(shell.wait(), 0);
}

// A long answer is a page of its own, and a reader who has seen enough of it ends that one only.
TEST_F(ShellTest, PagesLongAnswersOneByOne) {
  AtTerminal shell(folder_, "sql --no-history", "head -n 3 | sed s/^/P:/");
  shell.until("sql> ");
  const std::string longest =
      "WITH RECURSIVE c(x) AS (VALUES (100) UNION ALL SELECT x + 1 FROM c LIMIT 90000) SELECT x FROM c;";
  for (int i = 0; i < 2; ++i) {
    const std::string page = shell.ask(longest);
    has(page, "P: 100");
    EXPECT_EQ(page.find("P: 101"), std::string::npos);
    const std::string line = shell.ask("SELECT 6 * 7 AS x;");
    has(line, "42");
    EXPECT_EQ(line.find("P:"), std::string::npos);
  }
}

// Neither texts nor names nor what was typed.
TEST_F(ShellTest, LetsNothingDriveTheTerminal) {
  AtTerminal shell(folder_, "sql --no-history");
  shell.until("sql> ");
  for (const char* mode : {"table", "json", "csv"}) {
    shell.ask(std::string(".mode ") + mode);
    const std::string screen = shell.ask("SELECT record, text(variant_text) AS text FROM variants WHERE run = 'tags';");
    has(screen, "clocks");
    EXPECT_EQ(screen.find('\x1b'), std::string::npos) << mode;
  }
  shell.type("SELECT record FROM records WHERE record = 'r\t\t");
  EXPECT_EQ(shell.until("'r").find('\x1b'), std::string::npos);
}

TEST_F(ShellTest, EndsWithItsTerminal) {
  AtTerminal shell(folder_, "sql");
  shell.until("sql> ");
  shell.hang_up();
  EXPECT_EQ(shell.wait(), 128 + SIGHUP);
}

}  // namespace
}  // namespace residue::cli
