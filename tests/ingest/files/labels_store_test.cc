#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/remove.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

LabelRow span(std::int64_t start, std::int64_t end, std::string unit, std::optional<std::string> text = std::nullopt) {
  LabelRow row;
  row.record = "a";
  row.start = start;
  row.end = end;
  row.unit = std::move(unit);
  row.span_text = std::move(text);
  row.payload = R"({"end":0,"start":0,"type":"NAME","unit":"codepoint"})";
  return row;
}

class IngestLabels : public StoreTest {
 protected:
  IngestLabels() {
    VectorSource<RecordRow> source({record("a", "Zoë 𝒜 met Ann")});  // ë: 2 bytes; 𝒜: 4 bytes, 2 UTF-16 units
    ingest_dataset(store(), "d", source, file());
    VectorSource<ClaimsRow> claim({claims("a", {"x"})});
    ingest_claims(store(), "d", "claims", claim, file());
  }
  IngestResult ingest(std::vector<LabelRow> rows, const char* kind = "span") {
    VectorSource<LabelRow> source(std::move(rows));
    return ingest_labels(store(), "d", kind, std::nullopt, source, file());
  }
};

TEST_F(IngestLabels, StoresSpansInBytesWhateverTheirUnit) {
  EXPECT_EQ(
      ingest({span(10, 13, "codepoint", "Ann"), span(11, 14, "utf16", "Ann"), span(14, 17, "byte", "Ann")}).counts,
      (Counts{1, 2, 0, 0}));
  EXPECT_EQ(rows("SELECT payload_id AS 'T:p' FROM label"),
            (std::vector<std::string>{R"({"end":17,"start":14,"text":"Ann","type":"NAME","unit":"byte"})"}));
}

// A label that no metric can find would say that nothing was left behind.
TEST_F(IngestLabels, RefuseEntitiesThatDoNotOccur) {
  const auto entity = [](const std::string& words, const char* record = "a") {
    LabelRow row;
    row.record = record;
    row.payload = nlohmann::json{{"entity", words}, {"record", record}, {"relevant", false}, {"type", "NAME"}}.dump();
    return row;
  };
  EXPECT_EQ(ingest({entity("𝒜 met ann"), entity("ZOË")}, "entity").counts, (Counts{2, 0, 0, 0}));
  const auto refused = [&](const LabelRow& row) { return error_of([&] { ingest({row}, "entity"); }).second; };
  EXPECT_EQ(refused(entity("Anna")), "rows.jsonl:1: the entity does not occur in the record's text");
  EXPECT_EQ(refused(entity("Zoë Ann")), "rows.jsonl:1: the entity does not occur in the record's text");
  EXPECT_EQ(refused(entity("An")), "rows.jsonl:1: the entity occurs in the record's text only inside of longer words");
  EXPECT_EQ(refused(entity("Ann", "b")), "rows.jsonl:1: no record with this id in dataset d");
  IngestOptions skip;
  skip.skip_bad = true;
  VectorSource<LabelRow> source({entity("Anna"), entity("Ann")});
  const auto result = ingest_labels(store(), "d", "entity", std::nullopt, source, file(), skip);
  EXPECT_EQ(result.counts, (Counts{1, 0, 0, 1}));
  ASSERT_EQ(result.rejected.size(), 1);
  EXPECT_EQ(result.rejected[0].line, 1);
}

