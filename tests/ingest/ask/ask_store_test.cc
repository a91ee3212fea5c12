// Answers to tasks by a model that answers over the wire: asked once, whole or none, and never taken for more than they
// say.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/ask.h"
#include "ingest/files/answers.h"
#include "ingest/files/dataset.h"
#include "ingest/files/remove.h"
#include "ingest/files/remove_record.h"
#include "ingest/files/run.h"
#include "tests/ingest/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;
using model::TaskKind;

constexpr const char* kTask = R"({"answer":"B","options":{"A":"gout","B":"asthma"},"question":"What is it?"})";
constexpr TaskKind kAll[] = {TaskKind::kChoice,   TaskKind::kCoherenceMedical, TaskKind::kCoherenceChat,
                             TaskKind::kCategory, TaskKind::kAttributes,       TaskKind::kUtility,
                             TaskKind::kQuestions};

class Ask : public StoreTest {
 protected:
  Ask() {
    endpoint_.name = "local";
    endpoint_.asking.model = "m";
    endpoint_.transport.timeout_s = 5;
    endpoint_.transport.concurrency = 2;
    session_.options.retry.base = model::Millis(1);
    session_.options.retry.cap = model::Millis(5);
    add_records({question("a", "Ann, 45, has asthma."), question("b", "Bob has gout."), record("c", "Cid sings.")});
    add_run({variant("a", "A woman has asthma."), variant("b", "Bob has gout."), variant("c", "Cid sings.")});
  }
  static RecordRow question(const std::string& key, const std::string& text) {
    RecordRow row = record(key, text);
    row.task = kTask;
    return row;
  }
  void add_records(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  void add_run(std::vector<VariantRow> rows) {
    VectorSource<VariantRow> source(std::move(rows));
    ingest_run(store(), "d", "r", {}, source, file());
  }
  model::TaskAsker asker(const stub::Server& server, TaskKind kind) {
    endpoint_.transport.url = server.url();
    return {store(), {kind, model::default_items(kind), std::nullopt}, endpoint_, "d", session_};
  }
  IngestResult ask(const stub::Server& server, TaskKind kind, const char* run = "r", const char* as = "local") {
    auto one = asker(server, kind);
    return ask_run(store(), "d", run, one, as);
  }
  Lines answers(const char* as = "local") {
    return rows(fmt::format("SELECT task, r.key, a.answer_id AS 'T:t' FROM task_answer a JOIN record r ON r.id = "
                            "a.record_id WHERE model = '{}' ORDER BY 1, 2",
                            as)
                    .c_str());
  }
  // The code of what is thrown; 0: nothing.
  template <class Work>
  static int code_of(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      return static_cast<int>(error.code());
    }
    return 0;
  }

  model::Endpoint endpoint_;
  model::AskSession session_;
};

TEST_F(Ask, TheAnswersAreStoredAndAskedForOnce) {
  stub::Server server;
  EXPECT_EQ(ask(server, TaskKind::kChoice).counts, (Counts{2, 0, 0, 0}));
  EXPECT_EQ(answers(), (Lines{"choice|a|B", "choice|b|A"}));
  EXPECT_EQ(server.requests(), 2U);
  EXPECT_EQ(ask(server, TaskKind::kChoice).counts, (Counts{0, 2, 0, 0}));
  // The original of b reads as its variant does: nothing new to ask.
  EXPECT_EQ(ask(server, TaskKind::kChoice, "none").counts, (Counts{2, 0, 0, 0}));
  EXPECT_EQ(server.requests(), 3U);
  add_run({variant("a", "A woman.")});
  EXPECT_EQ(ask(server, TaskKind::kChoice).counts, (Counts{0, 1, 1, 0}));
  EXPECT_EQ(server.requests(), 4U);
  // Another question about the same text is another one, too.
  RecordRow other = record("b", "Bob has gout.");
  other.task = R"({"answer":"A","options":{"A":"gout","B":"asthma"},"question":"And now?"})";
  add_records({other});
  EXPECT_EQ(ask(server, TaskKind::kChoice).counts, (Counts{0, 1, 1, 0}));
  EXPECT_EQ(server.requests(), 5U);
}

