#include <gtest/gtest.h>

#include <string>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

TEST(Csv, UndoesQuotesAndKeepsLineBreaks) {
  const auto read =
      read_records("\xEF\xBB\xBFid,text,note\r\n1,\"a,\r\n\"\"b\"\"\",\"\"\r\n\r\n 2 , x ,n\r\n3,\"\",z", {}, ".csv");
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[0].text, "a,\r\n\"b\"");
  EXPECT_FALSE(read.rows[0].meta);
  EXPECT_EQ(read.rows[1].line, 5U);
  EXPECT_EQ(read.rows[1].key, " 2 ");
  EXPECT_EQ(read.rows[1].text, " x ");
  EXPECT_EQ(read.rows[1].meta, "{\"note\":\"n\"}");
  EXPECT_EQ(read.rows[2].text, "");
  EXPECT_TRUE(read.bad.empty());
}

TEST(Csv, ReadsAHeaderWithSpacesBetweenItsNames) {
  const auto read = read_records("id, text ,person\n1,a,p\n", {}, ".csv");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].text, "a");
  EXPECT_EQ(read.rows[0].person, "p");
}

TEST(Csv, TakesASeparatorThatTheFirstLineNames) {
  for (const std::string first : {"sep=;\r\n", "\"sep=;\"\n", "\xEF\xBB\xBFSEP=;\n"}) {
    SCOPED_TRACE(first);
    const auto read = read_records(first + "id;text\n1;a, b\n", {}, ".csv");
    ASSERT_EQ(read.rows.size(), 1U);
    EXPECT_EQ(read.rows[0].text, "a, b");
  }
  RecordSourceOptions options;
  options.text = "text, all of it";
  const auto read = read_records("sep=;\nid;text, all of it\n1;a, b\n2\n", options, ".csv");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].text, "a, b");
  EXPECT_EQ(read.rows[0].line, 3U);
  ASSERT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.bad[0].line, 4U);
}

TEST(Csv, NamesUtf16) {
  const std::string ascii = "id,text\n1,a\n";
  std::string little, big;
  for (const char c : ascii) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  for (const std::string& bytes : {"\xff\xfe" + little, "\xfe\xff" + big, little, big}) {
    for (const char* ending : {".csv", ".jsonl", ".txt"}) {
      try {
        read_records(bytes, {}, ending);
        FAIL() << ending;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("UTF-16"), std::string::npos) << error.what();
        EXPECT_NE(error.hint().find("iconv"), std::string::npos);
      }
    }
  }
}

TEST(Csv, RefusesBrokenRowsAndGoesOn) {
  const struct {
    const char* name;
    std::string row;
  } kCases[] = {{"too few cells", "1"},      {"too many cells", "1,a,b"},
                {"quote inside", "1,a\"b"},  {"text behind a quote", "1,\"a\"b"},
                {"invalid UTF-8", "1,\xFF"}, {"NUL", std::string("1,a\0", 4)}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto read = read_records("id,text\n0,good\n" + c.row + "\n2,good\n", {}, ".csv");
    EXPECT_EQ(read.rows.size(), 2U);
    ASSERT_EQ(read.bad.size(), 1U);
    EXPECT_EQ(read.bad[0].line, 3U);
  }
}

TEST(Csv, RefusesAQuoteThatIsNeverClosed) {
  const auto read = read_records("id,text\n1,\"a\n2,b\n", {}, ".csv");
  ASSERT_FALSE(read.bad.empty());
  EXPECT_EQ(read.bad[0].line, 2U);
}

TEST(Csv, RefusesHeadersThatAreNone) {
  for (const char* header : {"id,id", "id,", "id,\"text", "id,te\"xt"}) {
    SCOPED_TRACE(header);
    EXPECT_EQ(error_code([&] { read_records(std::string(header) + "\n1,a\n", {}, ".csv"); }), 6);
  }
}

TEST(Csv, SeparatesTsvByTabsOnly) {
  const auto read = read_records("id\ttext\n1\ta, b\n2\t\"c\td\"\n", {}, ".tsv");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].text, "a, b");
  EXPECT_EQ(read.rows[1].text, "c\td");
}

TEST(Csv, IsToldByItsFirstByteWithoutAName) {
  EXPECT_EQ(read_records("id,text\n1,a\n", {}, "").rows.size(), 1U);
  EXPECT_EQ(read_records("{\"id\":1,\"text\":\"a\"}\n", {}, "").rows.size(), 1U);
  EXPECT_EQ(read_records(" [{\"id\":1,\"text\":\"a\"}]", {}, "").rows.size(), 1U);
}

TEST(Csv, RefusesARowOver16MiBAndGoesOn) {
  const auto read = read_records("id,text\n1," + std::string((16U << 20U) + 1, 'a') + "\n2,good\n", {}, ".csv");
  ASSERT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.bad[0].line, 2U);
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].line, 3U);
}

}  // namespace
}  // namespace residue::ingest
