#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

TEST(ClaimRows, ReadArraysThatReplace) {
  const auto read = read_claims("{\"record\":\"r\",\"claims\":[\"a b\",\"c\"]}\n{\"doc_id\":7,\"facts\":[]}\n");
  ASSERT_EQ(read.rows.size(), 1U) << "two names of the record in one file: the first row decides";
  EXPECT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.rows[0].record, "r");
  EXPECT_TRUE(read.rows[0].replaces);
  ASSERT_EQ(read.rows[0].claims.size(), 2U);
  EXPECT_EQ(read.rows[0].claims[1].text, "c");
  EXPECT_FALSE(read.rows[0].claims[1].n);
}

TEST(ClaimRows, ReadAliases) {
  for (const char* id : {"record", "id", "doc_id", "record_id", "_id", "uid", "conversation_hash"}) {
    SCOPED_TRACE(id);
    const auto read = read_claims("{\"" + std::string(id) + "\":7,\"facts\":[\"a\"]}");
    ASSERT_EQ(read.rows.size(), 1U);
    EXPECT_EQ(read.rows[0].record, "7");
    EXPECT_EQ(read.rows[0].claims.at(0).text, "a");
  }
}

TEST(ClaimRows, ReadSingleClaimsWithNumberAndCategories) {
  const auto read = read_claims(
      "{\"record\":\"r\",\"claim\":\"a\",\"n\":3,\"category\":[\"Age\",\"Occupation\"]}\n"
      "{\"record\":\"r\",\"claim\":\"b\",\"category\":\"Age\"}\n"
      "{\"record\":\"r\",\"claim\":\"c\",\"n\":null,\"claims\":null}\n");
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_FALSE(read.rows[0].replaces);
  EXPECT_EQ(read.rows[0].claims.at(0).n, 3U);
  EXPECT_EQ(read.rows[0].claims.at(0).category, "[\"Age\",\"Occupation\"]");
  EXPECT_EQ(read.rows[1].claims.at(0).category, "[\"Age\"]");
  EXPECT_FALSE(read.rows[2].claims.at(0).n);
}

TEST(ClaimRows, RefuseWhatIsNoClaimAndGoOn) {
  const std::vector<std::string> lines = {
      R"({"claims":["a"]})",
      R"({"record":"r"})",
      R"({"record":"r","claims":"a"})",
      R"({"record":"r","claims":[1]})",
      R"({"record":"r","claims":["a"," \t"]})",
      R"({"record":"r","claim":""})",
      R"({"record":"r","claim":5})",
      R"({"record":"r","claim":"a","claims":["b"]})",
      R"({"record":"r","claim":"a","n":0})",
      R"({"record":"r","claim":"a","n":1.0})",
      R"({"record":"r","claim":"a","n":"1"})",
      R"({"record":"r","claim":"a","n":4294967296})",
      R"({"record":"r","claim":"a","n":-1})",
      R"({"record":"r","claim":"a","category":1})",
      R"({"record":"r","claim":"a","category":["Job"]})",
      R"({"record":"r","claim":"a","category":[null]})",
  };
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n{\"record\":\"r\",\"claim\":\"good\"}\n";
  const auto read = read_claims(bytes);
  ASSERT_EQ(read.bad.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(read.bad[i].line, 2 * i + 1);
  EXPECT_EQ(read.rows.size(), lines.size());
}

TEST(ClaimRows, ReadCsvWithArraysInCells) {
  const auto many = read_claims("record,claims\nr,\"[\"\"a\"\",\"\"b\"\"]\"\n", {}, ".csv");
  ASSERT_EQ(many.rows.size(), 1U);
  EXPECT_EQ(many.rows[0].claims.size(), 2U);
  const auto one = read_claims("record\tclaim\tn\nr\ta\t2\nr\tb\t\n", {}, ".tsv");
  ASSERT_EQ(one.rows.size(), 2U);
  EXPECT_EQ(one.rows[0].claims.at(0).n, 2U);
  EXPECT_FALSE(one.rows[1].claims.at(0).n);
}

TEST(ClaimRows, FollowFlagsAndTakeNoPreset) {
  ClaimSourceOptions options;
  options.record = "who.key";
  options.claims = "said";
  const auto read = read_claims(R"({"who":{"key":"r"},"said":["a"],"record":"x"})", options);
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].record, "r");
  options.preset = "mediq";
  EXPECT_EQ(error_code([&] { read_claims("", options); }), 2);
}

}  // namespace
}  // namespace residue::ingest