TEST_F(IngestLabels, TakeOffWhatSpreadsheetsNeed) {
  VectorSource<RecordRow> more(
      {record("-b", "- Someone keeps bees."), record("c", "'=x is a text"), record("d", "=1")});
  ingest_dataset(store(), "d", more, file());
  VectorSource<ClaimsRow> claim({claims("-b", {"=1+1", "+2"})});
  ingest_claims(store(), "d", "claims", claim, file());
  const auto row = [](const char* passage, const char* words, bool cells) {
    LabelRow label;
    label.record = cells ? "'-b" : "-b";
    label.claim = 1;
    label.cells = cells;
    label.payload = nlohmann::json{
        {"claim", label.record + "#1"},
        {"claim_text", words},
        {"passage", passage},
        {"rating", 2}}.dump();
    return label;
  };
  const auto stored = [&] {
    const std::string payload = rows("SELECT payload_id AS 'T:p' FROM label ORDER BY id DESC LIMIT 1")[0];
    return nlohmann::json::parse(payload);
  };
  ingest({row("'- Someone keeps bees.", "'=1+1", true)}, "support");
  EXPECT_EQ(stored()["passage"], "- Someone keeps bees.");
  EXPECT_EQ(stored()["claim_text"], "=1+1");
  EXPECT_EQ(stored()["claim"], "-b#1");
  // The same label from JSON Lines.
  EXPECT_EQ(ingest({row("- Someone keeps bees.", "=1+1", false)}, "support").counts, (Counts{0, 1, 0, 0}));
  // A text of the store that begins so by itself.
  ingest({row("'=x is a text", "'=1+1", true)}, "support");
  EXPECT_EQ(stored()["passage"], "'=x is a text");
  // Neither is known: nobody can say which it was. JSON Lines have no such marks.
  EXPECT_EQ(error_of([&] { ingest({row("'- Nobody wrote this.", "'=1+1", true)}, "support"); }).first, 6);
  EXPECT_EQ(ingest({row("'- Nobody wrote this.", "=1+1", false)}, "support").counts, (Counts{1, 0, 0, 0}));
}

TEST_F(IngestLabels, RefusesSpansThatDoNotFitTheText) {
  for (const LabelRow& row :
       {span(10, 14, "codepoint"), span(10, 10, "codepoint"), span(-1, 2, "codepoint"), span(3, 5, "byte"),
        span(4, 5, "utf16"), span(0, 3, "codepoint", "Ann"), span(0, 3, "word")}) {
    SCOPED_TRACE(row.unit + " " + std::to_string(*row.start) + " " + std::to_string(*row.end));
    EXPECT_EQ(error_of([&] { ingest({row}); }).first, 6);
    EXPECT_TRUE(rows("SELECT * FROM label").empty());
  }
}

LabelRow attribute(std::string payload, std::optional<std::string> annotator = std::nullopt) {
  LabelRow row;
  row.record = "a";
  row.annotator = std::move(annotator);
  row.payload = std::move(payload);
  return row;
}

TEST_F(IngestLabels, PutsWhatAnAnnotatorSaysNowInThePlaceOfWhatHeSaid) {
  const LabelRow first = attribute(R"({"annotator":"a1","attribute":"age","value":"45"})", "a1");
  const LabelRow other = attribute(R"({"annotator":"a2","attribute":"age","value":"45"})", "a2");
  const LabelRow unnamed = attribute(R"({"attribute":"age","value":"45"})");
  EXPECT_EQ(ingest({first, other, unnamed}, "attribute").counts, (Counts{3, 0, 0, 0}));
  const LabelRow now = attribute(R"({"annotator":"a1","attribute":"age","value":"46"})", "a1");
  const auto before = rows("SELECT count(*) || ':' || max(id) FROM label");
  const IngestResult result = ingest({now, other}, "attribute");
  EXPECT_EQ(result.counts, (Counts{0, 1, 1, 0}));
  EXPECT_EQ(result.notes.size(), 1U);
  EXPECT_NE(rows("SELECT count(*) || ':' || max(id) FROM label"), before) << "what depends on labels sees it";
  EXPECT_EQ(rows("SELECT payload_id AS 'T:p' FROM label WHERE annotator = 'a1'"),
            (std::vector<std::string>{now.payload}));
  EXPECT_EQ(rows("SELECT count(*) FROM label"), (std::vector<std::string>{"3"}));
}

TEST_F(IngestLabels, RefusesTwoWordsOfOneAnnotator) {
  const LabelRow one = attribute(R"({"attribute":"age","value":"45"})");
  const LabelRow two = attribute(R"({"attribute":"age","value":"46"})");
  EXPECT_EQ(error_of([&] {
              ingest({one, one, two}, "attribute");
            }).second,
            "rows.jsonl:3: another label in this input contradicts this one");
  EXPECT_EQ(rows("SELECT count(*) FROM label"), (std::vector<std::string>{"0"}));
  LabelsRead read;  // two files of one command
  const auto of_one_command = [&](const LabelRow& row) {
    VectorSource<LabelRow> source({row});
    return ingest_labels(store(), "d", "attribute", std::nullopt, source, file(), {}, &read);
  };
  EXPECT_EQ(of_one_command(one).counts, (Counts{1, 0, 0, 0}));
  EXPECT_EQ(error_of([&] { of_one_command(two); }).first, 6);
}

