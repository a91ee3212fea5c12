// Logs of inspect_ai as runs. The logs are written by hand after src/inspect_ai/log/_log.py.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/neighbours/inspect.h"
#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::run_of;
using testing::shown;
using Strings = std::vector<std::string>;

std::string log_of(const std::string& samples, const std::string& status = "success") {
  return R"({"version": 2, "status": ")" + status +
         R"(", "eval": {"created": "2026-01-01T00:00:00+00:00", "task": "mask", "dataset": {"sample_ids": [1]},)"
         R"( "model": "openai/gpt-4o", "config": {"epochs": 1}}, "plan": {"steps": []},)"
         R"( "results": {"total_samples": 2}, "stats": {},)" +
         "\n\"samples\": [" + samples + R"(], "reductions": [{"scorer": "match", "samples": [{"value": NaN}]}]})";
}

std::string sample(const std::string& id, const std::string& rest, int epoch = 1) {
  return R"({"id": )" + id + R"(, "epoch": )" + std::to_string(epoch) + R"(, "input": "Ann", "target": "x",)" + rest +
         R"(, "events": [{"id": "not this", "output": {"completion": "nor this"}}], "attachments": {"ab": "long text"}})";
}

std::string said(const std::string& text) {
  return R"("output": {"model": "m", "choices": [{"message": {"role": "assistant", "content": ")" + text +
         R"("}, "stop_reason": "stop"}], "completion": ")" + text + R"("})";
}

TEST(InspectRun, TakesTheCompletionOfEachSample) {
  const auto run = run_of(log_of(sample("\"r-1\"", said("[NAME]")) + ",\n" + sample("7", said("B"))), "inspect");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(shown(run.rows), (Strings{"r-1|[NAME]|-", "7|B|-"}));
  EXPECT_TRUE(run.whole);
  EXPECT_EQ(run.notes, Strings{});
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_EQ(run.rows[0].line, 2U);
  EXPECT_EQ(run.rows[1].line, 3U);
}

TEST(InspectRun, ReadsOlderLogsWithoutCompletion) {
  const auto run = run_of(
      log_of(sample("1", R"("output": {"choices": [{"message": {"content": "A"}, "stop_reason": "stop"}]})") + "," +
             sample("2", R"("output": {"choices": [{"message": {"content": [{"type": "reasoning", "reasoning": "hm"},)"
                         R"({"type": "text", "text": "B"}, {"type": "text", "text": "C"}]}}], "completion": ""})")),
      "inspect");
  EXPECT_EQ(shown(run.rows), (Strings{"1|A|-", "2|B\nC|-"}));
}

TEST(InspectRun, SaysWhyASampleHasNoText) {
  const struct {
    const char* rest;
    const char* error;
    const char* kind;
  } kCases[] = {
      {R"("output": {"completion": "half"}, "error": {"message": "time-out", "traceback": "..."})", "time-out",
       "an error"},
      {R"("output": {"completion": "half"}, "error": {"traceback": "..."})", "an error", "an error"},
      {R"("output": {"completion": "x"}, "limit": {"type": "token", "limit": 100})", "stopped at a limit: token",
       "stopped at a limit"},
      {R"("output": {"completion": "x"}, "invalidation": {"author": "a"})", "invalidated", "invalidated"},
      {R"("output": {"completion": "", "error": "blocked by moderation"})", "blocked by moderation", "refused"},
      {R"("output": {"completion": "x", "choices": [{"message": {"content": "x"}, "stop_reason": "max_tokens"}]})",
       "cut off", "cut off"},
      {R"("output": {"completion": "x", "choices": [{"message": {"content": "x"}, "stop_reason": "content_filter"}]})",
       "blocked by a filter", "blocked by a filter"},
      {R"("output": {"completion": "I look it up", "choices": [{"message": {"content": "I look it up", "tool_calls":)"
       R"([{"id": "1", "function": "search", "arguments": {}}]}, "stop_reason": "tool_calls"}]})",
       "calls of tools instead", "calls of tools instead"},
      {R"("output": {"choices": [], "completion": ""})", "no output", "no output"},
      {R"("output": {"choices": [{"message": {"content": [{"type": "image", "image": "i"}]}}]})", "no output",
       "no output"},
      {R"("store": {})", "no output", "no output"},
  };
  for (const auto& [rest, error, kind] : kCases) {
    SCOPED_TRACE(rest);
    const auto run = run_of(log_of(sample("1", said("A")) + "," + sample("2", rest)), "inspect");
    EXPECT_EQ(shown(run.rows), (Strings{"1|A|-", std::string("2|-|") + error}));
    EXPECT_EQ(run.notes, Strings{std::string("1 of 2 samples have no text: 1 times ") + kind});
  }
}

