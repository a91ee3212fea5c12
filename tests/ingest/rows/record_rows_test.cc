#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/rows/rows.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

std::string file_of(const std::string& bytes, const std::string& ending = ".jsonl") {
  static int number = 0;
  const auto path = std::filesystem::temp_directory_path() /
                    ("residue-rows-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + ending);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Read<RecordRow> records(const std::string& bytes, const std::string& ending = ".jsonl") {
  RecordSourceOptions options;
  options.path = file_of(bytes, ending);
  auto read = read_all(open_records(options));
  std::filesystem::remove(options.path);
  return read;
}

TEST(RecordRows, RefuseEachMalformedLineAndGoOn) {
  std::string deep = "{\"id\":\"a\",\"text\":\"t\",\"x\":";
  for (int i = 0; i < 32; ++i) deep += '[';
  for (int i = 0; i < 32; ++i) deep += ']';
  const std::vector<std::string> lines = {"{",
                                          "}",
                                          "[1]",
                                          "1",
                                          "null",
                                          "true",
                                          "\"x\"",
                                          "{}",
                                          "{} {}",
                                          "{\"id\":\"a\",\"text\":null}",
                                          "{\"text\":\"t\"}",
                                          "{\"id\":\"a\",\"text\":\"t\"}x",
                                          "{\"id\":\"a\",\"text\":\"t\"},",
                                          "{\"id\":\"a\",\"text\":\"t\",}",
                                          "{\"id\":\"a\" \"text\":\"t\"}",
                                          "{\"id\":\"a\",\"text\":t}",
                                          "{'id':'a','text':'t'}",
                                          "{id:\"a\",\"text\":\"t\"}",
                                          "{\"id\":null,\"text\":\"t\"}",
                                          "{\"id\":true,\"text\":\"t\"}",
                                          "{\"id\":{},\"text\":\"t\"}",
                                          "{\"id\":[],\"text\":\"t\"}",
                                          "{\"id\":1.5,\"text\":\"t\"}",
                                          "{\"id\":1e3,\"text\":\"t\"}",
                                          "{\"id\":\"\",\"text\":\"t\"}",
                                          "{\"id\":\" \",\"text\":\"t\"}",
                                          "{\"id\":01,\"text\":\"t\"}",
                                          "{\"id\":NaN,\"text\":\"t\"}",
                                          "{\"id\":\"a\",\"text\":null}",
                                          "{\"id\":\"a\",\"text\":1}",
                                          "{\"id\":\"a\",\"text\":{}}",
                                          "{\"id\":\"a\",\"text\":[1]}",
                                          "{\"id\":\"a\",\"text\":[\"t\",null]}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"text\":\"u\"}",
                                          "{\"id\":\"a\",\"id\":\"a\",\"text\":\"t\"}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":1,\"x\":2}",
                                          "{\"id\":\"a\",\"text\":\"\\u0000\"}",
                                          "{\"id\":\"a\\u0000\",\"text\":\"t\"}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"\\u0000\":1}",
                                          std::string("{\"id\":\"a\",\"text\":\"t\0\"}", 22),
                                          std::string("{\"id\":\"a\",\0\"text\":\"t\"}", 22),
                                          "{\"id\":\"a\",\"text\":\"\\ud800\"}",
                                          "{\"id\":\"a\",\"text\":\"\\udc00\"}",
                                          "{\"id\":\"a\",\"text\":\"\\ud800\\ud800\"}",
                                          "{\"id\":\"a\",\"text\":\"\\ud800x\"}",
                                          "{\"id\":\"a\",\"text\":\"\\x\"}",
                                          "{\"id\":\"a\",\"text\":\"\\u12\"}",
                                          "{\"id\":\"a\",\"text\":\"\xff\"}",
                                          "{\"id\":\"a\",\"text\":\"\xc0\xaf\"}",
                                          "{\"id\":\"a\",\"text\":\"\xed\xa0\x80\"}",
                                          "{\"id\":\"a\",\"text\":\"\xe2\x82\"}",
                                          "{\"id\":\"a\",\"text\":\"\xf5\x80\x80\x80\"}",
                                          "{\"id\":\"a\",\"text\":\"\t\"}",
                                          "{\"id\":\"a\",\"text\":\"t",
                                          "{\"id\":\"a\",\"text\":\"t\"",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":1e999}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":+1}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":.5}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":1.}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":-}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":nul}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":[1,]}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":[1 2]}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":{1:2}}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"task\":1}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"task\":[]}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"task\":\"x\"}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"person\":{}}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"person\":true}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"label\":[]}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"label\":false}",
                                          "// c",
                                          "{/**/}",
                                          deep + "}",
                                          "{\"id\":\"a\",\"text\":\"t\"}{\"id\":\"b\",\"text\":\"t\"}",
                                          "{\"id\":099999999999999999999999,\"text\":\"t\"}",
                                          "\xef\xbb\xbf{\"id\":\"a\",\"text\":\"t\"}",
                                          "{\"id\"}",
                                          "{\"id\":}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":Infinity}",
                                          "{\"id\":\"a\",\"text\":\"t\",\"x\":tru}",
                                          "{\"id\":\"a\",\"text\":\"t\"]",
                                          "{:1}",
                                          ",",
                                          "{\"id\":\"a\",,\"text\":\"t\"}"};
  ASSERT_GE(lines.size(), 80U);
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n{\"id\":\"good\",\"text\":\"t\"}\n";
  const auto read = records(bytes);
  std::set<std::uint64_t> refused;
  for (const RowError& bad : read.bad) {
    refused.insert(bad.line);
    EXPECT_FALSE(bad.remedy.empty());
  }
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_TRUE(refused.contains(2 * i + 1)) << lines[i];
  EXPECT_EQ(read.bad.size(), lines.size());
  EXPECT_EQ(read.rows.size(), lines.size());
}

