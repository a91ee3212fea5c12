// Sanitizers that ask a model: asked once, whatever becomes of the command; what a model fails on has failed.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/ingest/asking_fixture.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;
using model::AnswerForm;

class AskingSanitizers : public AskingStore {
 protected:
  AskingSanitizers() {
    add({record("a", "Ann is 45 and lives at 8010 Graz."), record("b", "Bob sings."), record("c", ""),
         record("d", " \n")});
  }
};

TEST_F(AskingSanitizers, WriteTextsAnew) {
  EXPECT_EQ(sanitize("paraphrase").counts, (Counts{4, 0, 0, 0}));
  EXPECT_EQ(texts(), (Lines{"a|In other words: Ann is 45 and lives at 8010 Graz.|", "b|In other words: Bob sings.|",
                            "c||", "d||"}));
  EXPECT_EQ(server_.requests(), 2U) << "nothing is asked about what is empty";
  const SanitizeResult anonymized = sanitize("anonymize", "s");
  EXPECT_EQ(texts("s"), (Lines{"a|Ann is SOME and lives at 8010 Graz.|", "b|Bob sings.|", "c||", "d||"}));
  EXPECT_EQ(anonymized.notes, (Lines{"1 of 4 texts are as they were"}));
  sanitize("sanitize-paraphrase", "t");
  EXPECT_EQ(texts("t"), (Lines{"a|In other words: Ann is SOME and lives at 8010 Graz.|",
                               "b|In other words: Bob sings.|", "c||", "d||"}));
  EXPECT_EQ(server_.requests(), 5U) << "of the third run one text is new to the second task, none to the first";
}

TEST_F(AskingSanitizers, AreAskedOnceAndTouchOnlyWhatChanged) {
  sanitize("anonymize");
  const Lines before = catalog();
  EXPECT_EQ(sanitize("anonymize").counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(server_.requests(), 2U);
  add({record("b", "Bob is 7.")});
  EXPECT_EQ(sanitize("anonymize").counts, (Counts{0, 3, 1, 0}));
  EXPECT_EQ(server_.requests(), 3U);
  EXPECT_EQ(rows("SELECT count(*) FROM run_vote"), (Lines{"3"}));
  EXPECT_EQ(rows("SELECT count(*), sum(cost) FROM run_vote JOIN attempt USING (vote)"), (Lines{"3|300000"}));
}

TEST_F(AskingSanitizers, SayWhomTheyAskedAndStayWhenTheModelMoves) {
  sanitize("sanitize-paraphrase");
  const Lines before = rows("SELECT params FROM run WHERE name = 'r'");
  EXPECT_EQ(rows("SELECT json_extract(params, '$.asked.anonymize.model', '$.asked.paraphrase.parser') FROM run"
                 " WHERE name = 'r'"),
            (Lines{R"(["local",4])"}));
  EXPECT_EQ(rows("SELECT count(*) FROM run u, json_each(u.params, '$.asked') t JOIN asked_with w"
                 " ON lower(hex(substr(w.digest, 1, 8))) = json_extract(t.value, '$.spec') WHERE u.name = 'r'"),
            (Lines{"2"}));
  const stub::Server other;
  point_to(other);
  EXPECT_EQ(sanitize("sanitize-paraphrase").counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(rows("SELECT params FROM run WHERE name = 'r'"), before);
  EXPECT_EQ(other.requests(), 0U);
  point_to(other, AnswerForm::kText);
  sanitize("sanitize-paraphrase");
  EXPECT_NE(rows("SELECT params FROM run WHERE name = 'r'"), before);
  EXPECT_EQ(other.requests(), 4U);
}

TEST_F(AskingSanitizers, TakeOffWhatModelsPutAroundTexts) {
  sanitize("anonymize", "s");
  sanitize("paraphrase", "t");
  for (const char* behaviour : {"ok", "commentary", "label", "fenced", "think"}) {
    SCOPED_TRACE(behaviour);
    const stub::Server other(behaviour);
    point_to(other, AnswerForm::kText, behaviour);
    const std::string name = behaviour;
    sanitize("anonymize", (name + "-s").c_str());
    EXPECT_EQ(texts((name + "-s").c_str()), texts("s"));
    sanitize("paraphrase", (name + "-t").c_str());
    EXPECT_EQ(texts((name + "-t").c_str()), texts("t"));
    EXPECT_EQ(other.requests(), 4U);
  }
}

TEST_F(AskingSanitizers, FailOnWhatIsNoAnswer) {
  int round = 0;
  for (const char* behaviour :
       {"refused", "length", "empty-content", "not-json", "html", "no-hash", "apology", "blank"}) {
    for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kText}) {
      if (form == AnswerForm::kSchema && std::string(behaviour) == "no-hash") continue;
      SCOPED_TRACE(fmt::format("{} {}", behaviour, model::form_name(form)));
      session_.budget = {};  // another command
      const stub::Server other(behaviour);
      point_to(other, form);
      const std::string run = fmt::format("r{}", ++round);
      SanitizePlan how = plan("anonymize");
      how.asking.templates["anonymize"] = fmt::format("You anonymize, for the {}th time.", round);
      const SanitizeResult result = sanitize_dataset(store(), "d", run, how, 2);
      EXPECT_EQ(result.notes, (Lines{"2 of 4 variants failed"}));
      EXPECT_EQ(other.requests(), 6U) << "three tries each";
      const Lines made = texts(run.c_str());
      EXPECT_EQ(made[0].substr(0, 47), "a||anonymize: model local gave no usable answer") << made[0];
      EXPECT_EQ(made[2], "c||");
      EXPECT_EQ(sanitize_dataset(store(), "d", run, how, 2).counts, (Counts{0, 4, 0, 0}));
      EXPECT_EQ(other.requests(), std::string(behaviour) == "html" ? 12U : 6U) << "no model said that";
    }
  }
}

