#include "query/agree/judge_warnings.h"

#include <optional>
#include <string>
#include <utility>

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class JudgeWarnings : public QueryStore {
 protected:
  JudgeWarnings() {
    add_records({record("a", "Ann keeps bees."), record("b", "Пациентка жалуется на боль в руке.")});
    const auto batch = store().write();
    batch->db().run(
        R"(INSERT INTO judge (name, embedded, claims_per_request, spec, digest) VALUES)"
        R"( ('big', 0, 1, '{"judge":"model","name":"big","answer":{"asking":{"model":"Org/GPT-9"}}}', x'01'),)"
        R"( ('cascade:lexical,big', 0, 1, '{"judge":"cascade","second":{"judge":"model","name":"big","answer":)"
        R"({"asking":{"model":"Org/GPT-9"}}}}', x'02'),)"
        R"( ('gpt-4/no_actions', 0, 1, '{"judge":"imported","name":"gpt-4/no_actions"}', x'03'))");
    batch->db().run(R"(INSERT INTO model (name, asking, transport, votes, canaries, claims_per_request) VALUES )"
                    R"(('mine', '{"model":"gpt-9"}', '{}', 1, 0, 1))");
    batch->commit();
  }
  void run(const std::string& name, std::optional<std::string> sanitizer, const std::string& params = "{}") {
    ingest::RunSpec spec;
    spec.sanitizer = std::move(sanitizer);
    spec.params = params;
    VectorSource<VariantRow> source({variant("a", "Somebody keeps bees.")});
    ingest::ingest_run(store(), "d", name, spec, source, ingest::testing::file());
  }
  std::size_t shared(const std::string& judge) { return shared_model_notes(store().db(), "d", judge).size(); }
};

TEST_F(JudgeWarnings, NameRunsMadeByTheirJudge) {
  run("a", "scrub");
  EXPECT_EQ(shared("big"), 0U);
  run("b", "gpt-9");
  ASSERT_EQ(shared("big"), 1U);
  EXPECT_NE(shared_model_notes(store().db(), "d", "big")[0].find("run d/b"), std::string::npos);
  run("c", "pseudonymize", R"({"model":"org/gpt-9"})");
  run("d", "anonymize", R"({"model":"mine"})");
  run("e", "big");
  EXPECT_EQ(shared("big"), 4U);
  EXPECT_EQ(shared("cascade:lexical,big"), 4U);
  EXPECT_EQ(shared("gpt-4/no_actions"), 0U);
  run("f", "GPT-4");
  ASSERT_EQ(shared("gpt-4/no_actions"), 1U);
  EXPECT_NE(shared_model_notes(store().db(), "d", "gpt-4/no_actions")[0].find("if one model is behind both"),
            std::string::npos);
  run("g", "anonymize", R"({"asked":{"anonymize":{"label":"gpt-9","model":"m","parser":2,"spec":"00"}}})");
  run("h", "adversarial", R"({"asked":{"anonymize":{"label":"x","model":"x"},"infer":{"label":"y","model":"mine"}}})");
  run("i", "anonymize", R"({"asked":{"anonymize":{"label":"x","model":"y"}}})");
  EXPECT_EQ(shared("big"), 6U);
  EXPECT_EQ(shared("lexical"), 0U);
  EXPECT_EQ(shared("nobody"), 0U);
}

TEST_F(JudgeWarnings, CountRecordsInOtherLanguagesThanTheJudges) {
  for (const char* judge : {"lexical", "cascade:lexical,big"}) {
    const auto notes = language_notes(store(), "d", judge);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].substr(0, 21), "1 of 2 records of d a");
  }
  EXPECT_TRUE(language_notes(store(), "d", "big").empty());
  add_records({record("b", "Bob rows.")});
  EXPECT_TRUE(language_notes(store(), "d", "lexical").empty());
}

}  // namespace
}  // namespace residue::query::testing
