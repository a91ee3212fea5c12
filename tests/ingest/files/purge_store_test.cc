// A purge takes what models answered about what goes, and nothing that they answered about what stays.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ingest/files/judgments.h"
#include "ingest/files/purge.h"
#include "ingest/files/remove.h"
#include "ingest/files/remove_record.h"
#include "model/asking/egress.h"
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

// An unusable answer has no rating, so only its note says which texts it was about. A usable answer about two texts may
// have been replaced since, and may quote the earlier text.
TEST_F(Purges, AnswersThatAreAboutOneTextThatIsThereAndOneThatIsNot) {
  add_three();
  const auto keep = [&](char name, const char* state, std::vector<std::string_view> texts) {
    const VoteKey vote(std::string(32, name));
    const auto batch = store().write();
    (void)model::record_sending(batch->db(), {"m", "d", {}}, {vote, 0, "a body"}, 1);
    model::record_texts(store(), *batch, vote, texts);
    batch->db()
        .prepare("UPDATE attempt SET state = ?1 WHERE vote = ?2")
        .run(state, storage::Statement::Blob{vote.bytes()});
    batch->facts().put_answer(vote, 1, "I cannot rate that.");
    batch->commit();
  };
  keep('e', "invalid", {"Ann has gout.", "Bob lives in Oslo."});
  keep('n', "invalid", {"Ann lives in Graz.", "Bob lives in Oslo."});
  keep('s', "saved", {"Ann has gout.", "Bob lives in Oslo."});
  keep('b', "saved", {"Ann lives in Graz.", "Bob lives in Oslo.", ""});
  EXPECT_EQ(paid_left(store(), "d").answers, 2U);
  EXPECT_EQ(purge(PurgeKind::kRecord, "c").unknown_answers, 2U) << "they may have been of this record";
  EXPECT_EQ(answers(), 2U);
  keep('e', "invalid", {"Ann has gout.", "Bob lives in Oslo."});
  EXPECT_EQ(count_purge(store(), {PurgeKind::kRemoved, "", ""}).answers, 1U);
  (void)purge_rows(store(), {PurgeKind::kRemoved, "", ""});
  EXPECT_TRUE(store().collect_garbage().left.empty());
  EXPECT_EQ(answers(), 2U);
  EXPECT_EQ(paid_left(store(), "d").answers, 0U);
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

// Of an edited record: nobody knows whose the earlier wording was.
class PurgesEdited : public Purges {
 protected:
  void add_edited() {
    add({record("a", "Kanaryword has gout."), record("b", "Bob lives in Oslo.")});
    sanitize("paraphrase");
    JudgmentRow rating;
    rating.line = 1;
    rating.judge = "elsewhere";
    rating.claim = "Kanaryword has gout.";
    rating.passage = "Somebody is ill.";
    VectorSource<JudgmentRow> source({rating});
    ingest_judgments(store(), std::nullopt, "", source, file("/data/ratings.jsonl"));
    RecordRow edited = record("a", "Someone has gout.");
    edited.person = "p";
    VectorSource<RecordRow> again({edited});
    ingest_dataset(store(), "d", again, file("/data/edited.jsonl"));
    sanitize("paraphrase");
    ASSERT_TRUE(said());
  }
  // Whether a byte of facts/ says the earlier wording.
  bool said() {
    std::ifstream in(dir_ / ".residue" / "facts" / "data.mdb", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return bytes.find("Kanaryword") != std::string::npos;
  }
};

TEST_F(PurgesEdited, DoNotSayThatNothingIsLeft) {
  add_edited();
  (void)purge(PurgeKind::kRecord, "a");
  const PaidLeft left = paid_left(store(), "d");
  EXPECT_EQ(left.texts, 2U) << "a rated claim and its passage";
  EXPECT_EQ(left.answers, 0U) << "the dataset has paid for them";
  EXPECT_TRUE(said());
  (void)purge_rows(store(), {PurgeKind::kRemoved, "", ""});
  (void)store().collect_garbage();
  EXPECT_FALSE(paid_left(store(), "d").any());
  EXPECT_FALSE(said());
}

TEST_F(PurgesEdited, NameTheBackupsThatHaveOnlyTheEarlierWording) {
  store().backup(dir_ / "empty.tar");
  add({record("a", "Kanaryword has gout.")});
  store().backup(dir_ / "before.tar");
  VectorSource<RecordRow> again({record("a", "Someone has gout.")});
  ingest_dataset(store(), "d", again, file("/data/edited.jsonl"));
  const Purged gone = purge(PurgeKind::kRecord, "a");
  ASSERT_EQ(gone.backups.size(), 1U);
  EXPECT_EQ(gone.backups[0].path, (dir_ / "before.tar").string());
}

TEST_F(PurgesEdited, OfAPersonTheSame) {
  add_edited();
  (void)purge(PurgeKind::kPerson, "p");
  EXPECT_EQ(paid_left(store(), "d").texts, 2U);
  EXPECT_TRUE(said());
}

TEST_F(PurgesEdited, OfARunTakeAllThatItsMakingAsked) {
  add_edited();
  (void)purge(PurgeKind::kRun, "r");
  EXPECT_EQ(paid_left(store(), "d").texts, 2U);
  EXPECT_EQ(paid_left(store(), "d").answers, 0U);
}

TEST_F(PurgesEdited, OfTheOnlyDatasetTakeThemAtOnce) {
  add_edited();
  (void)purge(PurgeKind::kDataset, "");
  EXPECT_FALSE(paid_left(store(), "d").any());
  EXPECT_FALSE(said());
}

TEST_F(PurgesEdited, OfADatasetBesideAnotherOneDoNot) {
  add_edited();
  VectorSource<RecordRow> other({record("x", "A baker sneezes.")});
  ingest_dataset(store(), "e", other, file("/data/other.jsonl"));
  (void)purge(PurgeKind::kDataset, "");
  EXPECT_EQ(paid_left(store(), "d").texts, 2U);
  EXPECT_EQ(paid_left(store(), "d").answers, 0U);
  EXPECT_TRUE(said());
}

// Answers that a dataset has paid for are about its own texts.
TEST_F(PurgesEdited, LeaveWhatAnotherDatasetHasPaidFor) {
  add_edited();
  VectorSource<RecordRow> other({record("x", "A baker sneezes.")});
  ingest_dataset(store(), "e", other, file("/data/other.jsonl"));
  EXPECT_EQ(paid_left(store(), "e").answers, 0U);
  EXPECT_EQ(paid_left(store(), "d").answers, 1U);
  remove_dataset(store(), "d");
  EXPECT_EQ(paid_left(store(), "e").answers, 3U) << "nobody else would be asked to purge them";
}

}  // namespace
}  // namespace residue::ingest::testing