TEST(RecordRows, KeepUnknownFieldsSorted) {
  const auto read =
      records("\xef\xbb\xbf{\"uid\":7,\"context\":[\"a\",\"b\"],\"z\":1,\"b\":{\"d\":1,\"c\":null}}\r\n\n");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].key, "7");
  EXPECT_EQ(read.rows[0].text, "a b");
  EXPECT_EQ(read.rows[0].meta, "{\"b\":{\"c\":null,\"d\":1},\"z\":1}");
}

TEST(RecordRows, KeepIntegersOfAnySizeAsTheyAreWritten) {
  const auto read = records(
      "{\"id\":18446744073709551616,\"text\":\"[1]\",\"a\\\"b\":[-99999999999999999999,1,\"18446744073709551616\"]}\n"
      "{\"id\":18446744073709551615,\"text\":\"\\\\\",\"z\":-9223372036854775808}\n"
      "{\"id\":1,\"text\":\"t\",\"z\":99999999999999999999999,\"y\":1e999}\n");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].key, "18446744073709551616");
  EXPECT_EQ(read.rows[0].text, "[1]");
  EXPECT_EQ(read.rows[0].meta, "{\"a\\\"b\":[-99999999999999999999,1,\"18446744073709551616\"]}");
  EXPECT_EQ(read.rows[1].key, "18446744073709551615");
  EXPECT_EQ(read.rows[1].meta, "{\"z\":-9223372036854775808}");
  EXPECT_EQ(read.bad.size(), 1U);
}

TEST(RecordRows, RefuseTwoCandidatesForTheText) {
  EXPECT_THROW(records("{\"id\":1,\"text\":\"a\",\"content\":\"b\"}"), Error);
}

TEST(RecordRows, ReadArraysAndCsv) {
  const auto array = records("[\n{\"id\":1,\"text\":\"a\"},\n3,\n{\"id\":2,\"text\":\"b]}\"}\n]\n", ".json");
  ASSERT_EQ(array.rows.size(), 2U);
  EXPECT_EQ(array.rows[1].line, 4U);
  ASSERT_EQ(array.bad.size(), 1U);
  EXPECT_EQ(array.bad[0].line, 3U);
  const auto csv = records("id,text,label\r\n1,\"a\n\"\"b\"\"\",\r\n2,x\r\n3,c,d\r\n", ".csv");
  ASSERT_EQ(csv.rows.size(), 2U);
  EXPECT_EQ(csv.rows[0].text, "a\n\"b\"");
  EXPECT_FALSE(csv.rows[0].label);
  EXPECT_EQ(csv.rows[1].line, 5U);
  ASSERT_EQ(csv.bad.size(), 1U);
  EXPECT_EQ(csv.bad[0].line, 4U);
}

