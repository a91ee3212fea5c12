// Adversarial anonymization: rounds, when a text is done, inferences kept, and going on after dying anywhere.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/ingest/asking_fixture.h"
#include "tests/query/child.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;

// The stub infers the first number of a text ("unknown" where there is none), and takes it out.
class Adversarial : public AskingStore {
 protected:
  Adversarial() {
    add({record("a", "Ann is 45, at 8010 Graz."), record("b", "Bob is 7."), record("c", "Cid sings."),
         record("e", "")});
  }
  SanitizeResult run(std::map<std::string, std::string> params = {}) {
    params.try_emplace("attributes", "age");
    return sanitize("adversarial", "aa", std::move(params));
  }
  void renew() {
    store_.reset();
    std::filesystem::remove_all(dir_ / ".residue");
    storage::Store::create(dir_);
    open();
  }
  Lines guesses() {
    return rows(
        "SELECT u.name, a.model, r.key, a.answer_id AS 'T:t' FROM task_answer a JOIN run u ON u.id = a.run_id"
        " JOIN record r ON r.id = a.record_id WHERE a.task = 'attributes' ORDER BY 1, 2, 3");
  }
};

std::string guess(const char* number) {
  return fmt::format(R"({{"age":{{"certainty":3,"guess":["{}","a second","a third"]}}}})", number);
}

TEST_F(Adversarial, EveryRoundIsARunAndATextStaysWhenNothingIsInferred) {
  const SanitizeResult result = run();
  EXPECT_EQ(result.runs, (Lines{"aa@1", "aa@2", "aa@3"}));
  EXPECT_EQ(texts("aa@1"), (Lines{"a|Ann is SOME, at 8010 Graz.|", "b|Bob is SOME.|", "c|Cid sings.|", "e||"}));
  EXPECT_EQ(texts("aa@2"), (Lines{"a|Ann is SOME, at SOME Graz.|", "b|Bob is SOME.|", "c|Cid sings.|", "e||"}));
  EXPECT_EQ(texts("aa@3"), texts("aa@2"));
  EXPECT_EQ(result.notes, (Lines{"aa@1: 1 of 4 texts are as they were", "aa@2: 2 of 4 texts are as they were",
                                 "aa@3: 3 of 4 texts are as they were"}));
  EXPECT_EQ(server_.requests(), 9U) << "3 inferences and 2 texts, 2 and 1, 1 and none";
  EXPECT_EQ(rows("SELECT name, grp, json_extract(params, '$.params') FROM run WHERE kind = 'aligned' ORDER BY 1"),
            (Lines{R"(aa@1|aa|{"attributes":["age"],"cutoff":1,"round":1})",
                   R"(aa@2|aa|{"attributes":["age"],"cutoff":1,"round":2})",
                   R"(aa@3|aa|{"attributes":["age"],"cutoff":1,"round":3})"}));
}

TEST_F(Adversarial, InferencesAreAnswersAboutTheTextsThatTheyAreOf) {
  run();
  EXPECT_EQ(
      guesses(),
      (Lines{"aa@1|local|a|" + guess("8010"), "aa@1|local|b|" + guess("unknown"), "aa@1|local|c|" + guess("unknown"),
             "aa@2|local|a|" + guess("unknown"), "aa@2|local|b|" + guess("unknown"), "aa@2|local|c|" + guess("unknown"),
             "none|local|a|" + guess("45"), "none|local|b|" + guess("7"), "none|local|c|" + guess("unknown")}));
}

TEST_F(Adversarial, ModelsMayDifferAndWhoGuessesMayBeCalledOtherwise) {
  const stub::Server other;
  point_to(other, model::AnswerForm::kSchema, std::nullopt, "spy");
  run({{"infer", "spy"}, {"as", "spy/age"}, {"rounds", "1"}});
  EXPECT_EQ(other.requests(), 3U);
  EXPECT_EQ(server_.requests(), 2U);
  EXPECT_EQ(guesses(), (Lines{"none|spy/age|a|" + guess("45"), "none|spy/age|b|" + guess("7"),
                              "none|spy/age|c|" + guess("unknown")}));
  EXPECT_EQ(rows("SELECT json_extract(params, '$.asked.infer.model', '$.asked.anonymize.model') FROM run"
                 " WHERE name = 'aa@1'"),
            (Lines{R"(["spy","local"])"}));
}

TEST_F(Adversarial, ACutoffEndsEarlier) {
  run({{"cutoff", "3"}});
  EXPECT_EQ(texts("aa@3")[0], "a|Ann is 45, at 8010 Graz.|");
  EXPECT_EQ(server_.requests(), 3U);
}

