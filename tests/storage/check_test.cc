// Damage is named with what it costs, and the rest can be saved.
#include "storage/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/migrate.h"
#include "storage/pages/page_image.h"
#include "storage/pages/tree.h"
#include "storage/store.h"
#include "tests/storage/older_store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Checked : public ::testing::Test {
 protected:
  Checked() : older_(4) {
    migrate_store(older_.dir(), {});
    settle();
  }

  [[nodiscard]] fs::path catalog() const { return older_.dir() / "catalog.db"; }
  void settle() const {
    Db db(catalog(), DbMode::kReadWrite);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  [[nodiscard]] std::vector<std::uint32_t> pages_of(const std::string& name) const {
    Db db(catalog(), DbMode::kReadWrite);
    const PageImage image(db.handle());
    std::vector<std::uint32_t> pages;
    TreeVisitor visitor;
    visitor.page = [&](std::uint32_t page) { pages.push_back(page); };
    for (const Tree& tree : trees_of(image)) {
      if (tree.name == name) walk_tree(image, tree.root, visitor);
    }
    return pages;
  }

  void damage(std::uint32_t page) const { flip(catalog(), (page - 1) * 4096ULL + 2000); }
  static void flip(const fs::path& name, std::uint64_t byte) {
    std::fstream file(name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(byte));
    const int was = file.get();
    file.seekp(static_cast<std::streamoff>(byte));
    file.put(static_cast<char>(was ^ 16));
  }

  std::unique_ptr<Store> open() const {
    OpenOptions options;
    options.with_losses = true;
    return std::make_unique<Store>(older_.dir(), options);
  }
  static std::int64_t count(Store& store, const char* sql) {
    Statement find = store.db().prepare(sql);
    return find.step() ? find.integer(0) : -1;
  }

  OlderStore older_;
};

TEST_F(Checked, NumbersThatAreDamagedAreForgotten) {
  damage(pages_of("metric").back());
  const auto store = open();
  const CheckResult found = check_store(*store);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.derived_problems,
              Contains(HasSubstr("of table metric is not what was written: its rows are lost: residue eval")));
  const CheckResult now = repair_store(*store, found);
  EXPECT_THAT(now.problems, IsEmpty());
  EXPECT_THAT(now.derived_problems, IsEmpty());
  EXPECT_EQ(count(*store, "SELECT count(*) FROM metric"), 0);
  EXPECT_EQ(count(*store, "SELECT count(*) FROM evaluation WHERE run_content <> x''"), 0)
      << "nothing counts as current";
  EXPECT_EQ(count(*store, "SELECT count(*) FROM record"), 6);
  EXPECT_GT(count(*store, "SELECT count(*) FROM metric_history"), 0);
}

TEST_F(Checked, AnIndexThatIsDamagedCostsNothing) {
  damage(pages_of("claim_by_record").back());
  const auto store = open();
  const CheckResult found = check_store(*store);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.derived_problems, Contains(HasSubstr("of an index of table claim")));
  const CheckResult now = repair_store(*store, found);
  EXPECT_THAT(now.problems, IsEmpty());
  EXPECT_GT(count(*store, "SELECT count(*) FROM metric"), 0) << "the numbers are as they were";
  EXPECT_EQ(count(*store, "SELECT count(*) FROM evaluation WHERE run_content = x''"), 0);
}

TEST_F(Checked, RecordsThatAreLostAreNamedAndTakenOut) {
  damage(pages_of("record").back());
  {
    const auto store = open();
    const std::int64_t highest = count(*store, "SELECT seq FROM sqlite_sequence WHERE name = 'record'");
    const CheckResult found = check_store(*store);
    EXPECT_THAT(
        found.problems,
        Contains(HasSubstr("of table record is not what was written: its rows are lost: residue ingest dataset")));
    const CheckResult now = repair_store(*store, found);
    EXPECT_THAT(now.problems, IsEmpty());
    EXPECT_THAT(now.repaired, Contains("lost: record clinic/n-03"));
    EXPECT_THAT(now.repaired, Contains(HasSubstr("rows of table claim hung on others that are lost")));
    EXPECT_EQ(count(*store, "SELECT seq FROM sqlite_sequence WHERE name = 'record'"), highest)
        << "ids are not given again";
  }
  Store store(older_.dir());  // as any command opens it
  const fs::path kept = older_.dir() / "quarantine-1";
  EXPECT_THAT(read_small_file(kept / "report.txt"), HasSubstr("lost: record clinic/n-03"));
  EXPECT_TRUE(fs::exists(kept / "catalog.db"));
  store.collect_garbage();
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_THAT(check_store(store).problems, IsEmpty());
}

