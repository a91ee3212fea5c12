// Results of promptfoo. The files are written by hand after src/types/index.ts.
#include "ingest/neighbours/promptfoo.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::answers_of;
using testing::run_of;
using testing::shown;
using Strings = std::vector<std::string>;

std::string result(const std::string& id, const std::string& rest, const std::string& provider = "openai:gpt-4o",
                   int column = 0) {
  return R"({"promptIdx": )" + std::to_string(column) + R"(, "testIdx": 3, "testCase": {"vars": {"id": ")" + id +
         R"("}, "metadata": {"key": "k-)" + id + R"("}}, "promptId": "h", "provider": {"id": ")" + provider +
         R"(", "label": ""}, "prompt": {"raw": "Mask: Ann", "label": "Mask: {{text}}"}, "vars": {"id": ")" + id +
         R"(", "text": "Ann"}, "success": true, "score": 1, "namedScores": {}, )" + rest + "}";
}

std::string said(const std::string& text) { return R"("failureReason": 0, "response": {"output": ")" + text + R"("})"; }

std::string file_of(const std::string& results, const std::string& version = "3") {
  return R"({"evalId": "eval-x", "results": {"version": )" + version +
         R"(, "timestamp": "2026-01-01T00:00:00Z", "prompts": [{"raw": "Mask: {{text}}", "metrics": {}}],)" +
         "\n\"results\": [" + results +
         R"(], "stats": {"successes": 1}}, "config": {"tests": [{}]}, "shareableUrl": null})";
}

TEST(PromptfooRun, TakesTheOutputOfEachResult) {
  const auto run = run_of(file_of(result("a", said("A")) + ",\n" + result("b", said("B"))), "promptfoo");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(shown(run.rows), (Strings{"a|A|-", "b|B|-"}));
  EXPECT_TRUE(run.whole);
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_EQ(run.rows[1].line, 3U);
}

TEST(PromptfooRun, ReadsTheShapesOfItsFiles) {
  const std::string one = result("a", said("A")), two = result("b", said("B"));
  const std::string old =
      R"({"provider": {"id": "p"}, "prompt": {"raw": "Ann", "display": "Mask"}, "vars": {"id": "a"},)"
      R"( "response": {"output": "A"}, "success": true, "score": 1})";
  const Strings both{"a|A|-", "b|B|-"}, first{"a|A|-"};
  EXPECT_EQ(shown(run_of(file_of(one + "," + two, "2"), "promptfoo").rows), both);
  EXPECT_EQ(shown(run_of(R"({"version": 3, "results": [)" + one + "," + two + "], \"prompts\": []}", "promptfoo").rows),
            both);
  EXPECT_EQ(shown(run_of(R"({"results": [)" + one + "," + two + "]}", "promptfoo").rows), both);
  EXPECT_EQ(shown(run_of(R"({"version": 1, "results": [)" + old + "]}", "promptfoo").rows), first);
  EXPECT_EQ(shown(run_of(one + "\n" + two + "\n\n", "promptfoo", {}, ".jsonl").rows), both);
  EXPECT_EQ(shown(run_of(one, "promptfoo", {}, ".jsonl").rows), first);
}

TEST(PromptfooRun, KeepsATextWhoseAssertionFailed) {
  const std::string asserted =
      R"("error": "Expected output to contain x", "failureReason": 1, "response": {"output": "A"})";
  EXPECT_EQ(shown(run_of(file_of(result("a", asserted)), "promptfoo").rows), Strings{"a|A|-"});
  const std::string older = R"("error": "Expected output to contain x", "response": {"output": "A"})";
  EXPECT_EQ(shown(run_of(file_of(result("a", older)), "promptfoo").rows), Strings{"a|A|-"});
}

