// A purge takes what models answered about what goes, and nothing that they answered about what stays.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/files/purge.h"
#include "ingest/files/remove_record.h"
#include "tests/ingest/asking_fixture.h"

namespace residue::ingest::testing {
namespace {

class Purges : public AskingStore {
 protected:
  void add_three() {
    std::vector<RecordRow> rows = {record("a", "Ann lives in Graz."), record("b", "Bob lives in Oslo."),
                                   record("c", "Cid keeps bees.")};
    rows[0].person = rows[2].person = "p";
    add(rows);
  }
  std::uint64_t answers() {
    std::uint64_t count = 0;
    store().facts().read()->each_answer([&](const storage::SavedAnswer&) { ++count; });
    return count;
  }
  std::int64_t number(const char* sql) {
    storage::Statement row = store().db().prepare(sql);
    return row.step() ? row.integer(0) : -1;
  }
  std::int64_t attempts() { return number("SELECT count(*) FROM attempt"); }
  Purged purge(PurgeKind kind, const std::string& name) {
    const Purged gone = purge_rows(store(), {kind, "d", name});
    EXPECT_TRUE(store().collect_garbage().left.empty());
    return gone;
  }
};

TEST_F(Purges, TheAnswersAboutARecordAndNoOthers) {
  add_three();
  sanitize("paraphrase");
  ASSERT_EQ(answers(), 3U);
  const std::int64_t asked = attempts();
  const Purged would = count_purge(store(), {PurgeKind::kRecord, "d", "a"});
  EXPECT_EQ(number("SELECT count(*) FROM record"), 3) << "counting removes nothing";
  const Purged gone = purge(PurgeKind::kRecord, "a");
  EXPECT_EQ(gone.answers, 1U);
  EXPECT_EQ(would.answers, 1U);
  EXPECT_EQ(would.texts, gone.texts);
  EXPECT_EQ(gone.unknown_answers, 0U);
  EXPECT_EQ(answers(), 2U);
  EXPECT_EQ(attempts(), asked) << "what it cost stays in the ledger";
  EXPECT_EQ(number("SELECT count(*) FROM erased_vote") + number("SELECT count(*) FROM erasure"), 0);
  const std::uint64_t before = server_.requests();
  sanitize("paraphrase");
  EXPECT_EQ(server_.requests(), before) << "what stays is not asked again";
}

TEST_F(Purges, AllRecordsOfAPerson) {
  add_three();
  const Purged gone = purge(PurgeKind::kPerson, "p");
  EXPECT_EQ(gone.rows.records, 2U);
  EXPECT_EQ(rows("SELECT key FROM record"), std::vector<std::string>{"b"});
  EXPECT_EQ(error_of([&] { purge(PurgeKind::kPerson, "p"); }).first, static_cast<int>(Code::kNotFound));
}

TEST_F(Purges, WhatModelsAnsweredWhenARunWasMade) {
  add_three();
  sanitize("paraphrase", "r");
  const Purged gone = purge(PurgeKind::kRun, "r");
  EXPECT_EQ(gone.answers, 3U);
  EXPECT_EQ(answers(), 0U);
}

TEST_F(Purges, NotWhatAnotherRunWasMadeOfToo) {
  add_three();
  sanitize("paraphrase", "r");
  sanitize("paraphrase", "s");
  (void)purge(PurgeKind::kRun, "r");
  EXPECT_EQ(answers(), 3U);
}

TEST_F(Purges, GoesOnWhereItWasStopped) {
  add_three();
  (void)purge_rows(store(), {PurgeKind::kRecord, "d", "a"});
  const Purged again = purge_rows(store(), {PurgeKind::kRecord, "d", "a"});
  EXPECT_TRUE(again.begun);
  EXPECT_TRUE(store().collect_garbage().left.empty());
  EXPECT_EQ(error_of([&] {
              (void)purge_rows(store(), {PurgeKind::kRecord, "d", "a"});
            }).first,
            static_cast<int>(Code::kNotFound));
}

TEST_F(Purges, NamesTheBackupsThatMayHoldIt) {
  store().backup(dir_ / "empty.tar");
  add_three();
  store().backup(dir_ / "full.tar");
  const Purged gone = purge(PurgeKind::kRecord, "b");
  ASSERT_EQ(gone.backups.size(), 1U);
  EXPECT_EQ(gone.backups[0].path, (dir_ / "full.tar").string());
  EXPECT_TRUE(gone.backups[0].there);
}

TEST_F(Purges, AnswersOfAnOlderResidueAboutNobodyKnowsWhat) {
  add_three();
  sanitize("paraphrase");
  {
    const auto batch = store().write();
    batch->db().run("DELETE FROM vote_text");
    batch->commit();
  }
  EXPECT_EQ(purge(PurgeKind::kRecord, "a").unknown_answers, 3U);
  EXPECT_EQ(answers(), 0U);
}

// gc alone keeps what was paid for.
TEST_F(Purges, WhatAPlainRemovalLeft) {
  add_three();
  sanitize("paraphrase");
  (void)remove_record(store(), "d", "a");
  (void)store().collect_garbage();
  EXPECT_EQ(answers(), 3U);
  (void)purge_rows(store(), {PurgeKind::kRemoved, "", ""});
  (void)store().collect_garbage();
  EXPECT_EQ(answers(), 2U);
  const std::uint64_t before = server_.requests();
  sanitize("paraphrase");
  EXPECT_EQ(server_.requests(), before) << "the others are still known";
}

}  // namespace
}  // namespace residue::ingest::testing
