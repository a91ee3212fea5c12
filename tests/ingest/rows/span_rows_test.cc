#include "ingest/rows/span_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/batches/progress.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

Read<VariantRow> read_spans(const std::string& bytes, VariantSourceOptions options = {},
                            const std::string& ending = ".jsonl") {
  options.spans = true;
  return read_variants(bytes, options, ending);
}

// "key spans" of each row, '-' for none.
std::vector<std::string> shown(const Read<VariantRow>& read) {
  std::vector<std::string> all;
  for (const VariantRow& row : read.rows) all.push_back(*row.key + " " + row.spans.value_or("-"));
  return all;
}

TEST(SpanRows, AreTheSameInEveryShapeOfFile) {
  const std::vector<std::string> expected = {R"(a [[0,3],[4,7,"x"]])", "b []", "7 -"};
  EXPECT_EQ(shown(read_spans("{\"id\":\"a\",\"spans\":[[0,3],[4,7,\"x\"]]}\n{\"id\":\"b\",\"spans\":[]}\n"
                             "{\"id\":7,\"spans\":null}\n")),
            expected);
  EXPECT_EQ(shown(read_spans(R"([{"id":"a","spans":[[0,3],[4,7,"x"]]},{"spans":[],"id":"b"},{"id":7,"spans":null}])")),
            expected);
  EXPECT_EQ(shown(read_spans(R"({"a":[[0,3],[4,7,"x"]],"b":[],"7":null})")), expected);
  EXPECT_EQ(shown(read_spans("\xEF\xBB\xBF\n{\n \"a\" : [[0,3],\n [4,7,\"x\"]],\n\"b\":[],\n\"7\":null\n}\n")),
            expected);
  EXPECT_EQ(shown(read_spans(R"({"a":{"spans":[[0,3],[4,7,"x"]]},"b":{"spans":[],"id":9},"7":{"spans":null}})")),
            expected);
  EXPECT_EQ(shown(read_spans("id,spans\na,\"[[0,3],[4,7,\"\"x\"\"]]\"\nb,[]\n7,\n", {}, ".csv")), expected);
}

TEST(SpanRows, TellObjectsOfSpansFromRows) {
  // A name is no proof: documents may be called "spans" or "id".
  EXPECT_EQ(shown(read_spans(R"({"spans":[[0,1]],"id":[[2,3]]})")),
            (std::vector<std::string>{"spans [[0,1]]", "id [[2,3]]"}));
  EXPECT_EQ(shown(read_spans(R"({"spans":[[0,1]],"note":{"a":1},"id":"x"})")), (std::vector<std::string>{"x [[0,1]]"}));
  EXPECT_EQ(shown(read_spans(R"({"a\":1,\"b":[[0,1]]})")), (std::vector<std::string>{R"(a":1,"b [[0,1]])"}));
  VariantSourceOptions named;
  named.id = "meta.id";
  EXPECT_EQ(shown(read_spans(R"({"meta":{"id":"x"},"spans":[[0,1]]})", named)),
            (std::vector<std::string>{"x [[0,1]]"}));
}

TEST(SpanRows, KeepUnitsAndErrors) {
  VariantSourceOptions options;
  options.unit = text::Unit::kByte;
  const auto read = read_spans(
      R"({"a":[[0,3]],"b":{"spans":[[0,3]],"unit":"utf16"},"c":{"error":"timeout","spans":[[0,3]]},"d":{"error":null}})",
      options);
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[0].unit, text::Unit::kByte);
  EXPECT_EQ(read.rows[1].unit, text::Unit::kUtf16);
  EXPECT_EQ(read.rows[2].error, "timeout");
  EXPECT_FALSE(read.rows[2].spans);
  ASSERT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.bad[0].cause, "entry 4: field \"spans\" is missing");
}

TEST(SpanRows, NameTheLineAndTheEntryOfWhatIsWrong) {
  const auto lines = read_spans(
      "{\"id\":\"a\",\"spans\":[[0,3]]}\n{\"id\":\"b\"}\n{\"id\":\"c\",\"spans\":[[3,0]]}\n{\"id\":\"d\",\"spans\":7}\n"
      "{\"spans\":[[0,1]]}\n{\"id\":\"e\",\"spans\":[],\"unit\":\"word\"}\n");
  ASSERT_EQ(lines.bad.size(), 5U);
  EXPECT_EQ(lines.bad[0].line, 2U);
  EXPECT_EQ(lines.bad[0].cause, "field \"spans\" is missing");
  EXPECT_EQ(lines.bad[1].cause, "span 1 does not start before its end");
  EXPECT_EQ(lines.bad[2].cause, "the spans are no array");
  EXPECT_EQ(lines.bad[3].cause, "field \"id\" is missing");
  EXPECT_EQ(lines.bad[4].line, 6U);
  EXPECT_EQ(lines.bad[4].cause, "field \"unit\" has an unknown value");

  const auto keyed = read_spans("{\"a\":[[0,3]],\n\"b\":[[3,0]],\n\"c\":\"no\",\"\":[],\n\"d\":[]}");
  EXPECT_EQ(shown(keyed), (std::vector<std::string>{"a [[0,3]]", "d []"}));
  ASSERT_EQ(keyed.bad.size(), 3U);
  EXPECT_EQ(keyed.bad[0].line, 2U);
  EXPECT_EQ(keyed.bad[0].cause, "entry 2: span 1 does not start before its end");
  EXPECT_EQ(keyed.bad[1].line, 3U);
  EXPECT_EQ(keyed.bad[1].cause, "entry 3: the spans are no array");
  EXPECT_EQ(keyed.bad[2].cause, "entry 4: field \"id\" is empty");
  EXPECT_EQ(keyed.rows[1].entry, 5U);
}

TEST(SpanRows, GoOnBehindFaultsOfTheObject) {
  const struct {
    const char* bytes;
    const char* cause;
    std::size_t rows;
  } kFaults[] = {
      {R"({"a":[],,"b":[]})", "entry 2: a member of the object is missing", 2},
      {R"({"a":[] "b":[]})", "entry 2: a comma between two members is missing", 2},
      {R"({"a":[],"b":[])", "entry 3: the object is not closed", 2},
      {"{\"a\":[]}\n{\"b\":[]}", "entry 2: something follows the end of the object", 1},
  };
  for (const auto& [bytes, cause, rows] : kFaults) {
    SCOPED_TRACE(bytes);
    const auto read = read_spans(bytes);
    EXPECT_EQ(read.rows.size(), rows);
    ASSERT_EQ(read.bad.size(), 1U);
    EXPECT_EQ(read.bad[0].cause, cause);
  }
}

// Read in another way a file is another one: nothing of it is stored yet.
TEST(SpanRows, AreOfTheirUnit) {
  VariantSourceOptions texts, codepoints, bytes;
  codepoints.spans = bytes.spans = true;
  bytes.unit = text::Unit::kByte;
  EXPECT_NE(identify(texts).reading, identify(codepoints).reading);
  EXPECT_NE(identify(bytes).reading, identify(codepoints).reading);
}

TEST(SpanRows, RefuseWhatGoesWithTextsOnly) {
  VariantSourceOptions text, synthetic, preset, map;
  text.text = "masked";
  synthetic.synthetic = true;
  preset.preset = "synthpai";
  map.map["substitutions"] = "table";
  for (const VariantSourceOptions& options : {text, synthetic, preset, map}) {
    EXPECT_EQ(error_code([&] { read_spans("{\"id\":1,\"spans\":[]}", options); }), 2);
  }
}

}  // namespace
}  // namespace residue::ingest