TEST_F(AskingSanitizers, AParaphraseThatRepeatsItsTextIsNone) {
  const stub::Server other("unchanged");
  point_to(other);
  EXPECT_EQ(sanitize("paraphrase").notes, (Lines{"2 of 4 variants failed"}));
  EXPECT_EQ(texts()[1], "b||paraphrase: model local gave no usable answer: the text's own words");
  EXPECT_EQ(sanitize("anonymize", "s").notes, (Lines{"2 of 4 texts are as they were"}));
}

TEST_F(AskingSanitizers, SayWhatTheyWouldSend) {
  SanitizeAskPlan planned = plan_sanitize(store(), "d", plan("sanitize-paraphrase"));
  ASSERT_EQ(planned.models.size(), 1U);
  EXPECT_EQ(planned.models[0].plan.requests, 2U);
  EXPECT_GT(planned.models[0].plan.bytes, 500U);
  EXPECT_EQ(planned.more, 2U);
  EXPECT_EQ(server_.requests(), 0U);
  EXPECT_EQ(rows("SELECT count(*) FROM attempt"), (Lines{"0"}));
  sanitize("anonymize");
  planned = plan_sanitize(store(), "d", plan("sanitize-paraphrase"));
  EXPECT_EQ(planned.models[0].plan.known, 2U);
  EXPECT_EQ(planned.models[0].plan.requests, 2U) << "what is answered leads on";
  sanitize("sanitize-paraphrase", "s");
  planned = plan_sanitize(store(), "d", plan("sanitize-paraphrase"));
  EXPECT_EQ(planned.models[0].plan.requests, 0U);
  EXPECT_EQ(planned.more, 0U);
  EXPECT_EQ(error_of([&] { plan_sanitize(store(), "d", {"scrub", {}, {}, {}, {}}); }).first, 2);
}

TEST_F(AskingSanitizers, StopWithinTheirBudgetAndGoOn) {
  session_.budget.max_calls = 1;
  EXPECT_EQ(error_of([&] { sanitize("anonymize"); }).first, 75);
  EXPECT_EQ(error_of([&] { sanitize("anonymize"); }).first, 75);
  session_.budget = {};
  EXPECT_EQ(sanitize("anonymize").counts, (Counts{4, 0, 0, 0}));
  EXPECT_EQ(server_.requests(), 2U);
}

TEST_F(AskingSanitizers, PutPhrasesInThePlaceOfPassages) {
  EXPECT_EQ(sanitize("span-abstract").notes, (Lines{"1 of 4 texts are as they were"}));
  EXPECT_EQ(texts(),
            (Lines{"a|Ann is about 2 digits and lives at about 4 digits Graz.|", "b|Bob sings.|", "c||", "d||"}));
  EXPECT_EQ(rows("SELECT substitutions_id AS 'T:t' FROM variant WHERE substitutions_id IS NOT NULL"),
            (Lines{R"([["45","about 2 digits"],["8010","about 4 digits"]])"}));
  EXPECT_EQ(server_.requests(), 4U);
  sanitize("span-abstract");
  EXPECT_EQ(server_.requests(), 4U);
  const stub::Server other;
  point_to(other, AnswerForm::kText);
  sanitize("span-abstract", "s");
  EXPECT_EQ(texts("s"), texts());
}

TEST_F(AskingSanitizers, ARecordFailsNoneOfWhosePassagesCouldBeReplaced) {
  const stub::Server invents("out-of-range");
  point_to(invents);
  sanitize("span-abstract");
  EXPECT_EQ(texts()[0], "a||find: model local gave no usable answer: a passage that is not in the text");
  EXPECT_EQ(texts()[1], "b|Bob sings.|");
  stub::Server half;
  half.script(
      {"ok", "ok", "out-of-range", "out-of-range", "out-of-range", "out-of-range", "out-of-range", "out-of-range"});
  point_to(half, AnswerForm::kText);
  EXPECT_EQ(sanitize("span-abstract", "s").notes, (Lines{"1 of 4 variants failed", "1 of 4 texts are as they were"}));
  EXPECT_EQ(texts("s")[0], "a||abstract: model local gave no usable answer: the passage's own words");
}

