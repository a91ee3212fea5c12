#include "ingest/rows/presets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

template <class Options = RecordSourceOptions>
Options preset(const char* name) {
  Options options;
  options.preset = name;
  return options;
}

RecordRow record(const char* name, const std::string& json) {
  const auto read = read_records(json, preset(name));
  EXPECT_TRUE(read.bad.empty()) << (read.bad.empty() ? "" : read.bad[0].cause);
  return read.rows.empty() ? RecordRow{} : read.rows[0];
}

LabelSourceOptions span_preset(const char* name) {
  auto options = preset<LabelSourceOptions>(name);
  options.kind = "span";
  return options;
}

std::vector<LabelRow> spans(const char* name, const std::string& json) {
  const auto read = read_labels(json, span_preset(name));
  EXPECT_TRUE(read.bad.empty()) << (read.bad.empty() ? "" : read.bad[0].cause);
  return read.rows;
}

TEST(Presets, JoinWildChatTurns) {
  const auto row = record("wildchat", R"({"conversation_hash":"h","model":"m","conversation":[{"role":"user",)"
                                      R"("content":"hi"},{"role":"assistant","content":"ho"}]})");
  EXPECT_EQ(row.key, "h");
  EXPECT_EQ(row.text, "USER: hi\nCHATBOT: ho");
  EXPECT_EQ(row.meta, "{\"model\":\"m\"}");
}

TEST(Presets, JoinAbcdTurns) {
  const auto row = record("abcd", R"([{"convo_id":3592,"scenario":{"personal":{"name":"x"}},)"
                                  R"("original":[["agent","hello"],["customer","hi"]],"delexed":[]}])");
  EXPECT_EQ(row.key, "3592");
  EXPECT_EQ(row.text, "agent: hello\ncustomer: hi");
  EXPECT_EQ(row.meta, "{\"delexed\":[],\"scenario\":{\"personal\":{\"name\":\"x\"}}}");
  EXPECT_EQ(read_records(R"({"convo_id":1,"original":[["agent"]]})", preset("abcd")).bad.size(), 1U);
}

TEST(Presets, ReadAi4PrivacyAsRecordsRunAndSpans) {
  const std::string json = R"({"source_text":"Bob is 45","masked_text":"[NAME] is 45","uid":12,)"
                           R"("privacy_mask":[{"label":"NAME","start":0,"end":3,"value":"Bob"}]})";
  const auto row = record("ai4privacy", json);
  EXPECT_EQ(row.key, "12");
  EXPECT_EQ(row.text, "Bob is 45");
  const auto run = read_variants(json, preset<VariantSourceOptions>("ai4privacy"));
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_EQ(run.rows[0].text, "[NAME] is 45");
  const auto found = spans("ai4privacy", json);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].start, 0);
  EXPECT_EQ(found[0].end, 3);
  EXPECT_EQ(found[0].span_text, "Bob");
  const auto target =
      read_variants(R"({"source_text":"a","target_text":"b"})", preset<VariantSourceOptions>("ai4privacy"));
  EXPECT_EQ(target.rows.at(0).text, "b");
  EXPECT_EQ(target.rows.at(0).key, "0");
}

TEST(Presets, TakeErrorRowsOfARun) {
  const auto read = read_variants(R"({"uid":1,"error":"timeout"})", preset<VariantSourceOptions>("ai4privacy"));
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].error, "timeout");
  EXPECT_FALSE(read.rows[0].text);
}

TEST(Presets, ReadBothShapesOfTab) {
  const std::string mention = R"([{"entity_type":"PERSON","entity_mention_id":"m1","start_offset":0,"end_offset":3,)"
                              R"("span_text":"Bob","identifier_type":"DIRECT","entity_id":"e1"}])";
  const std::string shapes[] = {
      R"({"doc_id":"001-1","text":"Bob","annotations":{"annotator1":{"entity_mentions":)" + mention + "}}}",
      R"({"text":"Bob","entities":)" + mention +
          R"(,"metadata":{"provenance":{"doc_id":"001-1","annotator":"annotator1"}}})"};
  for (const std::string& json : shapes) {
    SCOPED_TRACE(json);
    EXPECT_EQ(record("tab", json).key, "001-1");
    EXPECT_EQ(record("tab", json).text, "Bob");
    const auto found = spans("tab", json);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].record, "001-1");
    EXPECT_EQ(found[0].annotator, "annotator1");
    EXPECT_EQ(found[0].end, 3);
    EXPECT_NE(found[0].payload.find(R"("identifier":"DIRECT")"), std::string::npos);
    EXPECT_NE(found[0].payload.find(R"("entity":"e1")"), std::string::npos);
  }
}

TEST(Presets, NumberPresidioRowsFromZero) {
  const std::string json = R"([{"full_text":"a","masked":"a","spans":[],"template_id":1},{"full_text":"Bob",)"
                           R"("spans":[{"entity_type":"PERSON","entity_value":"Bob","start_position":0,)"
                           R"("end_position":3}]}])";
  EXPECT_EQ(record("presidio", json).key, "0");
  const auto found = spans("presidio", json);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].record, "1");
  const auto backwards = read_labels(
      R"([{"full_text":"a","spans":[{"entity_type":"P","entity_value":"","start_position":3,"end_position":3}]}])",
      span_preset("presidio"));
  EXPECT_EQ(backwards.bad.size(), 1U);
}

TEST(Presets, JoinTheCommentsOfAProfile) {
  EXPECT_EQ(record("synthpai", R"({"username":"u","comments":[{"text":"a"},{"text":"b"}]})").text, "a\nb");
  EXPECT_EQ(record("synthpai", R"({"username":"u","comments":[{"comments":[{"text":"a"},{"text":"b"}]}]})").text,
            "a\nb");
}

TEST(Presets, StripTheBulletsOfMediq) {
  const auto row = record("mediq", R"({"id":4,"context":["A.","B."],"facts":["1. x","- y","12.z","2 days"],)"
                                   R"("question":"q?","options":{"A":"a"},"answer_idx":"A"})");
  EXPECT_EQ(row.text, "A. B.");
  EXPECT_EQ(row.claims, (std::vector<std::string>{"x", "y", "z", "2 days"}));
  EXPECT_EQ(row.task, R"({"answer":"A","options":{"A":"a"},"question":"q?"})");
}

TEST(Presets, KeepTheTextOfMedqaOutOfItsTask) {
  const auto row = record("medqa", R"({"question":"A man. What?","options":{"A":"a"},"answer_idx":"A"})");
  EXPECT_EQ(row.key, "0");
  EXPECT_EQ(row.task, R"({"answer":"A","options":{"A":"a"}})");
}

TEST(Presets, RefuseFlagsThatNameFields) {
  const auto code = [](auto set) {
    auto options = preset("tab");
    set(options);
    return error_code([&] { read_records("", options); });
  };
  EXPECT_EQ(code([](RecordSourceOptions&) {}), 0);
  EXPECT_EQ(code([](RecordSourceOptions& o) { o.id = "x"; }), 2);
  EXPECT_EQ(code([](RecordSourceOptions& o) { o.text = "x"; }), 2);
  EXPECT_EQ(code([](RecordSourceOptions& o) { o.map["text"] = "x"; }), 2);
  EXPECT_EQ(code([](RecordSourceOptions& o) { o.preset = "tba"; }), 2);
  EXPECT_EQ(error_code([] { read_variants("", preset<VariantSourceOptions>("tab")); }), 2);
}

}  // namespace
}  // namespace residue::ingest
