// Lines of batch files: what is written is read by servers, what they write is read in every form they have.
#include "model/asking/batch_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::model {
namespace {

const VoteKey kVote(sha256("a vote"));
const std::string kId = to_hex(kVote.bytes());
// The same by another program: base64.b32encode.
const std::string kLong = "462in6w52eakk6wqnpeiufmleuibfyld3x6vuz4pkndxdeimobhq";
const std::string kReply = R"({"choices": [ {"message":{"content":"\"}{ ]"}} ], "x":1.50})";

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  return text;
}

TEST(BatchLine, IsOneLineOfJsonWithTheBodyAsItIs) {
  const std::string body = R"({"model":"m","messages":[{"role":"user","content":"a\nb"}]})";
  const std::string line = batch_line(kVote, body);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["custom_id"], kLong + "-2") << "and how many tokens \"a\\nb\" has at least";
  EXPECT_EQ(json["method"], "POST");
  EXPECT_EQ(json["url"], "/v1/chat/completions");
  EXPECT_EQ(json["body"].dump(), nlohmann::json::parse(body).dump());
  EXPECT_NE(line.find(body), std::string::npos);
  EXPECT_EQ(read_batch_line(line).problem, "a request, not an answer");
}

TEST(BatchAnswer, SaysHowLongThePromptWas) {
  const auto read = [](const std::string& id) {
    return read_batch_line(R"({"custom_id":")" + id + R"(","body":{"choices":[]}})");
  };
  EXPECT_EQ(read(kLong + "-1234").vote, kVote);
  EXPECT_EQ(read(kLong + "-1234").least_tokens, 1'234U);
  EXPECT_EQ(read(upper(kLong) + "-0").vote, kVote);
  EXPECT_EQ(read(kId).vote, kVote) << "of an older version";
  EXPECT_EQ(read(kId).least_tokens, 0U);
  for (const char* rest : {"", "-", "1234", "-12x", "--1", "-99999999999999999999", "-1 "}) {
    EXPECT_FALSE(read(kLong + rest).vote) << rest;
  }
  EXPECT_FALSE(read(kId + "-12").vote);
  EXPECT_FALSE(read("1" + kLong.substr(1) + "-12").vote);
  EXPECT_FALSE(read(kLong.substr(0, 51) + "r-12").vote) << "bits beyond the key";
}

TEST(BatchAnswer, IsReadInEveryForm) {
  const struct {
    const char* what;
    std::string line;
    std::string body;
    int status = 200;
  } kCases[] = {
      {"nested",
       R"({"id":"1","custom_id":"ID","response":{"status_code":200,"request_id":"r","body":BODY},"error":null})",
       kReply},
      {"nested, spaces, other order",
       "{ \"error\" : null , \"response\" : { \"body\" : BODY , \"status_code\" : 201 } , "
       "\"custom_id\" : \"ID\" } ",
       kReply, 201},
      {"nested without a status", R"({"custom_id":"ID","response":{"body":BODY}})", kReply},
      {"the response is the body", R"({"custom_id":"ID","response":BODY})", kReply},
      {"flat under body", R"({"custom_id":"ID","body":BODY})", kReply},
      {"a body written as text", R"({"custom_id":"ID","body":"{\"choices\":[]}"})", R"({"choices":[]})"},
      {"names of other things",
       R"({"x":{"custom_id":"no","body":1},"y":["\"body\":",{}],"custom_id":"ID","body":BODY})", kReply},
      {"a name written with escapes", R"({"custom_id":"ID","b\u006fdy":{"choices":[1]}})", R"({"choices":[1]})"},
  };
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.what);
    std::string line = one.line;
    if (const auto at = line.find("BODY"); at != std::string::npos) line.replace(at, 4, kReply);
    for (const std::string& id : {kId, upper(kId)}) {
      std::string with = line;
      with.replace(with.find("ID"), 2, id);
      const BatchAnswer answer = read_batch_line(with);
      EXPECT_EQ(answer.problem, "");
      EXPECT_EQ(answer.vote, kVote);
      EXPECT_FALSE(answer.failed);
      EXPECT_EQ(answer.body, one.body);
      EXPECT_EQ(answer.status, one.status);
    }
  }
  const std::string flat = R"({"custom_id":")" + kId + R"(","choices":[1],"model":"m"})";
  EXPECT_EQ(read_batch_line(flat).body, flat);
}

