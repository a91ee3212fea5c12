#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/ingest/asking_fixture.h"

namespace residue::ingest::testing {
namespace {

// The stub's tokens are of at most four bytes, with the space before them; ln P is -1, of one that begins with a
// capital -4, and twice that behind "[REDACTED]".
class PFilterModel : public AskingStore {
 protected:
  SanitizeResult filter(double log, const char* run = "r") {
    return sanitize("p-filter-model", run, {{"p", fmt::format("{}", std::exp(log))}});
  }
};

// "Ann" is " Ann": e^-4. "Zebulon" is " Zeb", "ulon": e^-5. "sings" is " sin", "gs": e^-2. "My" is e^-4.
TEST_F(PFilterModel, TakesOutWordsWhoseTokensMultiplyToLess) {
  add({record("a", "My Ann sings to Zebulon."), record("b", ""), record("c", "...")});
  filter(-4.5);
  EXPECT_EQ(texts(), (std::vector<std::string>{"a|My Ann sings to [REDACTED].|", "b||", "c|...|"}));
  filter(-1.5, "s");
  EXPECT_EQ(texts("s")[0], "a|[REDACTED] [REDACTED] [REDACTED] to [REDACTED].|");
  filter(-5.5, "t");
  EXPECT_EQ(texts("t")[0], "a|My Ann sings to Zebulon.|");
  EXPECT_EQ(server_.requests(), 1U) << "one question, asked once for all thresholds";
  EXPECT_EQ(rows("SELECT count(*) FROM main.run_vote"), (std::vector<std::string>{"3"}));
  EXPECT_EQ(rows("SELECT json_extract(params, '$.asked.probabilities.label') FROM run WHERE name = 'r'"),
            (std::vector<std::string>{"m"}));
}

// "we go" is probable behind the line as it was, and improbable behind what is left of it.
TEST_F(PFilterModel, ReadsAnUtteranceBehindWhatIsLeftOfTheOneBefore) {
  add({record("a", "hi Zebulon\n\nwe go"), record("b", "hi you\nwe go")});
  filter(-1.5);
  EXPECT_EQ(texts(), (std::vector<std::string>{"a|hi [REDACTED]\n\n[REDACTED] [REDACTED]|", "b|hi you\nwe go|"}));
  for (const auto& [body, times] : server_.bodies()) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ(body.find("Zebulon\\n"), std::string::npos) << "what went is not sent on";
  }
  EXPECT_EQ(server_.requests(), 4U);
}

TEST_F(PFilterModel, FailsWhereThereAreNoProbabilities) {
  server_.always("null-content");
  add({record("a", "My Ann"), record("b", " ")});
  filter(-4.5);
  EXPECT_EQ(texts(), (std::vector<std::string>{
                         "a||probabilities: model local gave no usable answer: no log-probabilities", "b||"}));
  const auto asked = server_.requests();
  EXPECT_EQ(asked, session_.options.retry.unusable);
  filter(-4.5);
  EXPECT_EQ(server_.requests(), asked) << "it has had its chances";
}

TEST_F(PFilterModel, GoesOnWithinItsBudgetAndPlansWithoutAsking) {
  add({record("a", "My Ann\nis here"), record("b", "My Bob")});
  const SanitizeAskPlan planned = plan_sanitize(store(), "d", plan("p-filter-model"));
  ASSERT_EQ(planned.models.size(), 1U);
  EXPECT_EQ(planned.models[0].plan.requests, 2U);
  EXPECT_EQ(planned.more, 2U);
  EXPECT_EQ(server_.requests(), 0U);
  session_.budget.max_calls = 1;
  EXPECT_EQ(error_of([&] { filter(-4.5); }).first, 75);
  EXPECT_EQ(server_.requests(), 1U);
  session_.budget = {};
  filter(-4.5);
  EXPECT_EQ(server_.requests(), 3U);
  EXPECT_EQ(texts().size(), 2U);
  EXPECT_EQ(rows("SELECT count(*), sum(state = 'saved') FROM main.attempt"), (std::vector<std::string>{"3|3"}));
}

TEST_F(PFilterModel, RefusesWhatItCannotUse) {
  add({record("a", "My Ann")});
  EXPECT_EQ(error_of([&] { sanitize("p-filter-model", "r", {{"p", "0"}}); }).first, 2);
  SanitizePlan how = plan("p-filter-model");
  how.asking.templates = {{"probabilities", "Say it."}};
  EXPECT_EQ(error_of([&] { sanitize_dataset(store(), "d", "r", how, 2); }).first, 2);
}

}  // namespace
}  // namespace residue::ingest::testing
