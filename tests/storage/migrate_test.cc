#include "storage/migrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"
#include "storage/check.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/erase/backups.h"
#include "storage/store.h"
#include "tests/storage/older_store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::int64_t> rows(Db& db) {
  std::map<std::string, std::int64_t> all;
  Statement tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (tables.step()) {
    const std::string name(tables.text(0));
    Statement count = db.prepare("SELECT count(*) FROM " + name);
    count.step();
    all[name] = count.integer(0);
  }
  return all;
}

// Every number of every metric, by names.
std::string numbers(Db& db) {
  std::string all;
  Statement find = db.prepare(
      "SELECT r.name, e.tier, m.metric, m.slice, m.value, m.low, m.high, m.n, m.failed, m.missing FROM metric m "
      "JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id ORDER BY m.evaluation_id, m.metric, "
      "m.slice");
  while (find.step()) {
    for (int i = 0; i < find.columns(); ++i) all += std::string(find.text(i)) + "|";
    all += "\n";
  }
  return all;
}

struct Before {
  std::map<std::string, std::int64_t> rows;
  std::string numbers;
};

Before before(const fs::path& dir) {
  Db db(dir / "catalog.db", DbMode::kUnchecked);
  return {rows(db), numbers(db)};
}

// Every copy that migrations left beside the store is one that a purge names.
void expect_copies_noted(const fs::path& dir, Store& store) {
  std::set<std::string> there, noted;
  for (const auto& entry : fs::directory_iterator(fs::absolute(dir).parent_path())) {
    if (entry.path().extension() == ".tar") there.insert(entry.path().string());
  }
  std::size_t notes = 0;
  for (const RecordedBackup& backup : backups_with(store.db(), 1)) {
    if (backup.there) noted.insert(backup.path), ++notes;
  }
  EXPECT_EQ(noted, there);
  EXPECT_EQ(notes, there.size());
}

void expect_same(const fs::path& dir, Before old) {
  Store store(dir);
  expect_copies_noted(dir, store);
  std::map<std::string, std::int64_t> now = rows(store.db());
  for (const auto& [table, count] : old.rows) {
    EXPECT_TRUE(now[table] == count || table == "store_info" || table == "backup") << table;
  }
  EXPECT_EQ(numbers(store.db()), old.numbers);
  const CheckResult result = check_store(store);
  EXPECT_THAT(result.problems, ::testing::IsEmpty());
  EXPECT_THAT(result.derived_problems, ::testing::IsEmpty());
  EXPECT_GT(result.texts, 0U);
}

class Migrate : public ::testing::TestWithParam<int> {};

TEST_P(Migrate, KeepsACopyAndEveryRow) {
  const OlderStore store(GetParam());
  const Before old = before(store.dir());
  ASSERT_GT(old.rows.at("metric"), 0);
  try {
    Store refused(store.dir());
    FAIL() << "an older store opens";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(error.hint().find("residue migrate"), std::string::npos) << error.hint();
  }
  const Migration done = migrate_store(store.dir(), {});
  EXPECT_EQ(done.from, GetParam());
  expect_same(store.dir(), old);
  const fs::path restored = store.folder() / "restored";
  fs::create_directory(restored);
  ASSERT_EQ(std::system(("tar xf '" + done.copy.string() + "' -C '" + restored.string() + "'").c_str()), 0);
  EXPECT_EQ(read_small_file(restored / ".residue" / "format"), "residue store " + std::to_string(GetParam()) + "\n");
  EXPECT_EQ(before(restored / ".residue").numbers, old.numbers);
  EXPECT_EQ(migrate_store(store.dir(), {}).from, kFormatVersion) << "again there is nothing to do";
}

// Stopped where the step'th durable step is reached; nothing if it comes to its end before.
std::optional<int> killed_at(const fs::path& dir, int step) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("RESIDUE_FAULT", std::to_string(step).c_str(), 1);
    reset_fault_points();
    try {
      migrate_store(dir, {});
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return std::nullopt;
}

TEST_P(Migrate, GoesOnWhereItDied) {
  int step = 1;
  for (bool died = true; died; ++step) {
    SCOPED_TRACE(step);
    const OlderStore store(GetParam());
    const Before old = before(store.dir());
    const auto signal = killed_at(store.dir(), step);
    died = signal.has_value();
    EXPECT_EQ(signal.value_or(SIGKILL), SIGKILL);
    migrate_store(store.dir(), {});
    expect_same(store.dir(), old);
    std::size_t copies = 0;
    for (const auto& entry : fs::directory_iterator(store.folder())) {
      copies += entry.path().extension() == ".tar" ? 1 : 0;
      EXPECT_NE(entry.path().extension(), ".partial");
    }
    EXPECT_EQ(copies, step == 1 ? 2U : 1U) << "died before the copy was known, or after";
    for (const auto& entry : fs::directory_iterator(store.dir())) {
      const std::string name = entry.path().filename();
      EXPECT_FALSE(name.starts_with("migrat")) << name;
    }
  }
  EXPECT_GT(step, 4);
}