// Texts that belong to no record: the ids of their answers are no records'.
TEST_F(Ask, OfTextsThatBelongToNoRecordWhatNeedsNone) {
  VectorSource<VariantRow> source({variant("m1", "A nurse has 2 cats."), variant("m2", "Bob has gout.")});
  RunSpec spec;
  spec.synthetic = true;
  ingest_run(store(), "d", "made", spec, source, file());
  stub::Server server;
  for (const TaskKind kind : kAll) {
    const bool alone =
        kind == TaskKind::kCoherenceMedical || kind == TaskKind::kCoherenceChat || kind == TaskKind::kCategory;
    EXPECT_EQ(code_of([&] { ask(server, kind, "made", std::string(model::task_name(kind)).c_str()); }), alone ? 0 : 2)
        << model::task_name(kind);
  }
  EXPECT_EQ(server.requests(), 6U);
  const char* kAnswers =
      "SELECT v.key, a.task, count(*) FROM task_answer a JOIN variant v ON v.id = -a.record_id GROUP BY 1, 2 ORDER BY "
      "1, 2";
  const Lines both = {"m1|category|1", "m1|coherence|2", "m2|category|1", "m2|coherence|2"};
  EXPECT_EQ(rows(kAnswers), both);
  EXPECT_EQ(answers("category"), Lines{}) << "they are of no record";
  const auto runs = [&](TaskKind kind) { return runs_to_ask(store(), "d", kind); };
  EXPECT_EQ(runs(TaskKind::kCategory), (Lines{"made", "none", "r"}));
  EXPECT_EQ(runs(TaskKind::kChoice), (Lines{"none", "r"}));
  // They go with their texts, and with nothing else.
  remove_record(store(), "d", "a");
  EXPECT_EQ(rows(kAnswers), both);
  store().db().run("DELETE FROM variant WHERE key = 'm1'");
  EXPECT_EQ(rows(kAnswers), (Lines{"m2|category|1", "m2|coherence|2"}));
  remove_run(store(), "d", "made");
  EXPECT_EQ(rows("SELECT count(*) FROM task_answer"), Lines{"0"});
}

TEST_F(Ask, AnswersMeanTheSameInEveryForm) {
  std::map<TaskKind, Lines> first;
  for (const char* behaviour : {"ok", "fenced", "think"}) {
    for (const model::AnswerForm form : {model::AnswerForm::kSchema, model::AnswerForm::kText}) {
      stub::Server server(behaviour);
      endpoint_.asking.form = form;
      endpoint_.asking.revision = behaviour;
      for (const TaskKind kind : kAll) {
        SCOPED_TRACE(fmt::format("{} {} {}", model::task_name(kind), behaviour, model::form_name(form)));
        const IngestResult result = ask(server, kind);
        EXPECT_EQ(result.counts.bad, 0U);
        const Lines now = answers();
        if (first[kind].empty()) first[kind] = now;
        EXPECT_EQ(now, first[kind]);
      }
      store().db().run("DELETE FROM task_answer");
    }
  }
}

