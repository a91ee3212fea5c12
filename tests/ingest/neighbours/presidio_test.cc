// What presidio-evaluator found, as runs.
#include "ingest/neighbours/presidio.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::run_of;
using Strings = std::vector<std::string>;

// "id|original|spans|error".
Strings spans_of(const std::vector<VariantRow>& rows) {
  Strings all;
  for (const VariantRow& row : rows) {
    all.push_back(row.key.value_or("-") + "|" + row.original.value_or("-") + "|" + row.spans.value_or("-") + "|" +
                  row.error.value_or("-"));
  }
  return all;
}

TEST(PresidioRun, TakesTheSpansOfSamples) {
  const auto run = run_of(
      R"([{"full_text": "Bob is 45", "masked": "{{name}} is 45", "spans": [{"entity_type": "PERSON", "entity_value": "Bob",)"
      R"( "start_position": 0, "end_position": 3, "normalized_tokens": null}], "template_id": 1, "metadata": {}},)"
      R"({"full_text": "None here", "masked": null, "spans": [], "template_id": null, "metadata": null},)"
      R"({"full_text": "Failed", "spans": null}])",
      "presidio");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(spans_of(run.rows), (Strings{R"(0|Bob is 45|[{"end":3,"start":0,"text":"Bob","type":"PERSON"}]|-)",
                                         "1|None here|[]|-", "2|Failed|-|no spans"}));
  EXPECT_EQ(run.notes, Strings{"1 of 3 samples have no text: 1 times no spans"});
  EXPECT_TRUE(run.whole);
}

TEST(PresidioRun, ReadsIdsFromTheirPlace) {
  VariantSourceOptions options;
  options.id = "sample_id";
  const auto run = run_of(R"({"sample_id": 9, "full_text": "Bob", "spans": []})", "presidio", options, ".jsonl");
  EXPECT_EQ(spans_of(run.rows), Strings{"9|Bob|[]|-"});
}

std::string table(const std::string& rows) { return "sentence_id,token,annotation,prediction,start_indices\n" + rows; }

TEST(PresidioRun, MakesSpansOfTokensWithOnePrediction) {
  const auto run = run_of(table("0,Åse,PERSON,PERSON,0\n0,Berg,PERSON,PERSON,4\n0,is,O,O,9\n0,ill,O,O,12\n0,.,O,O,15\n"
                                "1,Oslo,O,LOCATION,0\n1,Bob,O,PERSON,5\n"
                                "2,nobody,O,O,0\n"),
                          "presidio", {}, ".csv");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(
      spans_of(run.rows),
      (Strings{
          R"(0|ÅseBergisill.|[{"end":8,"start":0,"type":"PERSON"}]|-)",
          R"(1|OsloBob|[{"end":4,"start":0,"text":"Oslo","type":"LOCATION"},{"end":8,"start":5,"text":"Bob","type":"PERSON"}]|-)",
          "2|nobody|[]|-"}));
}

TEST(PresidioRun, KnowsThePrefixesOfTags) {
  const auto run = run_of(
      table("0,Ann,O,B-PERSON,0\n0,Berg,O,I-PERSON,4\n0,Bob,O,B-PERSON,9\n0,Cem,O,U-PERSON,13\n0,Dee,O,L-PERSON,17\n"),
      "presidio", {}, ".csv");
  EXPECT_EQ(
      spans_of(run.rows),
      Strings{
          R"(0|AnnBergBobCemDee|[{"end":8,"start":0,"type":"PERSON"},{"end":12,"start":9,"text":"Bob","type":"PERSON"},)"
          R"({"end":20,"start":13,"type":"PERSON"}]|-)"});
}

TEST(PresidioRun, FailsWhereATokenHasNoPrediction) {
  const auto run = run_of(table("0,Ann,O,PERSON,0\n0,Berg,O,,4\n1,x,O,O,0\n"), "presidio", {}, ".csv");
  EXPECT_EQ(spans_of(run.rows), (Strings{"0|AnnBerg|-|a token without a prediction", "1|x|[]|-"}));
}

TEST(PresidioRun, ReadsTheTableAsJsonLines) {
  const auto run = run_of(
      "{\"sentence_id\":0,\"token\":\"Ann\",\"annotation\":\"O\",\"prediction\":\"PERSON\",\"start_indices\":0}\n",
      "presidio", {}, ".jsonl");
  EXPECT_EQ(spans_of(run.rows), Strings{R"(0|Ann|[{"end":3,"start":0,"text":"Ann","type":"PERSON"}]|-)"});
}

TEST(PresidioRun, RefusesASentenceAsAWhole) {
  const auto run = run_of(table("0,Ann,O,PERSON,0\n0,Berg,O,PERSON,x\n0,c,O,O,9\n1,d,O,O,0\n"), "presidio", {}, ".csv");
  EXPECT_EQ(spans_of(run.rows), Strings{"1|d|[]|-"});
  ASSERT_EQ(run.bad.size(), 1U);
  EXPECT_EQ(run.bad[0].line, 2U);
}

TEST(PresidioRun, RefusesOtherFiles) {
  for (const char* bytes : {R"({"experiment_name": "e", "confusion_matrix": [[1]], "labels": ["A"]})",
                            R"({"id": "1", "text": "A"})", R"({"sentence_id": 0, "token": "a"})"}) {
    SCOPED_TRACE(bytes);
    const auto run = run_of(bytes, "presidio");
    EXPECT_EQ(run.code, 6);
    EXPECT_EQ(run.error, "FILE has neither samples of presidio-evaluator nor a table of its tokens");
  }
  VariantSourceOptions options;
  options.text = "masked";
  EXPECT_EQ(run_of("[]", "presidio", options).code, 2);
  EXPECT_EQ(
      run_of(
          R"([{"full_text": "a", "spans": 5}, {"full_text": "a"}, {"full_text": "a", "spans": [{"entity_type": "P"}]}])",
          "presidio")
          .bad.size(),
      3U);
}

}  // namespace
}  // namespace residue::ingest