TEST_F(IngestLabels, AreRemovedByKindAndAnnotator) {
  ingest({attribute(R"({"annotator":"a1","attribute":"age","value":"45"})", "a1"),
          attribute(R"({"annotator":"a2","attribute":"age","value":"45"})", "a2")},
         "attribute");
  ingest({span(14, 17, "byte", "Ann")});
  EXPECT_EQ(error_of([&] { remove_labels(store(), "d", {"attribute", "a3"}); }).first, 3);
  EXPECT_EQ(count_labels(store(), "d", {"attribute", "a1"}).labels, 1U);
  EXPECT_EQ(remove_labels(store(), "d", {"attribute", "a1"}).labels, 1U);
  EXPECT_EQ(rows("SELECT kind, annotator FROM label ORDER BY kind"),
            (std::vector<std::string>{"attribute|a2", "span|"}));
  EXPECT_EQ(remove_labels(store(), "d", {"span", std::nullopt}).labels, 1U);
  EXPECT_EQ(remove_labels(store(), "d", {"span", std::nullopt}).labels, 0U);
}

TEST_F(IngestLabels, OfARunRememberItsText) {
  LabelRow row = attribute(R"({"claim":"a#1","rating":1})");
  row.claim = 1;
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second,
            "rows.jsonl:1: \"passage\" is missing: a rating is about a claim and a text");
  row.run = "none";
  row.payload = R"({"claim":"a#1","rating":1,"run":"none"})";
  ingest({row}, "support");
  EXPECT_NE(rows("SELECT payload_id AS 'T:p' FROM label")[0].find(R"("passage":"Zoë)"), std::string::npos);
}

TEST_F(IngestLabels, KeepWeightsBesideMentions) {
  LabelRow weight = span(14, 17, "byte", "Ann");
  weight.payload = R"({"end":0,"start":0,"unit":"byte","weight":6})";
  EXPECT_EQ(ingest({span(14, 17, "byte", "Ann"), weight}).counts, (Counts{2, 0, 0, 0}));
}

TEST_F(IngestLabels, RememberTheWordsOfTheirClaims) {
  LabelRow row = attribute(R"({"claim":"a#1","passage":"p","rating":1})");
  row.claim = 1;
  ingest({row}, "support");
  EXPECT_EQ(rows("SELECT payload_id AS 'T:p' FROM label"),
            (std::vector<std::string>{R"({"claim":"a#1","claim_text":"x","passage":"p","rating":1})"}));
  row.payload = R"({"claim":"a#1","claim_text":"y","passage":"p","rating":1})";
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second,
            "rows.jsonl:1: the claim with this number has other words than \"claim_text\"");
  VectorSource<ClaimsRow> others({claims("a", {"y"})});
  ingest_claims(store(), "d", "other", others, file());
  EXPECT_EQ(ingest({row}, "support").counts, (Counts{1, 0, 0, 0})) << "found in another set, by its words";
}

TEST_F(IngestLabels, KnowsRecordsClaimsAndRuns) {
  LabelRow row;
  row.record = "a";
  row.claim = 1;
  row.run = "none";
  row.payload = R"({"rating":1})";
  EXPECT_EQ(ingest({row}, "support").counts, (Counts{1, 0, 0, 0}));
  EXPECT_EQ(ingest({row}, "support").counts, (Counts{0, 1, 0, 0}));
  row.claim = 2;
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second,
            "rows.jsonl:1: the record has no claim with this number: its last one is 1");
  row.claim = 1;
  row.run = "nine";
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second,
            "rows.jsonl:1: no run with this name in dataset d; did you mean \"none\"?");
  row.run.reset();
  row.record = "b";
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second, "rows.jsonl:1: no record with this id in dataset d");
}

}  // namespace
}  // namespace residue::ingest::testing