TEST_F(Ask, WhatCannotBeUsedIsCountedAndNeverAHit) {
  std::uint64_t round = 0;
  for (const char* behaviour : {"refused", "length", "content-filter", "tool-calls", "null-content", "empty-content",
                                "not-json", "out-of-range", "error200", "no-choices", "html", "half"}) {
    for (const model::AnswerForm form : {model::AnswerForm::kSchema, model::AnswerForm::kText}) {
      stub::Server server(behaviour);
      endpoint_.asking.form = form;
      endpoint_.asking.revision = std::to_string(++round);
      for (const TaskKind kind : kAll) {
        const bool whole = kind != TaskKind::kAttributes && kind != TaskKind::kUtility && kind != TaskKind::kQuestions;
        if (whole && std::string(behaviour) == "half") continue;
        SCOPED_TRACE(fmt::format("{} {} {}", model::task_name(kind), behaviour, model::form_name(form)));
        session_.budget = {};  // another command
        const std::uint64_t before = server.requests();
        const std::uint64_t asked = kind == TaskKind::kChoice ? 2 : 3;
        const IngestResult result = ask(server, kind);
        EXPECT_EQ(result.counts, (Counts{0, 0, 0, asked}));
        EXPECT_EQ(server.requests() - before, 3 * asked) << "three tries each";
        ASSERT_FALSE(result.notes.empty());
        EXPECT_NE(result.notes[0].find(fmt::format("{} of {} records of d/r have no answer", asked, asked)),
                  std::string::npos);
        EXPECT_EQ(rows("SELECT count(*), count(answer_id) FROM task_answer"), (Lines{fmt::format("{}|0", asked)}));
        EXPECT_EQ(ask(server, kind).counts.bad, asked);
        const bool answered = !std::set<std::string>{"error200", "no-choices", "html"}.contains(behaviour);
        EXPECT_EQ(server.requests() - before, (answered ? 3 : 6) * asked) << "what no model said is asked again";
        store().db().run("DELETE FROM task_answer");
      }
    }
  }
}

TEST_F(Ask, WhatAGatewaySaidInTheModelsPlaceIsForgottenOnceItIsMended) {
  const stub::Server whole;
  ask(whole, TaskKind::kCategory, "r", "whole");
  for (const char* behaviour : {"error200", "no-choices", "html"}) {
    SCOPED_TRACE(behaviour);
    endpoint_.asking.revision = behaviour;
    const stub::Server broken(behaviour);
    EXPECT_EQ(ask(broken, TaskKind::kCategory).counts, (Counts{0, 0, 0, 3}));
    const stub::Server mended;
    EXPECT_EQ(ask(mended, TaskKind::kCategory).counts, (Counts{0, 0, 3, 0}));
    EXPECT_EQ(answers(), answers("whole"));
    store().db().run("DELETE FROM task_answer WHERE model = 'local'");
  }
}

TEST_F(Ask, AnotherTryHasAnotherSeed) {
  const stub::Server server("not-json");
  endpoint_.asking.seed = 0;
  ask(server, TaskKind::kCategory);
  EXPECT_EQ(server.requests(), 9U);
  EXPECT_EQ(server.bodies().size(), 9U);
  for (const char* seed : {R"("seed":0,)", R"("seed":1000,)", R"("seed":2000,)"}) {
    EXPECT_EQ(std::ranges::count_if(server.bodies(),
                                    [&](const auto& one) { return one.first.find(seed) != std::string::npos; }),
              3);
  }
}

TEST_F(Ask, AnswersOfOneNameWereAllAskedInOneWay) {
  stub::Server server;
  ask(server, TaskKind::kCategory);
  const Lines before = answers();
  EXPECT_EQ(before.size(), 3U);
  // Other settings: where nothing can be asked the old answers stay, all of them.
  endpoint_.asking.temperature = 0.5;
  session_.budget.max_calls = 1;
  EXPECT_EQ(code_of([&] { ask(server, TaskKind::kCategory); }), 75);
  EXPECT_EQ(answers(), before);
  const auto digest = [&] { return rows("SELECT hex(digest) FROM answer_set")[0]; };
  const std::string first = digest();
  session_.budget.max_calls.reset();
  EXPECT_EQ(ask(server, TaskKind::kCategory).counts, (Counts{3, 0, 0, 0}));
  EXPECT_NE(digest(), first);
  EXPECT_EQ(rows("SELECT count(*) FROM asked_with"), (Lines{"2"}));
  const std::uint64_t requests = server.requests();
  endpoint_.asking.temperature.reset();
  EXPECT_EQ(ask(server, TaskKind::kCategory).counts, (Counts{3, 0, 0, 0}));
  EXPECT_EQ(server.requests(), requests) << "the first answers are still there";
  EXPECT_EQ(digest(), first);
  // An older parser's readings go as a whole.
  store().db().run("UPDATE answer_set SET parser = 0");
  EXPECT_EQ(ask(server, TaskKind::kCategory).counts, (Counts{3, 0, 0, 0}));
  EXPECT_EQ(server.requests(), requests);
}