TEST_F(AskingSanitizers, APhraseThatSaysTheNameBecomesATag) {
  const stub::Server other("unchanged");
  for (const AnswerForm form : {AnswerForm::kSchema, AnswerForm::kText}) {
    point_to(other, form);
    const char* run = form == AnswerForm::kText ? "s" : "r";
    const Lines notes = sanitize("span-abstract", run).notes;
    EXPECT_EQ(notes.back(),
              "1 of 2 passages became tags: the model's phrases for them repeat words that must be hidden");
    EXPECT_EQ(texts(run)[0], "a|Ann is the and area lives at [NUMBER].|");
  }
}

// Masked in the place of a phrase, what the method did not manage would look like privacy.
TEST_F(AskingSanitizers, APassageThatFailsStaysAsItIsAndIsCounted) {
  stub::Server half;
  half.script({"ok", "ok", "ok", "out-of-range", "out-of-range", "out-of-range"});
  point_to(half, AnswerForm::kText);
  const Lines notes = sanitize("span-abstract").notes;
  EXPECT_EQ(notes.back(),
            "1 of 2 passages stay as they are (records: 1): the model did not copy 0 of them from the text, and gave "
            "no usable phrase for 1");
  const std::string one = texts()[0];
  EXPECT_TRUE(one == "a|Ann is about 2 digits and lives at 8010 Graz.|" ||
              one == "a|Ann is 45 and lives at about 4 digits Graz.|")
      << one;
  const stub::Server inexact("half");
  point_to(inexact);
  EXPECT_EQ(sanitize("span-abstract", "s").notes,
            (Lines{"1 of 4 texts are as they were",
                   "1 of 2 passages stay as they are (records: 1): the model did not copy 1 of them from the text, and "
                   "gave no usable phrase for 0"}));
  EXPECT_EQ(texts("s")[0], "a|Ann is about 2 digits and lives at 8010 Graz.|");
  EXPECT_EQ(rows("SELECT substitutions_id AS 'T:t' FROM variant v JOIN run u ON u.id = v.run_id WHERE u.name = 's' AND "
                 "substitutions_id IS NOT NULL"),
            (Lines{R"([["45","about 2 digits"]])"}));
  EXPECT_EQ(inexact.requests(), 3U) << "nobody is asked for what was not found";
}

TEST_F(AskingSanitizers, RoundsAreRunsOfTheTextsBeforeThem) {
  const SanitizeResult result = sanitize("anonymize", "r", {{"rounds", "3"}});
  EXPECT_EQ(result.runs, (Lines{"r@1", "r@2", "r@3"}));
  EXPECT_EQ(result.counts, (Counts{12, 0, 0, 0}));
  EXPECT_EQ(texts("r@1")[0], "a|Ann is SOME and lives at 8010 Graz.|");
  EXPECT_EQ(texts("r@2")[0], "a|Ann is SOME and lives at SOME Graz.|");
  EXPECT_EQ(texts("r@3"), texts("r@2"));
  EXPECT_EQ(server_.requests(), 4U) << "b is the same text in all rounds, a in the last two is another one";
  EXPECT_EQ(rows("SELECT name, grp, json_extract(params, '$.params.round') FROM run WHERE kind = 'aligned' ORDER BY 1"),
            (Lines{"r@1|r|1", "r@2|r|2", "r@3|r|3"}));
  const Lines before = catalog();
  EXPECT_EQ(sanitize("anonymize", "r", {{"rounds", "2"}}).counts, (Counts{0, 8, 0, 0}));
  EXPECT_EQ(catalog(), before);
}

TEST_F(AskingSanitizers, WhatFailedInOneRoundHasFailedInAllBehindIt) {
  server_.script({"apology", "apology", "apology", "apology", "apology", "apology"});
  sanitize("anonymize", "r", {{"rounds", "2"}});
  const std::string why = "anonymize: model local gave no usable answer: refused";
  EXPECT_EQ(texts("r@1")[0], "a||" + why);
  EXPECT_EQ(texts("r@2")[0], "a||in round 1: " + why);
  EXPECT_EQ(server_.requests(), 6U);
}

TEST_F(AskingSanitizers, MistakesNameWhatWouldWork) {
  const auto refusal = [&](SanitizePlan how) { return error_of([&] { sanitize_dataset(store(), "d", "r", how, 1); }); };
  SanitizePlan how = plan("anonymize");
  how.params["rounds"] = "0";
  EXPECT_EQ(refusal(how), (std::pair<int, std::string>{2, "anonymize: rounds is not a whole number from 1 to 20"}));
  how = plan("anonymize");
  how.asking.model = "nobody";
  EXPECT_EQ(refusal(how).first, 3);
  how = plan("scrub");
  EXPECT_EQ(refusal(how), (std::pair<int, std::string>{2, "scrub asks no model"}));
  how = plan("anonymize");
  how.asking.templates["paraphrase"] = "x";
  EXPECT_EQ(refusal(how), (std::pair<int, std::string>{2, "--template: anonymize has no request of that name"}));
  EXPECT_TRUE(rows("SELECT 1 FROM run WHERE kind = 'aligned'").empty());
}

}  // namespace
}  // namespace residue::ingest::testing
