#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/files/answers.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/remove_record.h"
#include "ingest/files/run.h"
#include "storage/check.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class RemoveRecord : public StoreTest {
 protected:
  // Everything that a dataset may have, of these records.
  void fill(const std::string& name, const std::vector<std::string>& keys) {
    std::vector<RecordRow> records;
    std::vector<ClaimsRow> claim_rows;
    std::vector<VariantRow> variants;
    std::vector<AnswerRow> answers;
    std::vector<LabelRow> labels;
    for (const std::string& key : keys) {
      records.push_back(record(key, key + " is a nurse. She sings."));
      records.back().person = "p" + key;
      claim_rows.push_back(claims(key, {key + " sings", "x"}));
      variants.push_back(variant(key, key + " hums. She naps."));
      if (key != "b") variants.back().substitutions = R"([["nurse","cook"]])";
      answers.push_back({0, "m", "coherence", key, "mine", "4", std::nullopt});
      LabelRow& label = labels.emplace_back();
      label.record = key;
      label.payload = R"({"entity":"nurse","record":")" + key + R"(","relevant":false,"type":"PROFESSION"})";
    }
    VectorSource<RecordRow> record_source(records);
    ingest_dataset(store(), name, record_source, file());
    VectorSource<ClaimsRow> claim_source(claim_rows);
    ingest_claims(store(), name, "claims", claim_source, file());
    atomize_dataset(store(), name, kSentenceSet, 1);
    VectorSource<VariantRow> variant_source(variants);
    ingest_run(store(), name, "mine", {}, variant_source, file());
    atomize_run(store(), name, "mine", kSentenceSet, 1);
    VectorSource<AnswerRow> answer_source(answers);
    ingest_answers(store(), name, answer_source, file());
    VectorSource<LabelRow> label_source(labels);
    ingest_labels(store(), name, "entity", std::nullopt, label_source, file());
  }

  // All fingerprints but those that hold numbers of rows.
  std::vector<std::string> fingerprints(const std::string& name) {
    return rows(
        ("SELECT 'd', '', hex(content), '' FROM dataset WHERE name = '" + name +
         "' UNION ALL SELECT 's', s.name, hex(s.content), s.made_from IS NULL OR s.made_from = d.content FROM "
         "claim_set s JOIN dataset d ON d.id = s.dataset_id WHERE d.name = '" +
         name +
         "' UNION ALL SELECT 'r', r.name, hex(r.content), hex(r.substitutions) FROM run r JOIN dataset d ON "
         "d.id = r.dataset_id WHERE d.name = '" +
         name +
         "' UNION ALL SELECT 'c', c.name, hex(c.content), c.made_from = r.content FROM run_claim_set c JOIN run "
         "r ON r.id = c.run_id JOIN dataset d ON d.id = r.dataset_id WHERE d.name = '" +
         name + "' ORDER BY 1, 2")
            .c_str());
  }
};

TEST_F(RemoveRecord, LeavesWhatADatasetWithoutItWouldHave) {
  fill("all", {"a", "b", "c"});
  const Removed going = count_record(store(), "all", "b");
  const Removed gone = remove_record(store(), "all", "b");
  for (const Removed& told : {going, gone}) {
    EXPECT_EQ(told.records, 1);
    EXPECT_EQ(told.claims, 4);
    EXPECT_EQ(told.variants, 1);
    EXPECT_EQ(told.labels, 1);
    EXPECT_EQ(told.answers, 1);
  }
  fill("few", {"a", "c"});
  EXPECT_EQ(fingerprints("all"), fingerprints("few"));
  EXPECT_EQ(rows("SELECT count(*) FROM claim"), (std::vector<std::string>{"16"}));
  EXPECT_EQ(rows("SELECT count(*) FROM run_claim"), (std::vector<std::string>{"8"}));
  EXPECT_EQ(rows("SELECT count(*) FROM task_answer"), (std::vector<std::string>{"4"}));
  EXPECT_TRUE(storage::check_store(store()).problems.empty());
}

TEST_F(RemoveRecord, TakesItsAnswerOutOfTheFingerprint) {
  fill("d", {"a", "b"});
  const auto content = rows("SELECT hex(content) FROM answer_set");
  VectorSource<RecordRow> more({record("z", "z is a cook.")});
  ingest_dataset(store(), "d", more, file());
  AnswerRow answer{0, "m", "coherence", "z", "mine", "2", std::nullopt};
  VectorSource<AnswerRow> answers({answer});
  ingest_answers(store(), "d", answers, file());
  EXPECT_NE(rows("SELECT hex(content) FROM answer_set"), content);
  remove_record(store(), "d", "z");
  EXPECT_EQ(rows("SELECT hex(content) FROM answer_set"), content);
}

TEST_F(RemoveRecord, NeverGivesItsNumberAgain) {
  fill("d", {"a", "b"});
  const std::string number = rows("SELECT id FROM record WHERE key = 'b'").front();
  remove_record(store(), "d", "b");
  VectorSource<RecordRow> more({record("c", "c is a cook.")});
  ingest_dataset(store(), "d", more, file());
  EXPECT_NE(rows("SELECT id FROM record WHERE key = 'c'").front(), number);
}

TEST_F(RemoveRecord, RefusesWhatIsNotThere) {
  fill("d", {"a"});
  const auto before = catalog();
  EXPECT_EQ(error_of([&] { remove_record(store(), "d", "A"); }).first, 3);
  EXPECT_EQ(error_of([&] { count_record(store(), "e", "a"); }).first, 3);
  EXPECT_EQ(catalog(), before);
}

}  // namespace
}  // namespace residue::ingest::testing
