#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

TEST(VariantRows, TrySanitizedNamesFirst) {
  for (const char* name : {"sanitized", "anonymized", "masked", "rewritten", "output"}) {
    SCOPED_TRACE(name);
    const auto read = read_variants("{\"id\":1,\"text\":\"original\",\"" + std::string(name) + "\":\"clean\"}");
    ASSERT_EQ(read.rows.size(), 1U);
    EXPECT_EQ(read.rows[0].text, "clean");
  }
  EXPECT_EQ(read_variants(R"({"id":1,"text":"clean"})").rows.at(0).text, "clean");
}

TEST(VariantRows, RefuseTwoCandidates) {
  EXPECT_EQ(error_code([] { read_variants(R"({"id":1,"masked":"a","output":"b"})"); }), 2);
  EXPECT_EQ(error_code([] { read_variants(R"({"id":1,"text":"a","content":"b"})"); }), 2);
  VariantSourceOptions options;
  options.text = "output";
  EXPECT_EQ(read_variants(R"({"id":1,"masked":"a","output":"b"})", options).rows.at(0).text, "b");
}

// A note number is no released text: somebody has to say which field is.
TEST(VariantRows, RefuseAFieldThatSoundsMoreLikeTheText) {
  const std::string rows = R"({"id":1,"content":"note number 1","redacted_note":"[NAME] sleeps badly."})";
  EXPECT_EQ(error_code([&] { read_variants(rows); }), 2);
  VariantSourceOptions options;
  options.text = "redacted_note";
  EXPECT_EQ(read_variants(rows, options).rows.at(0).text, "[NAME] sleeps badly.");
  EXPECT_EQ(error_code(
                [] { read_variants(R"({"id":1,"text":"Ann sleeps badly.","DeidentifiedText":"She sleeps badly."})"); }),
            2);
  EXPECT_EQ(error_code([&] { read_variants("{\"id\":0,\"content\":\"note number 0\"}\n" + rows); }), 2)
      << "a later row";
  EXPECT_EQ(read_variants(R"({"id":1,"text":"clean","masked_tokens":3,"redacted":"yes"})").rows.size(), 1U);
}

TEST(VariantRows, SayWhichFieldHoldsTheTexts) {
  const auto notes = [](const std::string& bytes) {
    const TempFile file(bytes);
    VariantSourceOptions options;
    options.path = file.path();
    const auto source = open_variants(options);
    VariantRow row;
    RowError bad;
    while (source->next(row, bad) != RowResult::kEnd) continue;
    return source->notes();
  };
  EXPECT_EQ(
      notes(R"({"id":1,"content":"note number 1","body":"Ann sleeps badly."})"),
      (std::vector<std::string>{"texts are read from the field \"content\", not from \"body\": --text names another"}));
  EXPECT_TRUE(notes(R"({"id":1,"content":"note number 1","ward":"B 4"})").empty());
}

// Otherwise every original of the file would pass for the sanitizer's output.
TEST(VariantRows, NeverLetAnErrorRowDecideWhichFieldHoldsTheText) {
  const auto read = read_variants(
      "{\"id\":1,\"text\":\"original\",\"error\":\"timeout\"}\n{\"id\":2,\"text\":\"original\",\"sanitized\":"
      "\"clean\"}");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].error, "timeout");
  EXPECT_FALSE(read.rows[0].text);
  EXPECT_EQ(read.rows[1].text, "clean");
}

TEST(VariantRows, RefuseASanitizedFieldThatComesLate) {
  const std::string bytes = "{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"a\",\"sanitized\":\"b\"}";
  EXPECT_EQ(error_code([&] { read_variants(bytes); }), 2);
  VariantSourceOptions options;
  options.text = "text";
  EXPECT_EQ(read_variants(bytes, options).rows.size(), 2U);
}

