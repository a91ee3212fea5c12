#include <gtest/gtest.h>

#include <string>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

Read<AnswerRow> read(const std::string& bytes, bool labels = false) {
  const TempFile file(bytes);
  AnswerSourceOptions options;
  options.path = file.path();
  options.labels = labels;
  return read_all(open_answers(options));
}

TEST(AnswerRows, KeepAResponseAsItCameAndRestored) {
  const auto all =
      read(R"({"model":"m","task":"response","record":"a","run":"r","response":"See Ruth.","restored":"See Ann."})"
           "\n"
           R"({"model":"m","task":"response","record":"a","run":"none","answer":"See Ann."})"
           "\n"
           R"({"model":"m","task":"response","record":"a","run":"r","restored":"See Ann."})"
           "\n"
           R"({"model":"m","task":"response","record":"a","run":"r","response":null})"
           "\n"
           R"({"model":"m","task":"response","record":"a","run":"r"})"
           "\n"
           R"({"model":"m","task":"response","record":"a","run":"r","response":""})");
  ASSERT_EQ(all.rows.size(), 4U);
  EXPECT_EQ(all.rows[0].answer, R"({"response":"See Ruth.","restored":"See Ann."})");
  EXPECT_EQ(all.rows[1].answer, R"({"response":"See Ann."})");
  EXPECT_EQ(all.rows[2].answer, R"({"restored":"See Ann."})");
  EXPECT_FALSE(all.rows[3].answer);
  ASSERT_EQ(all.bad.size(), 2U);
  EXPECT_EQ(all.bad[0].line, 5U);
}

TEST(AnswerRows, NameATextThatBelongsToNoRecordByItsKey) {
  const auto all = read(R"({"model":"m","task":"coherence","key":"s1","run":"r","answer":4})"
                        "\n"
                        R"({"model":"m","task":"coherence","record":"a","key":"s1","run":"r","answer":4})"
                        "\n"
                        R"({"model":"m","task":"coherence","record":null,"key":7,"run":"r","answer":4})"
                        "\n"
                        R"({"model":"m","task":"coherence","key":null,"run":"r","answer":4})");
  ASSERT_EQ(all.rows.size(), 3U);
  EXPECT_EQ(all.rows[0].record, "s1");
  EXPECT_EQ(all.rows[1].record, "a") << "where both are there it is the record's";
  EXPECT_EQ(all.rows[2].record, "7");
  EXPECT_EQ(all.bad.size(), 1U);
}

// ingest labels --kind response.
TEST(AnswerRows, ReadLabelsThatAreResponses) {
  const auto all = read(R"({"record":"a","response":"See Ann."})"
                        "\n"
                        R"({"record":"a","run":"r","response":"See Ruth.","annotator":"gpt"})"
                        "\n"
                        R"({"record":"a","task":"qa","response":"See Ruth."})",
                        true);
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_EQ(all.rows[0].run, "none");
  EXPECT_EQ(all.rows[0].model, "response");
  EXPECT_EQ(all.rows[0].task, "response");
  EXPECT_EQ(all.rows[1].run, "r");
  EXPECT_EQ(all.rows[1].model, "gpt");
  EXPECT_EQ(all.bad.size(), 1U);
}

}  // namespace
}  // namespace residue::ingest
