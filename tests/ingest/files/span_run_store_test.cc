#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

VariantRow spans(std::string key, std::string json, text::Unit unit = text::Unit::kCodepoint) {
  VariantRow row;
  row.key = std::move(key);
  row.spans = std::move(json);
  row.unit = unit;
  return row;
}

class SpanRun : public StoreTest {
 protected:
  SpanRun() {
    VectorSource<RecordRow> source({record("a", "Zo\xC3\xAB met Ann and Ann."), record("b", "Bob"), record("e", "")});
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult ingest(std::vector<VariantRow> rows, IngestOptions options = {}, const std::string& run = "r") {
    VectorSource<VariantRow> source(std::move(rows));
    return ingest_run(store(), "d", run, {}, source, file(), options);
  }
  std::vector<std::string> variants(const std::string& run = "r") {
    return rows(("SELECT r.key, v.text_id AS 'T:t', error, substitutions_id AS 'T:s' FROM variant v JOIN record r ON"
                 " r.id = record_id WHERE run_id = (SELECT id FROM run WHERE name = '" +
                 run + "') ORDER BY 1")
                    .c_str());
  }
};

TEST_F(SpanRun, IsTheOriginalsWithTheSpansReplaced) {
  ingest({spans("a", R"([[8,11],{"start":16,"end":19,"type":"PERSON"}])"), spans("b", "[]"), spans("e", "[]")});
  EXPECT_EQ(variants(), (std::vector<std::string>{"a|Zo\xC3\xAB met [MASKED] and [PERSON].||", "b|Bob||", "e|||"}));
  ingest({spans("a", "[[0,4]]", text::Unit::kByte)});
  EXPECT_EQ(variants()[0], "a|[MASKED] met Ann and Ann.||");
}

TEST_F(SpanRun, ReplacesOverlappingSpansTogetherAndKeepsWhatStandsForWhat) {
  ingest({spans("a", R"([[8,11,"Eve"],[0,3,"Ida"],[2,7,"Kim"],[16,19,"Eve"]])")});
  EXPECT_EQ(variants()[0], "a|Ida Eve and Eve.||[[\"Zo\xC3\xAB met\",\"Ida\"],[\"Ann\",\"Eve\"]]");
}

TEST_F(SpanRun, FailsWhereNothingIsLeftOrSaid) {
  VariantRow null;
  null.key = "a";
  EXPECT_EQ(ingest({null, spans("b", R"([[0,3,""]])")}).notes,
            (std::vector<std::string>{"1 of 3 records of d have no variant in this run (they count as failed)",
                                      "2 of 2 variants failed, 1 of them because the sanitized text is empty"}));
  EXPECT_EQ(variants(), (std::vector<std::string>{"a||no text|", "b||empty|"}));
}

TEST_F(SpanRun, RefusesSpansThatDoNotFitAndStoresNothingOfTheRow) {
  EXPECT_EQ(error_of([&] {
              ingest({spans("b", "[[0,2]]"), spans("a", "[[0,1],[19,99]]")});
            }),
            (std::pair<int, std::string>{6, "rows.jsonl:2: span 2 does not mark a part of the record's text"}));
  EXPECT_EQ(variants(), (std::vector<std::string>{}));
  VariantRow entry = spans("a", "[[0,99]]");
  entry.entry = 3;
  EXPECT_EQ(error_of([&] { ingest({entry}); }).second,
            "rows.jsonl:1: entry 3: span 1 does not mark a part of the record's text");
  IngestOptions skip;
  skip.skip_bad = true;
  EXPECT_EQ(ingest({spans("b", "[[0,2]]"), spans("a", "[[0,99]]"), spans("x", "[]"), spans("b", "[]")}, skip).counts,
            (Counts{1, 0, 0, 3}));
  EXPECT_EQ(variants(), (std::vector<std::string>{"b|[MASKED]b||"}));
}

TEST_F(SpanRun, IsTheSameAgainAndInAnyBatches) {
  const std::vector<VariantRow> all = {spans("a", R"([[8,11,"Eve"]])"), spans("b", "[[0,1]]"), spans("e", "[]")};
  ingest(all);
  const auto before = catalog();
  EXPECT_EQ(ingest(all).counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(catalog(), before);
  IngestOptions single;
  single.batch_rows = 1;
  ingest(all, single, "s");
  EXPECT_EQ(variants("s"), variants("r"));
  EXPECT_EQ(rows("SELECT DISTINCT hex(content), hex(substitutions) FROM run WHERE name IN ('r', 's')").size(), 1U);
  IngestOptions append;
  append.append = true;
  EXPECT_EQ(error_of([&] { ingest({spans("b", "[[0,2]]")}, append); }).second,
            "rows.jsonl:1: the variant exists with another text");
}

TEST_F(SpanRun, GoesOnWhereItStopped) {
  const std::vector<VariantRow> all = {spans("a", R"([[8,11,"Eve"]])"), spans("b", "[[0,1]]"), spans("e", "[]")};
  IngestOptions single;
  single.batch_rows = 1;
  VectorSource<VariantRow> broken(all);
  broken.spoil(1);
  EXPECT_EQ(error_of([&] { ingest_run(store(), "d", "r", {}, broken, file(), single); }).first, 6);
  EXPECT_EQ(variants().size(), 1U);
  EXPECT_EQ(ingest(all, single).counts, (Counts{3, 0, 0, 0}));
  EXPECT_EQ(rows("SELECT count(*) FROM ingest_progress"), (std::vector<std::string>{"0"}));
  ingest(all, {}, "s");
  EXPECT_EQ(variants("s"), variants("r"));
}

TEST_F(SpanRun, IsThatOfOracleSpansOnTheSameSpans) {
  std::vector<LabelRow> labels;
  for (const auto& [start, end] : {std::pair{0, 3}, std::pair{8, 11}, std::pair{10, 19}}) {
    LabelRow& label = labels.emplace_back();
    label.record = "a";
    label.start = start;
    label.end = end;
    label.payload = R"({"type":"Person"})";
  }
  VectorSource<LabelRow> source(labels);
  ingest_labels(store(), "d", "span", std::nullopt, source, file());
  sanitize_dataset(store(), "d", "oracle", {"oracle-spans", {}, {}, {}}, 1);
  ingest({spans("a", R"([{"start":10,"end":19,"type":"Person"},{"start":0,"end":3,"type":"Person"},
                         {"start":8,"end":11,"type":"Person"}])"),
          spans("b", "[]"), spans("e", "[]")});
  EXPECT_EQ(variants(), variants("oracle"));
  EXPECT_EQ(variants()[0], "a|[PERSON] met [PERSON].||");
}

}  // namespace
}  // namespace residue::ingest::testing