TEST(InspectRun, TakesTheAnswerThatAnAgentSubmitted) {
  const auto run = run_of(
      log_of(sample("1", R"("output": {"completion": "[NAME]", "choices": [{"message": {"content": "", "tool_calls":)"
                         R"([{"id": "1", "function": "submit", "arguments": {}}]}, "stop_reason": "tool_calls"}]})")),
      "inspect");
  EXPECT_EQ(shown(run.rows), Strings{"1|[NAME]|-"});
}

TEST(InspectRun, FindsTextsThatAreKeptAsAttachments) {
  const auto run =
      run_of(log_of(sample("1", said("attachment://ab")) + "," + sample("2", said("attachment://no"))), "inspect");
  EXPECT_EQ(shown(run.rows), Strings{"1|long text|-"});
  ASSERT_EQ(run.bad.size(), 1U);
  EXPECT_EQ(run.bad[0].cause, "its text is kept as an attachment that is not there");
}

TEST(InspectRun, RefusesAnOutputThatIsNoText) {
  for (const char* output :
       {R"({"completion": 5})", R"({"completion": ["a"]})", R"({"choices": [{"message": {"content": 5}}]})",
        R"({"choices": [{"message": {"content": ["a"]}}]})",
        R"({"choices": [{"message": {"content": [{"type": "text", "text": 5}]}}]})"}) {
    SCOPED_TRACE(output);
    const auto run = run_of(log_of(sample("1", std::string("\"output\": ") + output)), "inspect");
    EXPECT_TRUE(run.rows.empty());
    ASSERT_EQ(run.bad.size(), 1U);
    EXPECT_EQ(run.bad[0].line, 2U);
  }
}

TEST(InspectRun, ReadsIdAndTextFromTheirPlaces) {
  VariantSourceOptions options;
  options.id = "metadata.record";
  options.text = "store.masked";
  const std::string log =
      log_of(sample("1", R"("metadata": {"record": "a"}, "store": {"masked": "A"}, "scores": {"s": {"value": NaN}},)" +
                             said("no")) +
             "," + sample("2", R"("metadata": {"record": "b"}, "store": {"masked": null},)" + said("no")) + "," +
             sample("3", R"("metadata": {}, "store": {"masked": "C"},)" + said("no")) + "," +
             sample("4", R"("metadata": {"record": "d"}, "store": {},)" + said("no")));
  const auto run = run_of(log, "inspect", options);
  EXPECT_EQ(shown(run.rows), (Strings{"a|A|-", "b|-|nothing at the path of --text"}));
  ASSERT_EQ(run.bad.size(), 2U);
  EXPECT_EQ(run.bad[0].cause, "the sample has nothing at the path of its id");
  EXPECT_EQ(run.bad[1].cause, "there is nothing at the path of --text");
}

TEST(InspectRun, WantsOneEpochToBeChosen) {
  const std::string log = log_of(sample("1", said("A"), 1) + "," + sample("1", said("B"), 2) + "," +
                                 sample("1", said("C"), 10) + "," + sample("2", said("D"), 2));
  const auto all = run_of(log, "inspect");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(all.error, "FILE has samples of 3 values of epoch: 1, 2, 10");
  EXPECT_EQ(all.hint, "choose one with --only epoch=1; each can be a run of its own");
  VariantSourceOptions second;
  second.only["epoch"] = "2";
  const auto run = run_of(log, "inspect", second);
  EXPECT_EQ(shown(run.rows), (Strings{"1|B|-", "2|D|-"}));
  EXPECT_EQ(run.notes, Strings{"2 of 4 samples are left out by --only"});
  EXPECT_EQ(run_of(log_of("5," + sample("1", said("A"), 1) + "," + sample("1", said("B"), 2)), "inspect", second).notes,
            Strings{"1 of 3 samples are left out by --only"});
  second.only["epoch"] = "3";
  const auto none = run_of(log, "inspect", second);
  EXPECT_EQ(none.code, 6);
  EXPECT_EQ(none.error, "none of the 4 samples of FILE has epoch=3");
}

TEST(InspectRun, SaysThatALogIsNotWhole) {
  for (const auto& [status, note] : std::vector<std::pair<std::string, std::string>>{
           {"started", "the log is not finished: it may lack samples"},
           {"error", "the log ended with the status error: it may lack samples"},
           {"cancelled", "the log ended with the status cancelled: it may lack samples"}}) {
    EXPECT_EQ(run_of(log_of(sample("1", said("A")), status), "inspect").notes, Strings{note});
  }
}

TEST(InspectRun, RefusesALogWithoutTexts) {
  const auto failed =
      run_of(log_of(sample("1", R"("error": {"message": "x"})") + "," + sample("2", R"("output": {})")), "inspect");
  EXPECT_EQ(failed.code, 6);
  EXPECT_EQ(failed.error, "none of the 2 samples of FILE has a text: 1 times an error, 1 times no output");
  EXPECT_TRUE(run_of(log_of(""), "inspect").rows.empty());
  const auto header =
      run_of(R"({"version": 2, "status": "success", "eval": {"model": "m"}, "samples": null})", "inspect");
  EXPECT_EQ(header.code, 6);
  EXPECT_EQ(header.error, "FILE has no samples, only its header");
}

