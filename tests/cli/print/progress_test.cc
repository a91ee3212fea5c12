#include "cli/print/progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace residue::cli {
namespace {

// A pipe whose reading end tells what was written.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() { ::close(ends_[0]); }
  [[nodiscard]] int in() const { return ends_[1]; }
  std::string close_and_read() {
    ::close(ends_[1]);
    std::string all(1 << 16, '\0');
    const ssize_t got = ::read(ends_[0], all.data(), all.size());
    all.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return all;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(ProgressLine, SaysShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("judging", 1240, 5000, 1240 / 38.0), "judging  1 240/5 000  24 %  38/s  ETA 1m39s");
  EXPECT_EQ(progress_line("judging", 5000, 5000, 10), "judging  5 000/5 000  100 %  500/s");
  EXPECT_EQ(progress_line("reading", 1240, 0, 620), "reading  1 240  2.0/s");
  EXPECT_EQ(progress_line("judging", 0, 5000, 10), "judging  0/5 000  0 %");
}

TEST(Progress, TellsTroubleOnceWhereNobodyLooksOn) {
  Pipe pipe;
  {
    Globals hushed;
    hushed.no_progress = true;
    Progress progress(hushed, "asking", Progress::Where::kElsewhere, pipe.in());
    progress.trouble("cannot reach far");
    progress.trouble("");
    progress.trouble("cannot reach far");
  }
  EXPECT_EQ(pipe.close_and_read(), "cannot reach far\n");
  Pipe silent;
  {
    Globals quiet;
    quiet.quiet = true;
    Progress(quiet, "asking", Progress::Where::kElsewhere, silent.in()).trouble("cannot reach far");
  }
  EXPECT_EQ(silent.close_and_read(), "");
}

TEST(Progress, SaysThatItWaits) {
  Pipe pipe;
  {
    Progress progress({}, "asking", Progress::Where::kTerminal, pipe.in());
    progress.trouble("cannot reach far");
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    progress.update(0, 100);
    progress.trouble("");
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.update(1, 100);
  }
  const std::string drawn = pipe.close_and_read();
  EXPECT_EQ(drawn.find("cannot reach far\n\rasking  0/100  0 %  waiting for a reply"), 0U) << drawn;
  EXPECT_NE(drawn.find("\rasking  1/100  1 %"), std::string::npos) << drawn;
}

// A stage that says nothing for long is seen all the same, and the next one does not wait a second of its own.
TEST(Progress, ShowsWhatWasSaidLast) {
  Pipe pipe;
  {
    Progress progress({}, "", Progress::Where::kTerminal, pipe.in());
    progress.update("evaluating d", 0, 50);
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    progress.extra("linking d/r");
    progress.update("evaluating e", 5, 50);
  }
  const std::string drawn = pipe.close_and_read();
  EXPECT_EQ(drawn.find("\revaluating d  0/50  0 %"), 0U) << drawn;
  EXPECT_NE(drawn.find("\revaluating e  5/50  10 %"), std::string::npos) << drawn;
}

TEST(Progress, IsForTerminals) {
  Pipe pipe;
  {
    Progress progress({}, "linking", Progress::Where::kElsewhere, pipe.in());
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    progress.update(1, 100);
  }
  EXPECT_EQ(pipe.close_and_read(), "");
}

TEST(Progress, SaysNothingInTheFirstSecond) {
  Pipe pipe;
  {
    Progress progress({}, "linking", Progress::Where::kTerminal, pipe.in());
    for (std::uint64_t i = 0; i <= 1000; ++i) progress.update(i, 1000);
  }
  EXPECT_EQ(pipe.close_and_read(), "");
}

TEST(Progress, DrawsOnATerminalAndCleansUp) {
  Pipe pipe;
  {
    Progress progress({}, "linking", Progress::Where::kTerminal, pipe.in());
    progress.extra("retries 3");
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&] { progress.update(10, 100); });
  }
  const std::string drawn = pipe.close_and_read();
  EXPECT_EQ(drawn.find("\rlinking  10/100  10 %"), 0U) << drawn;
  EXPECT_NE(drawn.find("retries 3"), std::string::npos);
  EXPECT_EQ(drawn.substr(drawn.size() - 4), "\r\x1b[K");
}

TEST(Progress, GivesEachLabelALineOfItsOwn) {
  Pipe pipe;
  {
    Progress progress({}, "", Progress::Where::kTerminal, pipe.in());
    progress.update("linking", 1, 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    progress.update("linking", 5, 10);
    progress.update("judging", 1, 10);
  }
  const std::string drawn = pipe.close_and_read();
  EXPECT_EQ(drawn.find("\rlinking  "), 0U) << drawn;
  EXPECT_NE(drawn.find("\rjudging  1/10  10 %\x1b[K"), std::string::npos) << drawn << " (nobody knows its rate yet)";
}

TEST(Progress, IsSilentWhenAskedTo) {
  for (const bool quiet : {true, false}) {
    Pipe pipe;
    Globals globals;
    (quiet ? globals.quiet : globals.no_progress) = true;
    {
      Progress progress(globals, "linking", Progress::Where::kTerminal, pipe.in());
      std::this_thread::sleep_for(std::chrono::milliseconds(1010));
      progress.update(10, 100);
    }
    EXPECT_EQ(pipe.close_and_read(), "");
  }
}

}  // namespace
}  // namespace residue::cli
