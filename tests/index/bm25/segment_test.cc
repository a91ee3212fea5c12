#include "index/bm25/segment.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/bm25/bm25_linker.h"
#include "storage/disk/fault.h"
#include "tests/index/corpus.h"

namespace residue::index {
namespace {

namespace fs = std::filesystem;
using testing::Corpus;
using testing::IndexDir;

const text::Analyzer& fsp() { return text::Analyzer::fsp(); }

unsigned mode(const fs::path& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

TEST(Segment, IsOnePrivateFileNamedByRunAndHash) {
  const mode_t before = umask(0);
  const IndexDir dir;
  const Corpus corpus({"fever and pain", "", "wine"});
  const Segment segment = corpus.build(dir.path(), fsp());
  umask(before);
  EXPECT_TRUE(std::regex_match(segment.file, std::regex("run1-[0-9a-f]{16}\\.glass"))) << segment.file;
  EXPECT_EQ(segment.sha256.size(), 64U);
  EXPECT_EQ(segment.file.substr(5, 16), segment.sha256.substr(0, 16));
  EXPECT_EQ(segment.documents, 2U);
  EXPECT_EQ(segment.bytes, fs::file_size(dir.path() / segment.file));
  EXPECT_EQ(mode(dir.path() / segment.file), 0600U);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1) << "the temporary directory is gone";
}

TEST(Segment, KeepsItsTemporaryDirectoryPrivate) {
  const mode_t before = umask(0);
  const IndexDir dir;
  {
    const SegmentBuilder builder(dir.path(), RunId{1}, fsp());
    const fs::path temp = fs::directory_iterator(dir.path())->path();
    EXPECT_EQ(temp.filename().string().rfind(".tmp-" + std::to_string(getpid()) + "-", 0), 0U);
    EXPECT_EQ(mode(temp), 0700U);
  }
  umask(before);
  EXPECT_TRUE(fs::is_empty(dir.path())) << "nothing is left of a builder that did not publish";
}

TEST(Segment, SurvivesLeftoversOfAKilledProcessWithTheSameId) {
  const IndexDir dir;
  for (int n = 0; n < 2'000; ++n)
    fs::create_directory(dir.path() / (".tmp-" + std::to_string(getpid()) + "-" + std::to_string(n)));
  const Corpus corpus({"fever"});
  const Segment segment = corpus.build(dir.path(), fsp());
  EXPECT_NO_THROW(verify_segment(dir.path() / segment.file, segment.sha256));
}

TEST(Segment, RefusesCandidatesOutOfOrder) {
  const IndexDir dir;
  SegmentBuilder builder(dir.path(), RunId{1}, fsp());
  builder.add({2}, "fever");
  EXPECT_THROW(builder.add({2}, "pain"), Error);
  EXPECT_THROW(builder.add({1}, ""), Error);
}

TEST(Segment, NoticesEveryDamagedByte) {
  const IndexDir dir;
  const Corpus corpus({"fever and pain", "wine in Oslo"});
  const Segment segment = corpus.build(dir.path(), fsp());
  const fs::path file = dir.path() / segment.file;
  EXPECT_NO_THROW(verify_segment(file, segment.sha256));
  const auto flip = [&](std::uint64_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(byte ^ 1));
  };
  for (std::uint64_t at = 0; at < segment.bytes; at += 997) {
    flip(at);
    EXPECT_THROW(verify_segment(file, segment.sha256), Error) << at;
    flip(at);
  }
  EXPECT_NO_THROW(verify_segment(file, segment.sha256));
  fs::resize_file(file, segment.bytes - 1);
  EXPECT_THROW(verify_segment(file, segment.sha256), Error);
  fs::remove(file);
  try {
    verify_segment(file, segment.sha256);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kCorrupt);
  }
}

// Killed at each durable step: before the rename there is no segment, after it a whole one.
TEST(Segment, IsAllOrNothingAtEveryFaultPoint) {
  const struct {
    const char* point;
    bool published;
  } steps[] = {{"index.built", false}, {"index.synced", false}, {"index.renamed", true}, {"index.dir_synced", true}};
  for (const auto& step : steps) {
    SCOPED_TRACE(step.point);
    const IndexDir dir;
    const Corpus corpus({"fever and pain", "wine in Oslo"});
    const pid_t child = fork();
    if (child == 0) {
      setenv("RESIDUE_FAULT", step.point, 1);
      storage::reset_fault_points();
      corpus.build(dir.path(), fsp());
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the step was not reached";
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    std::vector<fs::path> published;
    for (const auto& entry : fs::directory_iterator(dir.path())) {
      if (entry.path().extension() == ".glass") published.push_back(entry.path());
    }
    ASSERT_EQ(published.size(), step.published ? 1U : 0U);
    if (step.published) {
      const Bm25Linker linker(published, corpus.table(), fsp());
      const std::vector<Query> query = {{"Oslo", "", {}}};
      EXPECT_EQ(linker.top(query, 1)[0].at(0).candidate, CandidateId{2});
    }
    EXPECT_NO_THROW(corpus.build(dir.path(), fsp())) << "the same command works again";
  }
}

}  // namespace
}  // namespace residue::index