TEST(Presets, ReadTheRealFiles) {
  const std::filesystem::path data = RESIDUE_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no ../shared/data";
  const struct {
    const char* preset;
    const char* path;
    std::size_t rows;
    std::size_t claims;
  } kCases[] = {{"mediq", "mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl", 1272, 14217},
                {"medqa", "medqa/medqa_us_4options_test.jsonl", 1273, 0},
                {"synthpai", "synthpai/comments_original.jsonl", 300, 0},
                {"presidio", "presidio_research/synth_dataset_v2.json", 1500, 0},
                {"tab", "tab/tab_gold_visible_72.jsonl", 72, 0}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.preset);
    RecordSourceOptions options;
    options.preset = c.preset;
    options.path = data / c.path;
    const auto read = read_all(open_records(options));
    EXPECT_EQ(read.rows.size(), c.rows);
    EXPECT_TRUE(read.bad.empty()) << read.bad[0].line << read.bad[0].cause;
    std::size_t claims = 0;
    std::set<std::string> keys;
    for (const auto& row : read.rows) {
      keys.insert(row.key);
      if (row.claims) claims += row.claims->size();
    }
    EXPECT_EQ(claims, c.claims);
    EXPECT_EQ(keys.size(), c.rows);
  }
}

TEST(RecordRows, TellNothingSaidFromSaidToBeNothing) {
  const auto json = read_records(R"({"id":"a","text":"x","person":null,"task":null}
{"id":"b","text":"x","label":"l"}
)");
  ASSERT_EQ(json.rows.size(), 2);
  EXPECT_EQ(json.rows[0].empties, (std::array<bool, 4>{true, false, true, false}));
  EXPECT_EQ(json.rows[1].empties, (std::array<bool, 4>{}));
  const auto csv = read_records("id,text,person\na,x,\nb,y,p\n", {}, ".csv");
  ASSERT_EQ(csv.rows.size(), 2);
  EXPECT_TRUE(csv.rows[0].empties_field(RecordField::kPerson));
  EXPECT_FALSE(csv.rows[0].empties_field(RecordField::kLabel));
  EXPECT_FALSE(csv.rows[1].empties_field(RecordField::kPerson));
  RecordSourceOptions clear;
  clear.clear = {"label", "meta"};
  EXPECT_EQ(read_records("{\"id\":\"a\",\"text\":\"x\"}", clear).rows[0].empties,
            (std::array<bool, 4>{false, true, false, true}));
  clear.clear = {"text"};
  EXPECT_THROW(read_records("{}", clear), Error);
}

TEST(RecordRows, MayLeaveOutTheTextWhereNobodyNamedItsField) {
  const auto read = read_records("{\"id\":\"a\",\"person\":\"p\"}");
  ASSERT_EQ(read.rows.size(), 1);
  EXPECT_FALSE(read.rows[0].text);
  RecordSourceOptions named;
  named.text = "body";
  EXPECT_EQ(read_records("{\"id\":\"a\",\"text\":\"x\"}", named).bad.size(), 1);
}

// Row N of one file is row N of another, whatever their formats: blank lines are none, bad rows are.
TEST(RecordRows, AreNumberedAlikeInAllFormats) {
  RecordSourceOptions numbered;
  numbered.id = "auto";
  const std::pair<const char*, const char*> table[] = {
      {".jsonl", "{\"text\":\"a\"}\n\n{\"text\":7}\n  \n{\"text\":\"c\",\"id\":\"x\"}\n"},
      {".json", "[{\"text\":\"a\"},{\"text\":7},\n\n{\"text\":\"c\"}]"},
      {".csv", "text,id\n\"a\nb\",x\n\nonly one cell\nc,y\n"},
  };
  for (const auto& [ending, bytes] : table) {
    SCOPED_TRACE(ending);
    const auto read = read_records(bytes, numbered, ending);
    ASSERT_EQ(read.rows.size(), 2);
    EXPECT_EQ(read.bad.size(), 1);
    EXPECT_EQ(read.rows[0].key, "1");
    EXPECT_EQ(read.rows[1].key, "3");
  }
}

TEST(RecordRows, SayHowARowWithoutAnIdGetsOne) {
  const auto read = read_records("{\"text\":\"x\"}");
  ASSERT_EQ(read.bad.size(), 1);
  EXPECT_EQ(read.bad[0].remedy, "name the field with --id, or number the rows with --id auto");
}

TEST(RecordRows, OfSemicolonsAreReadAndTold) {
  const TempFile file("id;text\na;x, y\n", ".csv");
  RecordSourceOptions options;
  options.path = file.path();
  const auto source = open_records(options);
  RecordRow row;
  RowError bad;
  ASSERT_EQ(source->next(row, bad), RowResult::kRow);
  EXPECT_EQ(row.text, "x, y");
  EXPECT_EQ(source->notes(), (std::vector<std::string>{"columns are separated by semicolons"}));
}

}  // namespace
}  // namespace residue::ingest
