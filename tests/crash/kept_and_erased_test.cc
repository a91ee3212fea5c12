// What was removed and collected is in no byte of the store; what a model said is kept as it came, even if unusable.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_with(const fs::path& dir, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    if (bytes.find(text) != std::string::npos) names.push_back(fs::relative(entry.path(), dir).string());
  }
  return names;
}

// Short texts stand in their frames as they are.
TEST(Erasure, ARemovedTextIsInNoByteAfterGc) {
  const Scratch scratch;
  Workload job(scratch.path());
  const std::string removed = "He has asthma and lives in Ghent";
  std::size_t gc = 0;
  while (job.steps()[gc].words[0] != "gc") ++gc;
  EXPECT_FALSE(files_with(job.before(gc) / ".residue", removed).empty());
  EXPECT_EQ(files_with(job.before(gc + 1) / ".residue", removed), std::vector<std::string>());
}

// An answer that cannot be used was paid for as any other: it is kept before it is read.
TEST(Answers, OneThatCannotBeUsedIsKept) {
  const Scratch scratch;
  Workload job(scratch.path());
  StubProcess other(scratch.path() / "other", "not-json");
  std::size_t asking = 0;
  while (job.steps()[asking].words.size() < 7 || job.steps()[asking].words[5] != "stub") ++asking;
  const fs::path dir = scratch.path() / "misled";
  copy_tree(job.before(asking), dir);
  (void)run(dir, {"model", "add", "bad", "--url", other.url(), "--model", "b", "--votes", "1", "-q"});
  (void)run(dir, {"eval", "d/m", "--protocol", "bm25/first:1/claims", "--judge", "bad", "-q"});
  const Seen seen = verify(dir);
  EXPECT_EQ(seen.problems, std::vector<std::string>());
  EXPECT_GT(other.requests().size(), 0U);
  EXPECT_EQ(seen.counts.at("answer"), static_cast<std::int64_t>(other.requests().size()));
}

}  // namespace
}  // namespace residue::crash