TEST_F(Ask, AnswersFromFilesKeepTheirNames) {
  AnswerRow row;
  row.line = 1;
  row.model = "gpt";
  row.task = "coherence";
  row.record = "a";
  row.run = "r";
  row.answer = "4";
  const auto bring = [&] {
    VectorSource<AnswerRow> source({row});
    return ingest_answers(store(), "d", source, file()).counts;
  };
  EXPECT_EQ(bring(), (Counts{1, 0, 0, 0}));
  EXPECT_EQ(bring(), (Counts{0, 1, 0, 0}));
  stub::Server server;
  EXPECT_EQ(code_of([&] { ask(server, TaskKind::kCoherenceChat, "r", "gpt"); }), 2);
  EXPECT_EQ(server.requests(), 0U);
  EXPECT_EQ(ask(server, TaskKind::kCategory, "r", "gpt").counts, (Counts{3, 0, 0, 0})) << "another task";
  ask(server, TaskKind::kCoherenceChat);
  row.model = "local";
  EXPECT_EQ(code_of(bring), 6);
}

TEST_F(Ask, APlanIsWhatIsAskedThen) {
  stub::Server server;
  for (const TaskKind kind : kAll) {
    SCOPED_TRACE(model::task_name(kind));
    const std::uint64_t before = server.requests();
    auto one = asker(server, kind);
    AskPlan plan, again;
    for (const std::string& run : runs_to_ask(store(), "d", kind)) plan_run(store(), "d", run, one, plan);
    EXPECT_EQ(server.requests(), before);
    const std::size_t runs = kind == TaskKind::kUtility ? 1 : 2;
    EXPECT_EQ(plan.questions, runs * (kind == TaskKind::kChoice ? 2 : 3));
    for (const std::string& run : runs_to_ask(store(), "d", kind)) ask(server, kind, run.c_str());
    EXPECT_EQ(server.requests() - before, plan.requests);
    std::uint64_t bytes = 0;
    for (const std::string& line : rows("SELECT bytes FROM attempt ORDER BY id")) bytes += std::stoull(line);
    EXPECT_GE(bytes, plan.bytes);
    for (const std::string& run : runs_to_ask(store(), "d", kind)) plan_run(store(), "d", run, one, again);
    EXPECT_EQ(again.known, again.questions);
    EXPECT_EQ(again.requests + again.bytes, 0U);
  }
}

TEST_F(Ask, RecordsWithoutATextAreNotAskedAbout) {
  VariantRow failed;
  failed.key = "a";
  failed.error = "trouble";
  add_run({failed, variant("c", "x")});
  add_records({record("c", ""), question("d", "Dan.")});
  stub::Server server;
  const IngestResult result = ask(server, TaskKind::kCategory);
  EXPECT_EQ(result.counts, (Counts{1, 0, 0, 0}));
  EXPECT_EQ(result.notes, (Lines{"2 of 4 records have no text in d/r: nothing was asked about them",
                                 "1 of 4 records of d have an empty original: nothing was asked about them"}));
  EXPECT_EQ(answers(), (Lines{"category|b|general chitchat"}));
}

TEST_F(Ask, QuestionsThatAreNoneAreNotAsked) {
  for (const char* task : {R"({"answer":"A"})", R"({"options":{"A":"x"}})", R"({"options":{"AB":"x","C":"y"}})",
                           R"({"options":{"A":1,"B":"y"}})", R"({"options":["x","y"]})", "[]"}) {
    RecordRow row = record("a", "Ann, 45, has asthma.");
    row.task = task;
    add_records({row});
    stub::Server server;
    endpoint_.asking.revision = task;
    EXPECT_EQ(ask(server, TaskKind::kChoice).counts.bad, 0U) << task;
    EXPECT_EQ(answers(), (Lines{"choice|b|A"})) << task;
  }
}

}  // namespace
}  // namespace residue::ingest::testing