// Whatever page it is: the store is whole afterwards, or that is said.
TEST_F(Checked, AnyPageThatIsDamagedCanBeRepairedOrThatIsSaid) {
  const std::uint32_t pages = static_cast<std::uint32_t>(fs::file_size(catalog()) / 4096);
  const char* all = std::getenv("RESIDUE_FLIPS");
  const std::uint32_t step = all == nullptr ? 9 : 1;
  int repaired = 0, beyond = 0;
  for (std::uint32_t page = 1; page <= pages; page += step) {
    SCOPED_TRACE(page);
    const OlderStore copy(4);
    fs::remove_all(copy.dir());
    fs::copy(older_.dir(), copy.dir(), fs::copy_options::recursive);
    fs::permissions(copy.dir(), fs::perms::owner_all);
    flip(copy.dir() / "catalog.db", (page - 1) * 4096ULL + 2000);
    try {
      OpenOptions options;
      options.with_losses = true;
      Store store(copy.dir(), options);
      const CheckResult found = check_store(store);
      EXPECT_FALSE(found.problems.empty() && found.derived_problems.empty());
      const CheckResult now = repair_store(store, found);
      EXPECT_THAT(now.problems, IsEmpty());
      EXPECT_THAT(now.derived_problems, IsEmpty());
      ++repaired;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt) << error.what();
      EXPECT_THAT(error.hint(), HasSubstr("backup"));
      ++beyond;
      continue;
    }
    Store store(copy.dir());
    EXPECT_THAT(check_store(store).problems, IsEmpty());
  }
  EXPECT_GT(repaired, 3 * beyond);
  std::cout << repaired << " repaired, " << beyond << " only by a backup\n";
}

TEST_F(Checked, ARepairThatDiedIsRepeated) {
  for (const char* step : {"repair.before_replace", "repair.log_removed", "repair.replaced", "facts.commit.before",
                           "batch.before_catalog", "batch.committed"}) {
    SCOPED_TRACE(step);
    const OlderStore copy(4);
    migrate_store(copy.dir(), {});
    {
      Db db(copy.dir() / "catalog.db", DbMode::kReadWrite);
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    flip(copy.dir() / "catalog.db", (pages_of("record").back() - 1) * 4096ULL + 2000);
    OpenOptions options;
    options.with_losses = true;
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("RESIDUE_FAULT", step, 1);
      reset_fault_points();
      try {
        Store store(copy.dir(), options);
        repair_store(store, check_store(store));
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || std::string(step) == "facts.commit.before");
    Store store(copy.dir(), options);
    repair_store(store, check_store(store));
    EXPECT_THAT(check_store(store).problems, IsEmpty());
    EXPECT_EQ(count(store, "SELECT count(*) FROM record"), 0);
    EXPECT_EQ(count(store, "SELECT count(*) FROM dataset"), 1);
  }
}

TEST_F(Checked, ATextThatIsDamagedIsNamedByItsRecordAndRun) {
  const auto store = open();
  {
    const auto batch = store->write();
    Statement find = batch->db().prepare("SELECT text_id FROM record WHERE key = 'n-02'");
    ASSERT_TRUE(find.step());
    const TextId text = find.id<TextId>(0);
    find.reset();
    batch->facts().erase(text);
    batch->commit();
  }
  const CheckResult found = check_store(*store);
  EXPECT_THAT(found.problems, Contains(HasSubstr("it is not there: it is record clinic/n-02")));
  const CheckResult now = repair_store(*store, found);
  EXPECT_THAT(now.problems, IsEmpty());
  EXPECT_THAT(now.repaired, Contains(HasSubstr("lost: record clinic/n-02")));
  EXPECT_EQ(count(*store, "SELECT count(*) FROM record"), 5);
}

TEST_F(Checked, LostCommitsAreAProblemAndAreAccepted) {
  const fs::path kept = older_.folder() / "kept.db";
  fs::copy(catalog(), kept);
  {
    Store store(older_.dir());
    const auto batch = store.write();
    batch->db().run("UPDATE record SET label = 'new'");
    batch->commit();
  }
  settle();
  fs::copy(kept, catalog(), fs::copy_options::overwrite_existing);
  EXPECT_THROW(Store{older_.dir()}, Error);
  const auto store = open();
  const CheckResult found = check_store(*store);
  EXPECT_THAT(found.problems, Contains(HasSubstr("the catalog has lost its newest 1 of")));
  EXPECT_THAT(repair_store(*store, found).problems, IsEmpty());
}

}  // namespace
}  // namespace residue::storage
