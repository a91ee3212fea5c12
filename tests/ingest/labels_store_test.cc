#include "base/error.h"
#include "ingest/claims.h"
#include "ingest/dataset.h"
#include "ingest/labels.h"
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
            (std::vector<std::string>{R"({"end":17,"start":14,"type":"NAME","unit":"byte"})"}));
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
            "rows.jsonl:1: the record has no claim with this number");
  row.claim = 1;
  row.run = "nine";
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second, "rows.jsonl:1: no run with this name in dataset d");
  row.run.reset();
  row.record = "b";
  EXPECT_EQ(error_of([&] { ingest({row}, "support"); }).second, "rows.jsonl:1: no record with this id in dataset d");
}

}  // namespace
}  // namespace residue::ingest::testing
