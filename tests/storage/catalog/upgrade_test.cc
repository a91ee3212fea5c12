#include "storage/catalog/upgrade.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

// The table as stores had it whose answers were of records alone.
constexpr char kBefore[] =
    "DROP TRIGGER task_answer_of_record; DROP TRIGGER task_answer_of_text; DROP TABLE task_answer;"
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
    "CREATE INDEX task_answer_by_record ON task_answer (record_id);";

class Upgrade : public ::testing::Test {
 protected:
  Upgrade() {
    std::string name = (fs::temp_directory_path() / "residue-upgrade-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
  }
  ~Upgrade() override { fs::remove_all(dir_); }

  std::vector<std::string> schema_of_answers(Db& db) {
    std::vector<std::string> all;
    Statement find = db.prepare(
        "SELECT sql FROM sqlite_master WHERE tbl_name = 'task_answer' OR name LIKE "
        "'task_answer%' ORDER BY name");
    while (find.step()) all.emplace_back(find.is_null(0) ? "" : find.text(0));
    return all;
  }

  fs::path dir_;
};

TEST_F(Upgrade, GivesAnOlderStoreTheTableOfToday) {
  std::vector<std::string> today;
  {
    Store store(dir_ / ".residue");
    today = schema_of_answers(store.db());
    const auto batch = store.write();
    batch->db().run(kBefore);
    batch->db().run("INSERT INTO dataset (id, name, content, created_at) VALUES (1, 'd', zeroblob(16), 1)");
    batch->db().run("INSERT INTO record (id, dataset_id, key, text_id) VALUES (7, 1, 'a', 3)");
    batch->db().run(
        "INSERT INTO run (id, dataset_id, name, kind, removes_everything, content, created_at) "
        "VALUES (2, 1, 'r', 'aligned', 0, zeroblob(16), 1)");
    batch->db().run(
        "INSERT INTO task_answer (run_id, record_id, model, task, answer_id, about) "
        "VALUES (2, 7, 'm', 'coherence', NULL, -5)");
    batch->commit();
    EXPECT_TRUE(needs_upgrade(store.db()));
  }
  {
    OpenOptions read_only;
    read_only.read_only = true;
    Store reader(dir_ / ".residue", read_only);
    EXPECT_TRUE(needs_upgrade(reader.db())) << "who only reads changes nothing";
  }
  Store store(dir_ / ".residue");
  EXPECT_FALSE(needs_upgrade(store.db()));
  EXPECT_EQ(schema_of_answers(store.db()), today);
  Statement kept =
      store.db().prepare("SELECT run_id, record_id, model, task, answer_id IS NULL, about FROM task_answer");
  ASSERT_TRUE(kept.step());
  EXPECT_EQ(kept.integer(0), 2);
  EXPECT_EQ(kept.integer(1), 7);
  EXPECT_EQ(kept.text(2), "m");
  EXPECT_EQ(kept.text(3), "coherence");
  EXPECT_EQ(kept.integer(4), 1);
  EXPECT_EQ(kept.integer(5), -5);
  EXPECT_FALSE(kept.step());
  const auto batch = store.write();
  batch->db().run("DELETE FROM record WHERE id = 7");
  Statement gone = batch->db().prepare("SELECT count(*) FROM task_answer");
  ASSERT_TRUE(gone.step());
  EXPECT_EQ(gone.integer(0), 0) << "an answer goes with its record, as before";
}

TEST_F(Upgrade, MakesTheTablesOfRemovingForGood) {
  {
    Store store(dir_ / ".residue");
    const auto batch = store.write();
    batch->db().run("DROP TABLE vote_text; DROP TABLE erased_vote; DROP TABLE erasure; DROP TABLE backup");
    batch->commit();
    EXPECT_TRUE(needs_upgrade(store.db()));
  }
  Store store(dir_ / ".residue");
  EXPECT_FALSE(needs_upgrade(store.db()));
  EXPECT_TRUE(store.collect_garbage().left.empty());
}

}  // namespace
}  // namespace residue::storage
