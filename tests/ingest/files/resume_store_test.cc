// Interruption at every durable step, and going on.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/batches/batch.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "storage/disk/fault.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

const std::size_t kBatchRows = IngestOptions().batch_rows;
constexpr std::size_t kRows = 25;  // two batches of 20

class Resume : public StoreTest {
 protected:
  static std::vector<RecordRow> many(std::size_t count) {
    std::vector<RecordRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back(record("k" + std::to_string(i), "text number " + std::to_string(i)));
    }
    return rows;
  }
  IngestResult ingest(const std::vector<RecordRow>& rows, const IngestOptions& options = {},
                      const SourceIdentity& from = file()) {
    VectorSource<RecordRow> source(rows);
    return ingest_dataset(store(), "d", source, from, options);
  }
};

TEST_F(Resume, KeepsTheBatchesBeforeAnErrorAndGoesOnBehindThem) {
  auto rows_wanted = many(kBatchRows + 5);
  auto broken = rows_wanted;
  broken.back().key = "";
  const auto error = error_of([&] { ingest(broken); });
  EXPECT_EQ(error.second, "rows.jsonl:20005: the id is empty");
  EXPECT_EQ(rows("SELECT count(*) FROM record"), (std::vector<std::string>{"20000"}));
  EXPECT_EQ(rows("SELECT target, lines FROM ingest_progress"), (std::vector<std::string>{"dataset d|20000"}));
  EXPECT_EQ(error_of([&] { check_complete(store().db(), "dataset d"); }).first, 6);

  // The mended file is the same one by size and time here: earlier lines count as they did, once.
  EXPECT_EQ(ingest(rows_wanted).counts, (Counts{kBatchRows + 5, 0, 0, 0}));
  EXPECT_TRUE(rows("SELECT * FROM ingest_progress").empty());
  EXPECT_NO_THROW(check_complete(store().db(), "dataset d"));
}

TEST_F(Resume, StartsOverWhenTheFileIsAnotherOne) {
  auto broken = many(kBatchRows + 5);
  broken.back().key = "";
  error_of([&] { ingest(broken); });
  EXPECT_EQ(ingest(many(kBatchRows + 5), {}, file("/data/rows.jsonl", 2)).counts, (Counts{5, kBatchRows, 0, 0}));
}

TEST_F(Resume, RemembersTheIdsOfCommittedLines) {
  auto broken = many(kBatchRows + 5);
  broken.back().key = "";
  error_of([&] { ingest(broken); });
  broken.back().key = "k3";
  EXPECT_EQ(error_of([&] { ingest(broken); }).second, "rows.jsonl:20005: the id was on an earlier line already");
}

TEST_F(Resume, StopsWhenInterruptedWithWholeBatches) {
  IngestOptions options;
  int looks = 0;
  options.interrupted = [&] { return ++looks > 170; };  // 79 looks at reading and 79 at storing the first batch
  EXPECT_EQ(error_of([&] { ingest(many(2 * kBatchRows), options); }).first, 130);
  EXPECT_EQ(rows("SELECT count(*) FROM record"), (std::vector<std::string>{"20000"}));
  EXPECT_EQ(ingest(many(2 * kBatchRows)).counts, (Counts{2 * kBatchRows, 0, 0, 0}));
}

// What the child does: records, then an aligned run, then a synthetic one that is continued.
void work(storage::Store& store) {
  std::vector<RecordRow> records;
  std::vector<VariantRow> variants, texts;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::string key = "k" + std::to_string(i);
    records.push_back(record(key, "t" + std::to_string(i)));
    variants.push_back(variant(key, i % 7 == 0 ? "" : "s" + std::to_string(i)));
    texts.push_back(variant("", "y" + std::to_string(i % 100)));
    texts.back().key.reset();
  }
  VectorSource<RecordRow> a(records);
  IngestOptions small;
  small.batch_rows = 20;
  ingest_dataset(store, "d", a, file("/data/records"), small);
  VectorSource<VariantRow> b(variants);
  ingest_run(store, "d", "r", {}, b, file("/data/variants"), small);
  RunSpec synthetic;
  synthetic.synthetic = true;
  IngestOptions append = small;
  append.append = true;
  const bool continued = [&] {
    storage::Statement done =
        store.db().prepare("SELECT count(*) FROM variant JOIN run ON run.id = run_id WHERE name = 'y'");
    return done.step() && done.integer(0) == static_cast<std::int64_t>(kRows);
  }();
  if (continued) return;
  VectorSource<VariantRow> c(texts);
  ingest_run(store, "d", "y", synthetic, c, file("/data/texts"), append);
}

TEST_F(Resume, EqualsAnUninterruptedIngestAfterDyingAtAnyStep) {
  work(store());
  const auto wanted = dump();
  int point = 0;
  for (bool died = true; died;) {
    ++point;
    SCOPED_TRACE(point);
    ASSERT_LT(point, 200);
    store_.reset();
    std::filesystem::remove_all(dir_ / ".residue");
    storage::Store::create(dir_);
    std::filesystem::remove(dir_ / "steps");
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("RESIDUE_FAULT", std::to_string(point).c_str(), 1);
      ::setenv("RESIDUE_FAULT_TRACE", (dir_ / "steps").c_str(), 1);
      storage::reset_fault_points();
      open();
      work(store());
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    died = WIFSIGNALED(status);
    if (died) {
      ASSERT_EQ(WTERMSIG(status), SIGKILL);
    }
    open();
    work(store());
    ASSERT_EQ(dump(), wanted);
  }
  std::map<std::string, int> steps;  // of the last child, which lived
  std::ifstream trace(dir_ / "steps");
  for (std::string step; std::getline(trace, step);) ++steps[step];
  const std::map<std::string, int> each_commit = {{"batch.before_facts", 6},
                                                  {"facts.commit.before", 6},
                                                  {"facts.commit.after", 6},
                                                  {"batch.before_catalog", 6},
                                                  {"batch.committed", 6}};
  EXPECT_EQ(steps, each_commit);  // two commits for each of three files
  EXPECT_EQ(point - 1, 30);
  std::cout << "died at " << point - 1 << " steps\n";
}

}  // namespace
}  // namespace residue::ingest::testing