INSTANTIATE_TEST_SUITE_P(Formats, Migrate, ::testing::Values(2, 3, 4, 5, 6, 7));

TEST(MigrateStore, WaitsForNobodyElse) {
  const OlderStore store(4);
  const auto other = Lock::take(store.dir() / "store.lock", LockMode::kShared, 0);
  ASSERT_TRUE(other);
  try {
    migrate_store(store.dir(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBusy);
  }
  EXPECT_EQ(before(store.dir()).rows.at("dataset"), 1);
}

TEST(MigrateStore, TakesFormatFourOfBeforeAnswersBelongedToNoRecord) {
  const OlderStore store(4);
  {
    Db db(store.dir() / "catalog.db", DbMode::kUnchecked);
    db.run(
        "DROP TRIGGER task_answer_of_record; DROP TRIGGER task_answer_of_text; DROP TABLE task_answer;"
        "DROP TABLE privacy_release;"
        "CREATE TABLE task_answer ("
        "  run_id    INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
        "  record_id INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,"
        "  model     TEXT NOT NULL,"
        "  task      TEXT NOT NULL CHECK (task IN "
        "('choice','coherence','category','attributes','utility','qa','response')),"
        "  answer_id INTEGER,"
        "  about     INTEGER NOT NULL,"
        "  PRIMARY KEY (run_id, model, task, record_id)"
        ") STRICT, WITHOUT ROWID;"
        "CREATE INDEX task_answer_by_record ON task_answer (record_id);"
        "INSERT INTO task_answer (run_id, record_id, model, task, answer_id, about) "
        "SELECT r.id, (SELECT min(id) FROM record), 'm', 'coherence', NULL, -5 FROM run r WHERE r.name = 'tags'");
  }
  migrate_store(store.dir(), {});
  Store open(store.dir());
  Statement kept = open.db().prepare("SELECT model, task, answer_id IS NULL, about FROM task_answer");
  ASSERT_TRUE(kept.step());
  EXPECT_EQ(kept.text(0), "m");
  EXPECT_EQ(kept.text(1), "coherence");
  EXPECT_EQ(kept.integer(2), 1);
  EXPECT_EQ(kept.integer(3), -5);
  EXPECT_FALSE(kept.step());
  const auto batch = open.write();
  batch->db().run("DELETE FROM record");
  Statement gone = batch->db().prepare("SELECT count(*) FROM task_answer");
  ASSERT_TRUE(gone.step());
  EXPECT_EQ(gone.integer(0), 0) << "an answer goes with its record, as before";
}

// Nobody knows whether answers of format 7 were blind: that is neither yes nor no.
TEST(MigrateStore, SaysNothingOfAttemptsThatNobodySaid) {
  const OlderStore store(7);
  migrate_store(store.dir(), {});
  Store open(store.dir());
  Statement find = open.db().prepare(
      "SELECT count(*), count(answered_at), count(blind), count(stratum), sum(told), (SELECT count(*) FROM "
      "intruder_look) "
      "FROM intruder_attempt");
  ASSERT_TRUE(find.step());
  EXPECT_EQ(find.integer(0), 4);
  EXPECT_EQ(find.integer(1), 3);
  EXPECT_EQ(find.integer(2), 0);
  EXPECT_EQ(find.integer(3), 0);
  EXPECT_EQ(find.integer(4), 1);
  EXPECT_EQ(find.integer(5), 0);
}

TEST(MigrateStore, NeverGivesAnIdTwice) {
  const OlderStore store(4);  // its last record was removed
  std::int64_t highest = 0;
  {
    Db db(store.dir() / "catalog.db", DbMode::kUnchecked);
    Statement find = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'record'");
    ASSERT_TRUE(find.step());
    highest = find.integer(0);
  }
  migrate_store(store.dir(), {});
  Store open(store.dir());
  Statement find =
      open.db().prepare("SELECT seq, (SELECT max(id) FROM record) FROM sqlite_sequence WHERE name = 'record'");
  ASSERT_TRUE(find.step());
  EXPECT_EQ(find.integer(0), highest);
  EXPECT_LT(find.integer(1), highest);
}

}  // namespace
}  // namespace residue::storage
