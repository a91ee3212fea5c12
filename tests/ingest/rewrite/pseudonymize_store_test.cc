// Pseudonyms by a model that answers over the wire, and responses to them: asked once, restored, or none.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/ask.h"
#include "ingest/ask/restore.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "ingest/rewrite/pseudonymize.h"
#include "ingest/sanitize/sanitize.h"
#include "model/server/endpoint.h"
#include "tests/ingest/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;
using model::AnswerForm;
using model::TaskKind;

constexpr const char* kNone = "pseudonymize: model local gave no usable answer: ";

class Pseudonyms : public StoreTest {
 protected:
  Pseudonyms() {
    session_.options.retry.base = model::Millis(1);
    session_.options.retry.cap = model::Millis(5);
    VectorSource<RecordRow> source({record("a", "Write to Ann  in Oslo.\n"), record("b", "Which books are about Graz?"),
                                    record("c", "Write what is UNSPEAKABLE."), record("d", "")});
    ingest_dataset(store(), "d", source, file());
    point_to(server_);
  }
  void point_to(const stub::Server& server, AnswerForm form = AnswerForm::kSchema) {
    endpoint_.name = "local";
    endpoint_.asking.model = "m";
    endpoint_.asking.form = form;
    endpoint_.transport.url = server.url();
    endpoint_.transport.timeout_s = 5;
    endpoint_.transport.concurrency = 2;
    const auto batch = store().write();
    model::save_endpoint(batch->db(), endpoint_);
    batch->commit();
  }
  SanitizeResult sanitize(const char* run = "r") {
    SanitizePlan plan;
    plan.method = "pseudonymize";
    plan.asking.model = "local";
    plan.asking.session = &session_;
    return sanitize_dataset(store(), "d", run, plan, 2);
  }
  void ingest(std::vector<VariantRow> rows, const char* run) {
    VectorSource<VariantRow> source(std::move(rows));
    ingest_run(store(), "d", run, {}, source, file());
  }
  static VariantRow variant_with(std::string key, std::string text, std::string table) {
    VariantRow row = variant(std::move(key), std::move(text));
    row.substitutions = std::move(table);
    return row;
  }
  model::TaskAsker asker(TaskKind kind) { return {store(), {kind, {}, std::nullopt}, endpoint_, "d", session_}; }
  IngestResult respond(const char* run, bool by_model = false) {
    model::TaskAsker asking = asker(TaskKind::kRespond), restoring = asker(TaskKind::kRestore);
    return ask_run(store(), "d", run, asking, "local", {}, by_model ? &restoring : nullptr);
  }
  Lines responses(const char* run = "r") {
    return rows(fmt::format("SELECT r.key, a.answer_id AS 'T:t' FROM task_answer a JOIN record r ON r.id = a.record_id"
                            " JOIN run u ON u.id = a.run_id WHERE u.name = '{}' ORDER BY 1",
                            run)
                    .c_str());
  }
  Lines variants(const char* run = "r") {
    return rows(fmt::format("SELECT r.key, v.text_id AS 'T:t', v.error, v.substitutions_id AS 'T:s' FROM variant v JOIN"
                            " record r ON r.id = v.record_id JOIN run u ON u.id = v.run_id WHERE u.name = '{}' ORDER"
                            " BY 1",
                            run)
                    .c_str());
  }
  // What restore writes, a line each: id, text, put back, left, error.
  Lines restore(std::vector<VariantRow> from, const char* run = "r", model::TaskAsker* by = nullptr) {
    VectorSource<VariantRow> source(std::move(from));
    Lines lines;
    counts_ = restore_rows(store(), "d", run, source, file(), by, {}, [&](const RestoredRow& row) {
      lines.push_back(fmt::format("{}|{}|{}|{}|{}", row.key, row.text.value_or("-"),
                                  row.put_back ? std::to_string(*row.put_back) : "-", row.ambiguous,
                                  row.error.value_or("")));
    });
    return lines;
  }

  stub::Server server_;
  model::Endpoint endpoint_;
  model::AskSession session_;
  RestoreCounts counts_;
};