TEST(InspectRun, RefusesWhatIsNoLog) {
  const struct {
    const char* bytes;
    const char* error;
  } kCases[] = {
      {"", "FILE is no log of inspect_ai: it has no \"eval\""},
      {"[1]", "FILE is no log of inspect_ai: it has no \"eval\""},
      {R"({"id": "1", "text": "A"})", "FILE is no log of inspect_ai: it has no \"eval\""},
      {R"({"samples": [{"id": 1}], "eval": {}})", "FILE is no log of inspect_ai: it has no \"eval\""},
      {R"({"version": 3, "eval": {}, "samples": []})",
       "FILE has version 3 of the format; versions 1 and 2 are read here"},
      {"{\"version\": 2, \"eval\": {},\n\"samples\": [{\"id\": 1, \"output\": {\"completion\": \"A",
       "FILE:2: the file ends before its JSON does"},
      {R"({"version": 2, "eval": {}, "samples": [{"id": 1, "output": {"completion": "A"}}]} x)",
       "FILE:1: something follows the end of the JSON"},
  };
  for (const auto& [bytes, error] : kCases) {
    SCOPED_TRACE(bytes);
    const auto run = run_of(bytes, "inspect");
    EXPECT_EQ(run.code, 6);
    EXPECT_EQ(run.error, error);
  }
}

TEST(InspectRun, RefusesASampleThatIsNone) {
  const auto run = run_of(log_of("5," + sample("[1]", said("A")) + "," + sample("1", said("A") + ", \"output\": {}") +
                                 "," + sample("2", said("B"), 0) + "," + sample("3", said("C"))),
                          "inspect");
  EXPECT_EQ(shown(run.rows), Strings{"3|C|-"});
  ASSERT_EQ(run.bad.size(), 4U);
  EXPECT_EQ(run.bad[0].cause, "not a JSON object");
  EXPECT_EQ(run.bad[1].cause, "field \"id\" is neither a string nor an integer");
  EXPECT_EQ(run.bad[2].cause, "a field appears twice in one object");
  EXPECT_EQ(run.bad[3].cause, "field \"epoch\" is not an integer from 1 to 1000000");
}

TEST(InspectRun, RefusesFlagsThatMeanNothing) {
  VariantSourceOptions numbered;
  numbered.id = "auto";
  EXPECT_EQ(run_of(log_of(""), "inspect", numbered).error, "--id auto cannot be used with --preset inspect");
  VariantSourceOptions other;
  other.map["answer"] = "x";
  EXPECT_EQ(run_of(log_of(""), "inspect", other).code, 2);
  VariantSourceOptions only;
  only.only["epoch"] = "1";
  EXPECT_EQ(run_of(R"({"id":"1","text":"A"})", "", only, ".jsonl").code, 2);
}

TEST(Recognised, IsOnlyWhatCanBeNothingElse) {
  const struct {
    const char* bytes;
    const char* program;
  } kCases[] = {
      {R"({"version": 2, "status": "success", "eval": {"model": "m"}})", "inspect"},
      {"{\n  \"version\" : 1,\n  \"status\":\"error\",\"eval\":{", "inspect"},
      {R"({"version": 2, "status": "success", "eval": "x"})", ""},
      {R"({"version": "2", "status": "success", "eval": {}})", ""},
      {R"({"id": 1, "version": 2, "status": "success", "eval": {}})", ""},
      {R"({"evalId": "eval-1", "results": {"version": 3, "timestamp": "t", "results": []}})", "promptfoo"},
      {R"({"results": {"version": 2, "timestamp": "t"}})", "promptfoo"},
      {R"({"evalId": null, "results": {"version": 3, "timestamp": "t"}})", "promptfoo"},
      {R"({"results": [], "version": 3})", ""},
      {R"({"results": {"text": "a"}})", ""},
      {R"({"id": "1", "text": "A"})", ""},
      {"id,text\n1,A\n", ""},
      {"", ""},
  };
  for (const auto& [bytes, program] : kCases) {
    SCOPED_TRACE(bytes);
    EXPECT_EQ(recognised(TempFile(bytes, ".json").path()), program);
  }
  EXPECT_EQ(recognised("-"), "");
  EXPECT_EQ(recognised("/dev/null"), "");
}

TEST(Recognised, IsReadWithANote) {
  const auto run = run_of(log_of(sample("1", said("A"))), "");
  EXPECT_EQ(shown(run.rows), Strings{"1|A|-"});
  EXPECT_EQ(run.notes, Strings{"read as a log of inspect_ai (--preset inspect)"});
  EXPECT_TRUE(run.whole);
  EXPECT_FALSE(run_of(R"({"id":"1","text":"A"})", "", {}, ".jsonl").whole);
}

}  // namespace
}  // namespace residue::ingest
