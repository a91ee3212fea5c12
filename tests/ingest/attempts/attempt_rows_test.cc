#include "ingest/attempts/attempt_rows.h"

#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

Read<AttemptRow> read(const std::string& bytes, const std::map<std::string, std::string>& map = {},
                      const std::string& end = ".jsonl") {
  const TempFile file(bytes, end);
  SourceOptions options;
  options.path = file.path();
  options.map = map;
  return read_all(open_attempts(options));
}

TEST(AttemptRows, SayWhoLookedForWhomAndWhatTheyNamed) {
  const auto all = read(
      R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"seconds":12.5,"searches":3,"answered_at":"2026-11-28T20:30:00.25Z"})"
      "\n"
      R"({"annotator":"ann","record":"b","chosen":null,"sure":0,"present":false,"blind":false,"told":true})"
      "\n"
      R"({"annotator":"ann","target":"3k9w0c2h5m","choice":"7d1q8x0m4e","sure":100,"stratum":"machine:found","blind":1})"
      "\n"
      R"({"annotator":"ann","record":"c","chosen":"none","sure":5,"outcome":"none"})"
      "\n"
      R"({"annotator":"ann","record":"d"})"
      "\n"
      R"({"annotator":"ann","record":"e","chosen":null,"sure":null,"outcome":"open","told":false,"blind":null,"dataset":"d","run":"r","protocol":"p","sample":0})");
  ASSERT_TRUE(all.bad.empty()) << all.bad[0].cause;
  ASSERT_EQ(all.rows.size(), 6U);
  const AttemptRow& first = all.rows[0];
  EXPECT_EQ(first.annotator, "ann");
  EXPECT_EQ(first.target, "a");
  EXPECT_EQ(first.choice, "b");
  EXPECT_TRUE(first.answered && first.present && !first.told && !first.blind && !first.target_is_code);
  EXPECT_EQ(first.sure, 80);
  EXPECT_EQ(first.ms, 12500);
  EXPECT_EQ(first.searches, 3);
  EXPECT_EQ(first.answered_at, 1795897800250);
  EXPECT_FALSE(all.rows[1].choice || all.rows[1].present);
  EXPECT_TRUE(all.rows[1].answered && all.rows[1].told);
  EXPECT_EQ(all.rows[1].blind, false);
  EXPECT_TRUE(all.rows[2].target_is_code && all.rows[2].choice_is_code);
  EXPECT_EQ(all.rows[2].stratum, "machine:found");
  EXPECT_EQ(all.rows[2].blind, true);
  EXPECT_TRUE(all.rows[3].answered && all.rows[3].choice_is_word && !all.rows[3].choice);
  EXPECT_FALSE(all.rows[4].answered);
  EXPECT_FALSE(all.rows[5].answered);
  EXPECT_EQ(all.rows[5].dataset, "d");
}

TEST(AttemptRows, OfASpreadsheetAreTheSame) {
  const auto all = read(
      "worker,record,chosen,confidence,time,outcome\n"
      "ann,a,b,80,2026-11-28 21:30:00+01:00,\n"
      "ann,b,,60,1795897800000,\n"
      "ann,c,none,60,,\n"
      "ann,d,,,,open\n"
      "ann,e,,,,\n",
      {{"annotator", "worker"}, {"sure", "confidence"}, {"answered_at", "time"}}, ".csv");
  ASSERT_EQ(all.rows.size(), 4U);
  EXPECT_EQ(all.rows[0].answered_at, 1795897800000);
  EXPECT_EQ(all.rows[1].answered_at, 1795897800000);
  EXPECT_TRUE(all.rows[1].answered && !all.rows[1].choice && !all.rows[1].choice_is_word);
  EXPECT_TRUE(all.rows[2].choice_is_word);
  EXPECT_FALSE(all.rows[3].answered);
  ASSERT_EQ(all.bad.size(), 1U) << "no text, and nobody says how sure: that may be a forgotten cell";
  EXPECT_EQ(all.bad[0].line, 6U);
  EXPECT_NE(all.bad[0].remedy.find("open"), std::string::npos);
}

TEST(AttemptRows, ThatSayTooLittleOrTooMuchAreRefusedWithoutQuotingThem) {
  const std::pair<const char*, const char*> lines[] = {
      {R"({"record":"a","chosen":"b","sure":80})", "annotator"},
      {R"({"annotator":"","record":"a","chosen":"b","sure":80})", "annotator"},
      {R"({"annotator":"ann","chosen":"b","sure":80})", "neither of"},
      {R"({"annotator":"ann","record":"a","target":"0123456789","chosen":"b","sure":80})", "both of"},
      {R"({"annotator":"ann","record":"a","sure":80})", "names no text"},
      {R"({"annotator":"ann","record":"a","chosen":"b","choice":"0123456789","sure":80})", "both \"chosen\""},
      {R"({"annotator":"ann","record":"a","chosen":"b"})", "\"sure\" is missing"},
      {R"({"annotator":"ann","record":"a","chosen":null})", "\"sure\" is missing"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":101})", "from 0 to 100"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":0.8})", "from 0 to 100"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"seconds":-1})", "no time between"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"seconds":86401})", "no time between"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"searches":-1})", "searches"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"present":"secret"})", "neither true nor false"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"present":2})", "neither true nor false"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":"secret"})", "no time"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":"1999-12-31T23:59:59Z"})",
       "before 2000"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":1764376440})", "before 2000"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":-1})", "before 2000"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":"9026-11-28T20:30:00Z"})",
       "in the future"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"drawn_at":"9026-11-28T20:30:00Z"})", "in the future"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":9223372036854775807})", "in the future"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"state":"secret"})", "\"state\" is none"},
      {R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"secret":1})", "field 5 of the line"},
      {R"({"annotator":"ann","record":"a","outcome":"open","chosen":"b","sure":1})", "without an answer"},
      {R"({"annotator":"ann","record":"a","outcome":"open","blind":true})", "without an answer"}};
  for (const auto& [line, cause] : lines) {
    SCOPED_TRACE(line);
    const auto all = read(line);
    EXPECT_TRUE(all.rows.empty());
    ASSERT_EQ(all.bad.size(), 1U);
    EXPECT_NE(all.bad[0].cause.find(cause), std::string::npos) << all.bad[0].cause;
    EXPECT_EQ((all.bad[0].cause + all.bad[0].remedy).find("secret"), std::string::npos);
  }
}

