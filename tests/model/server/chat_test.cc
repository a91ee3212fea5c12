#include "model/server/chat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/json.h"

namespace residue::model {
namespace {

std::string reply(const std::string& finish, const std::string& more = "") {
  return R"({"choices":[{"finish_reason":)" + finish + R"(,"message":{"content":"yes"}}])" + more + "}";
}

TEST(ReadChat, KnowsHowOtherServersSayThatAModelEnded) {
  struct Case {
    const char* finish;
    const char* problem;
  };
  const Case cases[] = {
      {R"("stop")", ""},
      {R"("eos")", ""},
      {R"("eos_token")", ""},
      {R"("stop_sequence")", ""},
      {R"("end_turn")", ""},
      {R"("STOP")", ""},
      {R"("COMPLETE")", ""},
      {R"("length")", "truncated"},
      {R"("max_tokens")", "truncated"},
      {R"("MAX_TOKENS")", "truncated"},
      {R"("model_length")", "truncated"},
      {R"("content_filter")", "refused"},
      {R"("refusal")", "refused"},
      {R"("SAFETY")", "refused"},
      {R"("tool_calls")", "it did not stop by itself"},
      {R"("error")", "it did not stop by itself"},
      {R"("")", "it did not stop by itself"},
      {"null", "it did not stop by itself"},
      {"1", "it did not stop by itself"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.finish);
    const ChatReply read = read_chat(200, reply(one.finish));
    EXPECT_EQ(read.problem, one.problem);
    EXPECT_EQ(read.content, read.problem.empty() ? "yes" : "");
  }
}

// Readers of JSON differ in which one counts.
TEST(ReadChat, RefusesAReplyWithAKeyTwice) {
  const char* why = "a key is given twice in the reply";
  EXPECT_EQ(read_chat(200, reply(R"("stop")", R"(,"choices":[])")).problem, why);
  EXPECT_EQ(read_chat(200, reply(R"("stop","finish_reason":"stop")")).problem, why);
  EXPECT_EQ(read_chat(200, reply(R"("stop","message":{"content":"no"})")).problem, why);
  EXPECT_EQ(read_chat(200, reply(R"("stop")", R"(,"usage":{"prompt_tokens":1,"prompt_tokens":2})")).problem, why);
  EXPECT_EQ(read_chat(200, reply(R"("stop")")).problem, "");
  EXPECT_FALSE(no_completion(reply(R"("stop")", R"(,"model":"a","model":"b")"))) << "the model was asked";
  EXPECT_EQ(read_chat(500, reply(R"("stop")", R"(,"model":"a","model":"b")")).problem, "not a success");
}

// Prices are made of counts: what cannot be one is none.
TEST(ReadChat, TakesNoCountThatNoRequestCanHave) {
  const auto counts = [](const std::string& usage) {
    const ChatReply read = read_chat(200, reply(R"("stop")", R"(,"usage":)" + usage));
    EXPECT_EQ(read.problem, "") << usage;
    return std::pair(read.tokens_in.value_or(-1), read.tokens_out.value_or(-1));
  };
  const std::pair<std::int64_t, std::int64_t> none = {-1, -1};
  EXPECT_EQ(counts(R"({"prompt_tokens":7,"completion_tokens":3})"), std::pair(std::int64_t{7}, std::int64_t{3}));
  EXPECT_EQ(counts(R"({"prompt_tokens":0,"completion_tokens":0})"), none);
  EXPECT_EQ(counts(R"({"prompt_tokens":0,"completion_tokens":3})"), none);
  EXPECT_EQ(counts(R"({"prompt_tokens":-1,"completion_tokens":0})"), none);
  EXPECT_EQ(counts(R"({"prompt_tokens":0.0,"completion_tokens":0})"), none);
  EXPECT_EQ(counts(R"({"prompt_tokens":7,"completion_tokens":0})").second, -1) << "it has words";
  EXPECT_EQ(read_chat(200, R"({"data":[],"usage":{"prompt_tokens":7,"completion_tokens":0}})").tokens_out, 0);
}

// Some servers say what the model thought in the details or in the sum alone: it has to be paid.
TEST(ReadChat, TakesTheMostThatItsServerSaysOfAnAnswer) {
  const auto made = [](const std::string& usage) {
    return read_chat(200, reply(R"("stop")", R"(,"usage":)" + usage)).tokens_out.value_or(-1);
  };
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"total_tokens":37})"), 30);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"total_tokens":5037})"), 5'030);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":20}})"),
            30);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":900}})"),
            930);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"total_tokens":20})"), 13);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"total_tokens":1})"), 30);
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":30,"total_tokens":2000000000})"), 30) << "nonsense";
  EXPECT_EQ(made(R"({"prompt_tokens":7,"completion_tokens":-1,"total_tokens":20})"), -1);
}

std::string saying(const std::string& content) {
  return R"({"choices":[{"finish_reason":"stop","message":{"content":)" + content + "}}]}";
}

TEST(ReadChat, ReadsContentInParts) {
  EXPECT_EQ(read_chat(200, saying(R"([{"type":"text","text":"ye"},{"type":"text","text":"s"}])")).content, "yes");
  EXPECT_EQ(read_chat(200, saying(R"([{"type":"thinking","thinking":[{"type":"text","text":"no"}]},)"
                                  R"({"type":"text","text":"yes"}])"))
                .content,
            "yes");
  EXPECT_EQ(read_chat(200, saying("[]")).problem, "empty content");
  for (const char* other : {R"([{"type":"image_url","text":"yes"}])", R"([{"type":"text"}])", R"(["yes"])", "7", "{}"})
    EXPECT_EQ(read_chat(200, saying(other)).problem, "no content") << other;
}

TEST(ReadChat, TakesNoAnswerOutOfReasoningThatHasNoEnd) {
  const auto problem = [](const std::string& words) { return read_chat(200, saying(Json(words).dump())).problem; };
  for (const char* open :
       {"<think>hmm {\"rating\":1}", " <Think>\n{\"rating\":1}", "<think>a</think><think>{\"rating\":1}",
        "Well.\n<thinking>{\"rating\":1}", "<reasoning> {\"rating\":1}", "[THINK]{\"rating\":1}", "<thought>1"})
    EXPECT_EQ(problem(open), "its reasoning has no end") << open;
  for (const char* closed :
       {"<think>hmm</think>{\"rating\":1}", "hmm</think>{\"rating\":1}", "[THINK]1[/THINK]{\"rating\":1}",
        "{\"rating\":1,\"reason\":\"<think>\"}", "```json\n<think>\n```", "It says <think> somewhere.", "yes"})
    EXPECT_EQ(problem(closed), "") << closed;
}

}  // namespace
}  // namespace residue::model