TEST(BatchAnswer, SaysWhatIsNone) {
  const std::string id = R"("custom_id":")" + kId + "\"";
  const struct {
    std::string line, problem, reason;
    bool vote = true;
  } kCases[] = {
      {"", "not a JSON object", "", false},
      {"[1]", "not a JSON object", "", false},
      {"{" + id, "not a JSON object", "", false},
      {R"({"response":{"body":{}}})", "no custom_id", "", false},
      {"{" + id + R"(,"body":{"choices":)" + std::string(5'000'000, '[') + std::string(5'000'000, ']') + "}}",
       "nested too deeply", "", false},
      {R"({"custom_id":7})", "no custom_id", "", false},
      {"{" + id + R"(,"body":{"messages":[],"model":"m"}})", "a request, not an answer", "", false},
      {R"({"custom_id":"request-1","body":{"choices":[]}})", "", "", false},
      {R"({"custom_id":")" + kId.substr(1) + R"(g","body":{"choices":[]}})", "", "", false},
      {"{" + id + R"(,"response":null,"error":{"code":"batch_expired","message":"Ann keeps bees"}})", "",
       "error batch_expired"},
      {"{" + id + R"(,"response":null,"error":{"code":"Ann keeps bees"}})", "", "an error"},
      {"{" + id + R"(,"error":"Ann keeps bees"})", "", "an error"},
      {"{" + id + R"(,"response":{"status_code":429,"body":{"error":{"message":"Ann"}}}})", "", "HTTP 429"},
      {"{" + id + R"(,"response":{"status_code":400,"body":{"choices":[]}}})", "", "HTTP 400"},
      {"{" + id + R"(,"response":{"status_code":200,"body":null}})", "", "no reply in it"},
      {"{" + id + "}", "", "no reply in it"},
  };
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.line.substr(0, 200));
    const BatchAnswer answer = read_batch_line(one.line);
    EXPECT_EQ(answer.problem, one.problem);
    EXPECT_EQ(answer.reason, one.reason);
    EXPECT_EQ(answer.failed, !one.reason.empty());
    if (answer.problem.empty()) {
      EXPECT_EQ(answer.vote, one.vote ? std::optional(kVote) : std::nullopt);
    }
  }
}

TEST(BatchAnswer, OfOneReplyIsOneHoweverItIsWritten) {
  EXPECT_TRUE(same_reply(R"({"a":1,"b":[2]})", R"({ "b": [2], "a": 1 })"));
  EXPECT_TRUE(same_reply(R"({"choices":[1],"custom_id":"x"})", R"({"choices":[1]})"));
  EXPECT_FALSE(same_reply(R"({"choices":[1]})", R"({"choices":[2]})"));
  EXPECT_TRUE(same_reply("<html>", "<html>"));
  EXPECT_FALSE(same_reply("<html>", "<HTML>"));
  const std::string deep(5'000'000, '[');
  EXPECT_FALSE(same_reply(deep + std::string(deep.size(), ']'), deep + "1" + std::string(deep.size(), ']')));
}

class BatchFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "residue-batch.XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / "out")) {
      all.push_back(entry.path().filename().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  std::filesystem::path dir_;
};

TEST_F(BatchFolder, FilesHaveAtMostSoManyLinesAndTheirNamesAtTheEnd) {
  BatchWriter writer(dir_ / "out", 2);
  for (const char* line : {"a\n", "b\n", "c\n", "d\n", "e\n"}) writer.add(line);
  EXPECT_EQ(names(), (std::vector<std::string>{".part-00001.jsonl.tmp", ".part-00002.jsonl.tmp"}));
  const auto files = writer.publish();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(names(), (std::vector<std::string>{"part-00001.jsonl", "part-00002.jsonl", "part-00003.jsonl"}));
  EXPECT_EQ(files[0].lines, 2U);
  EXPECT_EQ(files[2].bytes, 2U);
  EXPECT_EQ(std::filesystem::status(dir_ / "out" / "part-00001.jsonl").permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(std::filesystem::status(dir_ / "out").permissions(), std::filesystem::perms(0700));
  EXPECT_EQ(storage::read_small_file(dir_ / "out" / "part-00002.jsonl"), "c\nd\n");
  EXPECT_THROW(BatchWriter(dir_ / "out", 2), Error);
}

TEST_F(BatchFolder, NothingStaysOfAnExportThatDidNotEnd) {
  {
    BatchWriter writer(dir_ / "out", 1);
    writer.add("a\n");
    writer.add("b\n");
  }
  EXPECT_TRUE(names().empty());
  storage::write_new_file(dir_ / "out" / ".part-00001.jsonl.tmp", "of a process that was killed");
  storage::write_new_file(dir_ / "out" / "notes.txt", "somebody's");
  BatchWriter writer(dir_ / "out", 1);
  writer.add("a\n");
  writer.publish();
  EXPECT_EQ(names(), (std::vector<std::string>{"notes.txt", "part-00001.jsonl"}));
}

TEST_F(BatchFolder, NoFileIsLargerThanServersTake) {
  BatchWriter writer(dir_ / "out", kBatchLines);
  const std::string line(40'000'000, 'x');
  for (int i = 0; i < 3; ++i) writer.add(line);
  const auto files = writer.publish();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].bytes, 80'000'000U);
  EXPECT_THROW(writer.add(std::string(kBatchBytes + 1, 'x')), Error);
}

}  // namespace
}  // namespace residue::model