TEST_F(Adversarial, RepeatingChangesNothingAndMoreRoundsGoOn) {
  run({{"rounds", "1"}});
  const std::uint64_t asked = server_.requests();
  const Lines before = catalog();
  EXPECT_EQ(run({{"rounds", "1"}}).counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(server_.requests(), asked);
  EXPECT_EQ(run().counts, (Counts{8, 4, 0, 0}));
  EXPECT_EQ(server_.requests(), 9U);
  add({record("c", "Cid is 8.")});
  EXPECT_EQ(run().counts, (Counts{0, 9, 3, 0}));
  EXPECT_EQ(server_.requests(), 12U) << "two inferences and a text";
}

TEST_F(Adversarial, RoundsAreMadeFromWhatTheFirstWasMadeFrom) {
  run({{"rounds", "1"}});
  // Between the first round and the second somebody edits a record.
  SanitizePlan how = plan("adversarial");
  how.params = {{"attributes", "age"}, {"rounds", "2"}};
  session_.options.progress = [&, edited = false](std::uint64_t, std::optional<std::uint64_t>) mutable {
    if (!std::exchange(edited, true)) add({record("b", "Bob is 9.")});
  };
  sanitize_dataset(store(), "d", "aa", how, 1);
  EXPECT_EQ(rows("SELECT name, made_from IS (SELECT content FROM dataset) FROM run WHERE kind = 'aligned' ORDER BY 1"),
            (Lines{"aa@1|0", "aa@2|0"}));
  session_.options.progress = nullptr;
  sanitize_dataset(store(), "d", "aa", how, 1);
  EXPECT_EQ(rows("SELECT name, made_from IS (SELECT content FROM dataset) FROM run WHERE kind = 'aligned' ORDER BY 1"),
            (Lines{"aa@1|1", "aa@2|1"}));
}

TEST_F(Adversarial, RoundsOfOtherSettingsAreNamed) {
  run({{"rounds", "2"}});
  EXPECT_EQ(run({{"rounds", "1"}}).notes, (Lines{"aa@1: 1 of 4 texts are as they were"}));
  EXPECT_EQ(run({{"rounds", "1"}, {"cutoff", "2"}}).notes.back(),
            "aa@2 was made with other settings or from other records; residue rm d/aa@2 removes it");
  run({{"rounds", "2"}});
  add({record("b", "Bob is 8.")});
  EXPECT_EQ(run({{"rounds", "1"}}).notes.back(),
            "aa@2 was made with other settings or from other records; residue rm d/aa@2 removes it");
}

TEST_F(Adversarial, WithoutInferencesARecordHasFailed) {
  server_.script(std::vector<stub::Behaviour>(9, "half"));
  run({{"rounds", "2"}});
  const std::string why = "infer: model local gave no usable answer: an attribute is missing";
  EXPECT_EQ(texts("aa@1")[0], "a||" + why);
  EXPECT_EQ(texts("aa@2")[0], "a||in round 1: " + why);
  EXPECT_EQ(guesses().at(0), "none|local|a|");
}

TEST_F(Adversarial, GuessesFromFilesAreNotReplaced) {
  run({{"rounds", "1"}});
  store().db().run("UPDATE answer_set SET digest = NULL, parser = NULL");
  EXPECT_EQ(error_of([&] {
              run({{"rounds", "1"}});
            }),
            (std::pair<int, std::string>{2, "guesses of local about the texts of none came from a file"}));
  EXPECT_EQ(run({{"rounds", "1"}, {"as", "mine"}}).counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(guesses().size(), 6U);
}

TEST_F(Adversarial, InferencesAboutTheOriginalsStayWhatOtherRunsAreMeasuredAgainst) {
  run({{"rounds", "1"}});
  const std::uint64_t asked = server_.requests();
  const Lines before = catalog();
  try {
    sanitize("adversarial", "other", {{"attributes", "age,sex"}});
    ADD_FAILURE() << "they were replaced";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(std::string(error.hint()).find("as=NAME"), std::string::npos);
  }
  EXPECT_EQ(server_.requests(), asked);
  EXPECT_EQ(catalog(), before);
  sanitize("adversarial", "other", {{"attributes", "age,sex"}, {"as", "both"}});
  EXPECT_EQ(rows("SELECT count(*) FROM task_answer WHERE run_id = (SELECT id FROM run WHERE name = 'none')"),
            (Lines{"6"}));
}

TEST_F(Adversarial, WhereNothingWasGuessedNothingIsReplaced) {
  {
    const stub::Server dumb("not-json");
    point_to(dumb, model::AnswerForm::kSchema, std::nullopt, "local");
    run({{"rounds", "1"}, {"attributes", "sex"}});
  }
  point_to(server_, model::AnswerForm::kSchema, std::nullopt, "local");
  EXPECT_NO_THROW(run({{"rounds", "1"}}));
}

TEST_F(Adversarial, NothingIsAskedBeforeAllServersMayBe) {
  model::Endpoint far;
  far.name = "far";
  far.asking.model = "m";
  far.transport.url = "https://models.invalid/v1";
  {
    const auto batch = store().write();
    model::save_endpoint(batch->db(), far);
    batch->commit();
  }
  SanitizePlan how = plan("adversarial");
  how.asking.model = "far";
  how.params = {{"attributes", "age"}, {"infer", "local"}};
  EXPECT_THROW(sanitize_dataset(store(), "d", "aa", how, 1), Error);
  EXPECT_EQ(server_.requests(), 0U);
}

TEST_F(Adversarial, MistakesNameTheRange) {
  const auto refused = [&](std::map<std::string, std::string> params) { return error_of([&] { run(params); }); };
  EXPECT_EQ(refused({{"rounds", "0"}}),
            (std::pair<int, std::string>{2, "adversarial: rounds is not a whole number from 1 to 20"}));
  EXPECT_EQ(refused({{"cutoff", "5"}}),
            (std::pair<int, std::string>{2, "adversarial: cutoff is not a whole number from 1 to 4"}));
  EXPECT_EQ(refused({{"attributes", "age,"}}).first, 2);
  EXPECT_EQ(refused({{"infer", "nobody"}}).first, 3);
  EXPECT_EQ(server_.requests(), 0U);
}

TEST_F(Adversarial, SaysHowFarItCanSee) {
  SanitizePlan how = plan("adversarial");
  how.params = {{"attributes", "age"}, {"rounds", "2"}};
  SanitizeAskPlan planned = plan_sanitize(store(), "d", how);
  EXPECT_EQ(planned.models.at(0).plan.requests, 3U);
  EXPECT_EQ(planned.more, 3U);
  run({{"rounds", "1"}});
  planned = plan_sanitize(store(), "d", how);
  EXPECT_EQ(planned.models[0].plan.requests, 2U) << "c is done";
  EXPECT_EQ(planned.more, 2U);
  run({{"rounds", "2"}});
  planned = plan_sanitize(store(), "d", how);
  EXPECT_EQ(planned.models[0].plan.requests, 0U);
  EXPECT_EQ(planned.more, 0U);
}

// Run by the test below in a process of its own, which dies.
TEST(AdversarialChild, Sanitizes) {
  const char* dir = std::getenv("RESIDUE_CHILD_STORE");
  if (dir == nullptr) GTEST_SKIP() << "only as a child";
  storage::Store store(dir);
  model::AskSession session;
  SanitizePlan how;
  how.method = "adversarial";
  how.params = {{"attributes", "age"}, {"rounds", "2"}};
  how.asking.model = "local";
  how.asking.session = &session;
  sanitize_dataset(store, "d", "aa", how, 1);
}

TEST_F(Adversarial, GoesOnAfterDyingAnywhereAndAsksNothingTwice) {
  concurrency_ = 1;
  const auto few = [&] { add({record("a", "Ann is 45, at 8010 Graz."), record("c", "Cid sings.")}); };
  renew();
  few();
  point_to(server_);
  run({{"rounds", "2"}});
  const Lines wanted = dump(), answers = guesses();
  const std::uint64_t requests = server_.requests();
  std::size_t twice = 0, points = 0, second_round = 0;
  for (bool died = true; died;) {
    SCOPED_TRACE(++points);
    ASSERT_LT(points, 600U);
    renew();
    few();
    const stub::Server fresh;
    point_to(fresh);
    store_.reset();
    const int status = query::testing::run_child(
        "AdversarialChild.Sanitizes",
        {"RESIDUE_CHILD_STORE=" + (dir_ / ".residue").string(), fmt::format("RESIDUE_FAULT={}", points)});
    died = query::testing::killed(status);
    ASSERT_TRUE(died || query::testing::succeeded(status));
    open();
    if (died && !rows("SELECT 1 FROM run WHERE name = 'aa@1' AND made_from IS NOT NULL").empty()) ++second_round;
    run({{"rounds", "2"}});
    ASSERT_EQ(dump(), wanted);
    ASSERT_EQ(guesses(), answers);
    // What was in flight is not known to have been answered: that alone may be asked again.
    ASSERT_LE(fresh.requests(), requests + 1);
    ASSERT_EQ(fresh.bodies().size(), requests);
    if (fresh.requests() > requests) ++twice;
  }
  EXPECT_GT(points, 50U);
  EXPECT_GT(second_round, 20U);
  EXPECT_LT(twice, points / 2);
  std::cout << "died at " << points - 1 << " steps, " << second_round << " of them in round 2; asked again after "
            << twice << '\n';
}

}  // namespace
}  // namespace residue::ingest::testing