TEST(VariantRows, ReadFailuresOfOtherTools) {
  const auto read = read_variants(
      "{\"id\":1,\"error\":\"refused\"}\n{\"id\":2,\"text\":null}\n{\"id\":3,\"text\":\"\",\"error\":null}\n"
      "{\"id\":4,\"text\":\"t\",\"error\":\"\"}\n{\"id\":5}\n{\"id\":6,\"text\":\"t\",\"error\":true}\n");
  ASSERT_EQ(read.rows.size(), 4U);
  EXPECT_EQ(read.rows[0].error, "refused");
  EXPECT_FALSE(read.rows[0].text);
  EXPECT_FALSE(read.rows[1].text);
  EXPECT_FALSE(read.rows[1].error);
  EXPECT_EQ(read.rows[2].text, "");
  EXPECT_EQ(read.rows[3].text, "t");
  EXPECT_FALSE(read.rows[3].error);
  ASSERT_EQ(read.bad.size(), 2U);
  EXPECT_EQ(read.bad[0].line, 5U);
  EXPECT_EQ(read.bad[1].line, 6U);
}

TEST(VariantRows, CutLongErrorsAtACharacter) {
  const auto read = read_variants("{\"id\":1,\"error\":\"" + std::string(199, 'e') + "\xC3\xA9\"}");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].error, std::string(199, 'e'));
}

TEST(VariantRows, NeedIdsUnlessSynthetic) {
  const std::string bytes = "{\"text\":\"a\"}\n{\"id\":null,\"text\":\"b\"}\n{\"id\":9,\"text\":\"c\"}\n";
  EXPECT_EQ(read_variants(bytes).bad.size(), 2U);
  VariantSourceOptions options;
  options.synthetic = true;
  const auto read = read_variants(bytes, options);
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_FALSE(read.rows[0].key);
  EXPECT_FALSE(read.rows[1].key);
  EXPECT_EQ(read.rows[2].key, "9");
}

TEST(VariantRows, FollowDottedPaths) {
  VariantSourceOptions options;
  options.map = {{"id", "doc.id"}, {"text", "out.text"}, {"error", "status"}};
  const auto read =
      read_variants(R"({"doc":{"id":"k"},"out":{"text":["a","b"]},"status":null,"error":"not this"})", options);
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].key, "k");
  EXPECT_EQ(read.rows[0].text, "a b");
  options.map = {{"person", "x"}};
  EXPECT_EQ(error_code([&] { read_variants("", options); }), 2);
}

TEST(VariantRows, ReadWhatStandsForWhat) {
  const struct {
    const char* field;
    const char* table;
  } cases[] = {{R"([["Ann","Ruth"],["Oslo","Rome"]])", R"([["Ann","Ruth"],["Oslo","Rome"]])"},
               {R"([{"replacement":"Ruth","original":"Ann"}])", R"([["Ann","Ruth"]])"},
               {R"({"Oslo":"Rome","Ann":"Ruth"})", R"([["Ann","Ruth"],["Oslo","Rome"]])"},
               {"[]", "[]"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.field);
    const auto read = read_variants(std::string(R"({"id":1,"text":"t","substitutions":)") + one.field + "}");
    ASSERT_EQ(read.rows.size(), 1U);
    EXPECT_EQ(read.rows[0].substitutions, one.table);
  }
  EXPECT_FALSE(read_variants(R"({"id":1,"text":"t","substitutions":null})").rows.at(0).substitutions);
  EXPECT_EQ(read_variants("id,text,substitutions\n1,t,\"[[\"\"Ann\"\",\"\"Ruth\"\"]]\"\n2,t,\n", {}, ".csv")
                .rows.at(0)
                .substitutions,
            R"([["Ann","Ruth"]])");
  for (const char* bad : {R"(["Ann","Ruth"])", R"([["Ann"]])", R"([["Ann",""]])", R"([["",7]])", "3", R"({"Ann":1})"}) {
    SCOPED_TRACE(bad);
    EXPECT_EQ(read_variants(std::string(R"({"id":1,"text":"t","substitutions":)") + bad + "}").bad.size(), 1U);
  }
}

}  // namespace
}  // namespace residue::ingest