TEST_F(Pseudonyms, AreTheInputWithItsReplacementsAndAreKept) {
  EXPECT_EQ(sanitize().counts, (Counts{4, 0, 0, 0}));
  const Lines expected = {R"(a|Write to Ruth  in Bergen.)"
                          "\n"
                          R"(||[["Ann","Ruth"],["Oslo","Bergen"]])",
                          "b|Which books are about Graz?||", fmt::format("c||{}refused|", kNone), "d|||"};
  EXPECT_EQ(variants(), expected);
  const auto requests = server_.requests();
  EXPECT_EQ(sanitize().counts, (Counts{0, 4, 0, 0}));
  EXPECT_EQ(server_.requests(), requests);
  point_to(server_, AnswerForm::kText);
  sanitize("words");
  EXPECT_EQ(variants("words"), expected);
}

TEST_F(Pseudonyms, FailWhereTheTextSaysOtherwise) {
  const struct {
    const char* behaviour;
    AnswerForm form;
    const char* problem;
  } kWrong[] = {{"other-words", AnswerForm::kSchema, "a text that is not the input with its replacements"},
                {"unlisted", AnswerForm::kSchema, "a text that is not the input with its replacements"},
                {"no-separator", AnswerForm::kText, "no line with a single #"}};
  for (const auto& [behaviour, form, problem] : kWrong) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    endpoint_.asking.revision = behaviour;
    point_to(server, form);
    sanitize(behaviour);
    EXPECT_EQ(variants(behaviour)[0], fmt::format("a||{}{}|", kNone, problem));
    EXPECT_GE(server.requests(), 3U);  // asked again before
  }
}

TEST_F(Pseudonyms, KeepReplacementsInsideLongerOnes) {
  const SanitizeOutput output = pseudonymized(
      "Ruth Vogel met Ida.",
      R"({"replacements":[{"original":"Ruth Vogel","replacement":"Inge Adler"},{"original":"Ruth","replacement":"Inge"}],"text":""})");
  EXPECT_EQ(output.text, "Inge Adler met Ida.");
  EXPECT_EQ(output.spans, (std::vector<Replacement>{{0, 10, "entity", "Inge Adler", true}}));
  EXPECT_EQ(output.substitutions, R"([["Ruth Vogel","Inge Adler"],["Ruth","Inge"]])");
}

TEST_F(Pseudonyms, AreTakenBackInResponsesThatAreAskedForOnce) {
  sanitize();
  const auto before = server_.requests();
  EXPECT_EQ(respond("none").counts, (Counts{2, 0, 0, 1}));
  EXPECT_EQ(responses("none"), (Lines{R"(a|{"response":"Dear reader, Write to Ann  in Oslo."})",
                                      R"(b|{"response":"Dear reader, Which books are about Graz?"})", "c|"}));
  const auto originals = server_.requests();
  EXPECT_GE(originals, before + 3);
  // b was not replaced: its prompt is the original's, and was asked.
  EXPECT_EQ(respond("r").counts, (Counts{2, 0, 0, 0}));
  EXPECT_EQ(server_.requests(), originals + 1);
  EXPECT_EQ(responses(), (Lines{R"(a|{"response":"Dear reader, Write to Ruth  in Bergen.","restored":)"
                                R"("Dear reader, Write to Ann  in Oslo."})",
                                R"(b|{"response":"Dear reader, Which books are about Graz?"})"}));
  EXPECT_EQ(respond("none").counts.same, 2U);
  EXPECT_EQ(server_.requests(), originals + 1);
}