TEST(AttemptRows, MayBeADayAheadOfThisClock) {
  constexpr std::int64_t kHour = 3'600'000;
  const auto bad = [](std::int64_t ahead) {
    return read(R"({"annotator":"ann","record":"a","chosen":"b","sure":80,"answered_at":)" +
                std::to_string(now_ms() + ahead) + "}")
        .bad.size();
  };
  EXPECT_EQ(bad(23 * kHour), 0U);
  EXPECT_EQ(bad(25 * kHour), 1U);
}

TEST(AttemptRows, OfCsvLoseTheApostropheThatTheExportPutBeforeASign) {
  const std::string names = "annotator,record,chosen,sure\n";
  const auto all = read(names + "'+a,'=b,''@c,1\n'a,=b,@c,2\n", {}, ".csv");
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_EQ(all.rows[0].annotator, "+a");
  EXPECT_EQ(all.rows[0].target, "=b");
  EXPECT_EQ(all.rows[0].choice, "'@c") << "one apostrophe is the export's, the other the record's";
  EXPECT_EQ(all.rows[1].annotator, "'a") << "nobody runs that";
  EXPECT_EQ(all.rows[1].target, "=b");
  EXPECT_EQ(all.rows[1].choice, "@c");
  EXPECT_EQ(read(R"({"annotator":"'+a","record":"'=b","chosen":null,"sure":1})").rows.at(0).annotator, "'+a");
}

TEST(AttemptRows, SayHowTheyCountedElsewhere) {
  const auto all = read(
      R"({"annotator":"a","record":"a","chosen":"none","sure":1,"state":"outdated","named_changed":false})"
      "\n"
      R"({"annotator":"a","record":"b","chosen":null,"sure":1,"state":"shared","named_changed":true})"
      "\n"
      R"({"annotator":"a","record":"c","chosen":null,"sure":null,"outcome":"open","state":"open","named_changed":null})"
      "\n");
  ASSERT_EQ(all.rows.size(), 3U);
  EXPECT_TRUE(all.rows[0].outdated && all.rows[0].exported && !all.rows[0].shared && !all.rows[0].named_changed);
  EXPECT_TRUE(all.rows[1].shared && all.rows[1].named_changed && !all.rows[1].outdated);
  EXPECT_FALSE(all.rows[2].answered || all.rows[2].named_changed);
}

TEST(AttemptRows, OfParquetAreNotReadAndTheErrorSaysWhatIs) {
  std::string parquet = "PAR1";
  parquet += std::string("\x15\x04\x15\x00", 4);
  for (const char* end : {".parquet", ".jsonl", ".csv", ""}) {
    try {
      read(parquet, {}, end);
      ADD_FAILURE() << "it was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
      EXPECT_NE(std::string(error.what()).find("is a Parquet file"), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find("convert it"), std::string::npos);
    }
  }
  EXPECT_EQ(read("PAR1,record,chosen,sure\nann,a,b,1\n", {{"annotator", "PAR1"}}, ".csv").rows.size(), 1U);
}

TEST(AttemptRows, TakeTimesThatSayWhenTheyAre) {
  EXPECT_EQ(unix_ms("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(unix_ms("2000-02-29T23:59:59.999999Z"), 951868799999);
  EXPECT_EQ(unix_ms("2026-01-01T00:30:00+01:00"), unix_ms("2025-12-31T23:30:00Z"));
  EXPECT_EQ(unix_ms("2026-01-01 00:30:00-05:30"), unix_ms("2026-01-01T06:00:00Z"));
  EXPECT_EQ(unix_ms("12"), 12);
  for (const char* none : {"", "2026-01-01", "2026-01-01T00:30:00", "2026-13-01T00:30:00Z", "2026-02-29T00:30:00Z",
                           "2026-01-01T24:00:00Z", "2026-01-01T00:30Z", "2026-01-01T00:30:00+1:00",
                           "2026-01-01T00:30:00.Z", "1969-12-31T23:59:59Z", "-5", "2026-01-01T00:30:00Zz", "now"}) {
    EXPECT_FALSE(unix_ms(none)) << none;
  }
}

}  // namespace
}  // namespace residue::ingest
