// What is passed over, and what could have been meant.
#include "ingest/rows/near_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Row>
std::vector<std::string> notes_of(std::unique_ptr<RowSource<Row>> source) {
  Row row;
  RowError bad;
  while (source->next(row, bad) != RowResult::kEnd) continue;
  return source->notes();
}

std::vector<std::string> of_records(const std::string& bytes, RecordSourceOptions options = {}) {
  const TempFile file(bytes);
  options.path = file.path();
  return notes_of(open_records(options));
}

TEST(NearFields, AreNamedInRecords) {
  for (const std::string name : {"persn", "Person", "patient-id", "PatientID", "perosn", "user_id", "person "}) {
    SCOPED_TRACE(name);
    const auto notes = of_records("{\"id\":1,\"text\":\"t\"}\n{\"id\":2,\"text\":\"t\",\"" + name + "\":\"p\"}");
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_THAT(notes[0], HasSubstr("\"" + name + "\" is kept as metadata, and no field is called \"person\""));
    EXPECT_THAT(notes[0], HasSubstr("person=" + name));
  }
}

TEST(NearFields, AreNoneWhereTheFieldIsThere) {
  EXPECT_THAT(of_records(R"({"id":1,"text":"t","person":"a","persn":"b","label":"x","task":null})"), IsEmpty());
  EXPECT_THAT(of_records(R"({"id":1,"text":"t","ward":"a","age":4,"notes":"x"})"), IsEmpty());
  EXPECT_THAT(of_records("{\"id\":1,\"text\":\"t\",\"persn of the long text that somebody wrote here\":1}"), IsEmpty());
  RecordSourceOptions options;
  options.map["person"] = "persn";
  EXPECT_THAT(of_records(R"({"id":1,"text":"t","persn":"b"})", options), IsEmpty());
  options = {};
  options.id = "user_id";
  EXPECT_THAT(of_records(R"({"user_id":1,"text":"t"})", options), IsEmpty());
}

TEST(NearFields, AreNamedInClaimsRunsAndLabels) {
  const TempFile claims(R"({"id":1,"claim":"c","categroy":"Age"})");
  ClaimSourceOptions of_claims;
  of_claims.path = claims.path();
  EXPECT_THAT(notes_of(open_claims(of_claims)), ElementsAre(HasSubstr("--map category=categroy")));
  const TempFile array(R"({"id":1,"claims":["c"],"category":["Age"]})");
  of_claims.path = array.path();
  EXPECT_THAT(notes_of(open_claims(of_claims)), ElementsAre(HasSubstr("beside an array of claims are not used")));
  const TempFile run(R"({"id":1,"text":"t","Error":"x"})");
  VariantSourceOptions of_run;
  of_run.path = run.path();
  EXPECT_THAT(notes_of(open_variants(of_run)), ElementsAre(HasSubstr("--map error=Error")));
  const TempFile labels(R"({"claim":"1#1","rating":1,"anotator":"x"})");
  LabelSourceOptions of_labels;
  of_labels.path = labels.path();
  of_labels.kind = "support";
  EXPECT_THAT(notes_of(open_labels(of_labels)), ElementsAre(HasSubstr("--map annotator=anotator")));
}

TEST(NearFields, AreTheRemedyWhereAFieldIsMissing) {
  const auto csv = read_records("Id,Text,Person\n1,a,p\n", {}, ".csv");
  ASSERT_EQ(csv.bad.size(), 1U);
  EXPECT_EQ(csv.bad[0].remedy, "there is \"Id\": --id Id");
  RecordSourceOptions options;
  options.id = "Id";
  const auto text = read_records("Id,Text\n1,a\n", options, ".csv");
  ASSERT_EQ(text.bad.size(), 1U);
  EXPECT_EQ(text.bad[0].remedy, "there is \"Text\": --text Text");
}

// Two persons where there is one would make an interval look narrower than it is.
TEST(NearFields, TakeNoSpaceForPartOfAPerson) {
  EXPECT_EQ(read_records("{\"id\":1,\"text\":\"t\",\"person\":\" p0 \\u00a0\"}").rows.at(0).person, "p0");
  EXPECT_FALSE(read_records(R"({"id":1,"text":"t","person":"  "})").rows.at(0).person);
}

// --id auto would take the first record for the names of the columns.
TEST(NearFields, KnowAFileWithoutAHeader) {
  const std::string rows = "1,Ann lives in Rome.\n2,Bob lives in Oslo.\n";
  EXPECT_EQ(error_code([&] { read_records(rows, {}, ".csv"); }), static_cast<int>(Code::kBadInput));
  RecordSourceOptions numbered;
  numbered.id = "auto";
  EXPECT_EQ(error_code([&] { read_records(rows, numbered, ".csv"); }), static_cast<int>(Code::kBadInput));
  VariantSourceOptions run;
  run.id = "auto";
  EXPECT_EQ(error_code([&] { read_variants(rows, run, ".csv"); }), static_cast<int>(Code::kBadInput));
  EXPECT_EQ(read_records("0,1\n1,Ann\n", {}, ".jsonl").rows.size(), 0U);
  numbered.text = "How was your day at the clinic?";
  EXPECT_EQ(read_records("n,How was your day at the clinic?\n1,Fine\n", numbered, ".csv").rows.size(), 1U)
      << "whoever names the column knows the header";
}

}  // namespace
}  // namespace residue::ingest