TEST_F(Pseudonyms, AreTakenBackByAModelWhereItIsAsked) {
  sanitize();
  respond("r");
  const auto before = server_.requests();
  EXPECT_EQ(respond("r", true).counts.bad, 0U);
  EXPECT_EQ(server_.requests(), before + 1);  // about a; b has nothing to be taken back
  EXPECT_EQ(responses()[0], R"(a|{"response":"Dear reader, Write to Ruth  in Bergen.","restored":)"
                            R"("Dear reader, Write to Ann  in Oslo."})");
  // How they were made is another: one set has answers of one kind.
  const auto digest = [&] { return rows("SELECT hex(digest) FROM answer_set"); };
  const Lines by_model = digest();
  respond("r");
  EXPECT_NE(digest(), by_model);
  // A response that it cannot restore is none.
  stub::Server refusing("refused");
  model::TaskAsker asking = asker(TaskKind::kRespond);
  endpoint_.transport.url = refusing.url();
  endpoint_.asking.revision = "refusing";
  model::TaskAsker restoring = asker(TaskKind::kRestore);
  EXPECT_EQ(ask_run(store(), "d", "r", asking, "local", {}, &restoring).counts.bad, 1U);
  EXPECT_EQ(responses()[0], "a|");
}

// The table that a response was restored by may change where the text does not.
TEST_F(Pseudonyms, ResponsesAreOfTheTableThatRestoredThem) {
  ingest({variant_with("a", "Write to Ruth.", R"([["Ann","Ruth"]])")}, "s");
  respond("s");
  const auto about = [&] { return rows("SELECT about FROM task_answer"); };
  const Lines first = about();
  ingest({variant_with("a", "Write to Ruth.", R"([["Eve","Ruth"]])")}, "s");
  const auto requests = server_.requests();
  EXPECT_EQ(respond("s").counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(server_.requests(), requests);
  EXPECT_NE(about(), first);
  EXPECT_EQ(responses("s"), (Lines{R"(a|{"response":"Dear reader, Write to Ruth.","restored":)"
                                   R"("Dear reader, Write to Eve."})"}));
}

TEST_F(Pseudonyms, AreTakenBackInFiles) {
  ingest({variant_with("a", "Write to Ruth, Ruth Ray or [PERSON_1].",
                       R"([["Ann","Ruth"],["Ann Lee","Ruth Ray"],["Bob","[PERSON_1]"],["Kim","Oslo"]])"),
          variant("b", "Which books?"), variant("c", "")},
         "s");
  VariantRow failed = variant("a", "");
  failed.error = "timeout";
  VariantRow null;
  null.key = "a";
  EXPECT_EQ(restore({variant("a", "Dear Ruth Ray, Ruth, [PERSON_1], [PERSON_10] of Oslo"), variant("b", "Ruth"), failed,
                     null, variant("c", "Ruth"), variant("a", "")},
                    "s"),
            (Lines{"a|Dear Ann Lee, Ann, Bob, [PERSON_10] of Oslo|3|1|", "b|Ruth|0|0|", "a|-|-|0|timeout",
                   "a|-|-|0|no text", "c|-|-|0|the run has no text of this record", "a||0|0|"}));
  EXPECT_EQ(counts_.rows, 6U);
  EXPECT_EQ(counts_.failed, 3U);
  EXPECT_EQ(counts_.changed, 1U);
  EXPECT_EQ(counts_.put_back, 3U);
  EXPECT_EQ(counts_.ambiguous, 1U);
  EXPECT_EQ(error_of([&] {
              restore({variant("a", "x"), variant("z", "x")}, "s");
            }),
            (std::pair<int, std::string>{6, "rows.jsonl:2: no record with this id in dataset d"}));
}

TEST_F(Pseudonyms, AreTakenBackByAModelInFiles) {
  ingest({variant_with("a", "Write to Ruth.", R"([["Ann","Ruth"]])"), variant("b", "Which books?")}, "s");
  model::TaskAsker by = asker(TaskKind::kRestore);
  EXPECT_EQ(restore({variant("a", "Dear Ruthie"), variant("b", "Ruth"), variant("a", "UNSPEAKABLE")}, "s", &by),
            (Lines{"a|Dear Annie|-|0|", "b|Ruth|0|0|", "a|-|-|0|model local gave no answer that can be used"}));
}

TEST_F(Pseudonyms, AreNotTakenBackWhereNobodyKeptThem) {
  ingest({variant("a", "Write to somebody.")}, "s");
  const auto error = error_of([&] { restore({variant("a", "x")}, "s"); });
  EXPECT_EQ(error, (std::pair<int, std::string>{2, "the run d/s does not say which words stand for which"}));
}

}  // namespace
}  // namespace residue::ingest::testing