TEST(PromptfooRun, SaysWhyAResultHasNoText) {
  const struct {
    const char* rest;
    const char* error;
    const char* kind;
  } kCases[] = {
      {R"("failureReason": 2, "error": "API error: 429", "response": {"output": "half"})", "API error: 429",
       "an error"},
      {R"("failureReason": 2)", "an error", "an error"},
      {R"("failureReason": 0, "response": {"error": "time-out"})", "time-out", "an error"},
      {R"("failureReason": 0, "error": "No output", "response": {})", "No output", "no output"},
      {R"("failureReason": 0, "response": {"output": null})", "no output", "no output"},
      {R"("failureReason": 0, "response": {"output": ""})", "no output", "no output"},
      {R"("failureReason": 1, "error": "The output is empty", "response": {"output": ""})", "no output", "no output"},
      {R"("failureReason": 0, "error": "gone")", "gone", "no response"},
      {R"("failureReason": 0, "response": {"output": "I can't.", "isRefusal": true})", "refused", "refused"},
      {R"("failureReason": 0, "response": {"output": "The pat", "finishReason": "length"})", "cut off", "cut off"},
      {R"("failureReason": 0, "response": {"output": "x", "finishReason": "content_filter"})", "blocked by a filter",
       "blocked by a filter"},
      {R"("failureReason": 0, "response": {"output": [{"id": "1", "type": "function", "function": {"name": "f"}}]})",
       "calls of tools instead", "calls of tools instead"},
      {R"("failureReason": 0, "response": {"output": [{"type": "tool_use", "name": "f", "input": {}}]})",
       "calls of tools instead", "calls of tools instead"},
  };
  for (const auto& [rest, error, kind] : kCases) {
    SCOPED_TRACE(rest);
    const auto run = run_of(file_of(result("a", said("A")) + "," + result("b", rest)), "promptfoo");
    EXPECT_EQ(shown(run.rows), (Strings{"a|A|-", std::string("b|-|") + error}));
    EXPECT_EQ(run.notes, Strings{std::string("1 of 2 results have no text: 1 times ") + kind});
  }
}

TEST(PromptfooRun, JoinsThePartsOfAnOutput) {
  const std::string parts = R"("response": {"output": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]})";
  EXPECT_EQ(shown(run_of(file_of(result("a", parts)), "promptfoo").rows), Strings{"a|A\nB|-"});
}

TEST(PromptfooRun, RefusesAnOutputThatIsNoText) {
  const struct {
    const char* output;
    const char* cause;
  } kCases[] = {
      {R"({"masked": "A"})", "response.output is an object, not a text"},
      {"5", "response.output is neither a text nor a list of parts"},
      {"true", "response.output is neither a text nor a list of parts"},
      {R"(["A"])", "response.output is a list of something else than a message's parts"},
      {R"("promptfoo://blob/1")", "its output lies outside of the file"},
  };
  for (const auto& [output, cause] : kCases) {
    SCOPED_TRACE(output);
    const auto run =
        run_of(file_of(result("a", std::string(R"("response": {"output": )") + output + "}")), "promptfoo");
    EXPECT_TRUE(run.rows.empty());
    ASSERT_EQ(run.bad.size(), 1U);
    EXPECT_EQ(run.bad[0].cause, cause);
  }
}

TEST(PromptfooRun, ReadsIdAndTextFromTheirPlaces) {
  VariantSourceOptions options;
  options.id = "testCase.metadata.key";
  options.text = "response.output.masked";
  const auto run = run_of(file_of(result("a", R"("response": {"output": {"masked": "A"}})") + "," +
                                  result("b", R"("response": {"output": {"other": "B"}})")),
                          "promptfoo", options);
  EXPECT_EQ(shown(run.rows), Strings{"k-a|A|-"});
  ASSERT_EQ(run.bad.size(), 1U);
  EXPECT_EQ(run.bad[0].cause, "there is nothing at the path of --text");
}

TEST(PromptfooRun, NamesTheVariablesWhereNoneIsAnId) {
  const auto run =
      run_of(file_of(R"({"provider": {"id": "p"}, "vars": {"note": "Ann", "city": "x"}, "response": {"output": "A"}})"),
             "promptfoo");
  ASSERT_EQ(run.bad.size(), 1U);
  EXPECT_EQ(run.bad[0].remedy,
            "name the place of the record's id with --id vars.NAME, or testCase.metadata.NAME; variables: note, city");
}

TEST(PromptfooRun, WantsOneProviderToBeChosen) {
  const std::string file =
      file_of(result("a", said("A"), "openai:gpt-4o", 0) + "," + result("a", said("B"), "ollama:llama3", 1) + "," +
              result("b", said("C"), "openai:gpt-4o", 0) + "," + result("b", said("D"), "ollama:llama3", 1));
  const auto all = run_of(file, "promptfoo");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(all.error, "FILE has results of 2 values of provider.id: ollama:llama3, openai:gpt-4o");
  VariantSourceOptions options;
  options.only["provider.id"] = "openai:gpt-4o";
  EXPECT_EQ(shown(run_of(file, "promptfoo", options).rows), (Strings{"a|A|-", "b|C|-"}));
}

TEST(PromptfooRun, WantsOnePromptToBeChosen) {
  const std::string file = file_of(result("a", said("A"), "p", 0) + "," + result("a", said("B"), "p", 1));
  const auto all = run_of(file, "promptfoo");
  EXPECT_EQ(all.error, "FILE has results of 2 values of promptIdx: 0, 1");
  VariantSourceOptions options;
  options.only["promptIdx"] = "1";
  EXPECT_EQ(shown(run_of(file, "promptfoo", options).rows), Strings{"a|B|-"});
  // Older files have labels alone, which may be texts: they are counted.
  const std::string old =
      R"({"provider": {"id": "p"}, "prompt": {"label": "Mask Ann"}, "vars": {"id": "a"}, "response": {"output": "A"}},)"
      R"({"provider": {"id": "p"}, "prompt": {"display": "short"}, "vars": {"id": "a"}, "response": {"output": "B"}})";
  const auto labels = run_of(file_of(old, "2"), "promptfoo");
  EXPECT_EQ(labels.error, "FILE has results of 2 values of prompt.label");
}

TEST(PromptfooRun, WantsOneRepeatToBeChosen) {
  const std::string file = file_of(result("a", said("A")) + "," + result("b", said("B")) + "," +
                                   result("a", said("C")) + "," + result("b", said("D")));
  const auto all = run_of(file, "promptfoo");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(all.error, "FILE has results of 2 values of repeat: 1, 2");
  VariantSourceOptions options;
  options.only["repeat"] = "2";
  const auto run = run_of(file, "promptfoo", options);
  EXPECT_EQ(shown(run.rows), (Strings{"a|C|-", "b|D|-"}));
  EXPECT_EQ(run.notes, Strings{"2 of 4 results are left out by --only"});
}

TEST(PromptfooRun, RefusesWhatIsNoFileOfResults) {
  const struct {
    const char* bytes;
    const char* error;
  } kCases[] = {
      {R"({"id": "1", "text": "A"})", "FILE has no results of promptfoo"},
      {"[1]", "FILE has no results of promptfoo"},
      {R"({"results": 5})", "FILE has no results of promptfoo"},
      {R"({"results": {"version": 3, "outputs": []}})", "FILE has no results of promptfoo"},
      {R"({"results": {"version": 4, "results": []}})",
       "FILE has version 4 of promptfoo's results; versions 1 to 3 are read here"},
      {R"({"results": {"version": 3, "results": [{"vars": {"id": "a"}, "response": {"output": "A"}})",
       "FILE:1: the file ends before its JSON does"},
      {R"({"results": {"version": 3, "results": [{"vars": {"id": "a"}, "failureReason": 2}]}})",
       "none of the 1 results of FILE has a text: 1 times an error"},
  };
  for (const auto& [bytes, error] : kCases) {
    SCOPED_TRACE(bytes);
    const auto run = run_of(bytes, "promptfoo");
    EXPECT_EQ(run.code, 6);
    EXPECT_EQ(run.error, error);
  }
  EXPECT_TRUE(run_of(R"({"results": {"version": 3, "results": []}})", "promptfoo").rows.empty());
}

TEST(PromptfooAnswers, AreOutputsOfTheTask) {
  AnswerSourceOptions options;
  options.task = "coherence";
  options.run = "masked";
  const auto answers =
      answers_of(file_of(result("a", said("4")) + "," + result("b", R"("failureReason": 2)")), "promptfoo", options);
  EXPECT_EQ(answers.error, "");
  ASSERT_EQ(answers.rows.size(), 2U);
  EXPECT_EQ(answers.rows[0].model, "openai:gpt-4o");
  EXPECT_EQ(answers.rows[0].task, "coherence");
  EXPECT_EQ(answers.rows[0].record, "a");
  EXPECT_EQ(answers.rows[0].run, "masked");
  EXPECT_TRUE(answers.rows[0].answer);
  EXPECT_EQ(answers.rows[1].record, "b");
  EXPECT_FALSE(answers.rows[1].answer);
  options.task = "choice";
  EXPECT_EQ(answers_of(file_of(result("a", said("The answer is B"))), "promptfoo", options).code, 2);
  options.map["answer"] = "response.output.choice";
  options.model = "mine";
  const auto choice =
      answers_of(file_of(result("a", R"("response": {"output": {"choice": "B"}})")), "promptfoo", options);
  ASSERT_EQ(choice.rows.size(), 1U);
  EXPECT_EQ(choice.rows[0].answer, "B");
  EXPECT_EQ(choice.rows[0].model, "mine");
}

}  // namespace
}  // namespace residue::ingest
