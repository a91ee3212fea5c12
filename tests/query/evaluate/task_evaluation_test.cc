// Metrics of answers: as if everything had been there from the start, whatever the order it came in.
#include "query/evaluate/task_evaluation.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/answers.h"
#include "query/compare/compare.h"
#include "query/gates/gates.h"
#include "query/report/history.h"
#include "query/report/report.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr const char* kTask = R"({"answer":"B","options":{"A":"gout","B":"asthma"},"question":"What?"})";

class TaskMetrics : public QueryStore {
 protected:
  TaskMetrics() {
    std::vector<RecordRow> rows;
    std::vector<ClaimsRow> facts;
    std::vector<VariantRow> variants;
    for (const char* key : {"a", "b", "c", "d"}) {
      RecordRow row = record(key, fmt::format("{} keeps bees and sings.", key));
      row.task = kTask;
      rows.push_back(row);
      facts.push_back(claims(key, {fmt::format("{} keeps bees.", key), fmt::format("{} sings.", key)}));
      variants.push_back(variant(key, "Somebody keeps bees."));
    }
    add_records(rows);
    add_claims(facts);
    add_run("r", variants);
  }
  void answer(const std::string& task, const std::vector<std::pair<std::string, std::optional<std::string>>>& all,
              const std::string& run = "r", const std::string& model = "m") {
    std::vector<ingest::AnswerRow> rows;
    for (const auto& [key, words] : all) {
      ingest::AnswerRow row;
      row.line = rows.size() + 1;
      row.model = model;
      row.task = task;
      row.record = key;
      row.run = run;
      row.answer = words;
      rows.push_back(row);
    }
    VectorSource<ingest::AnswerRow> source(std::move(rows));
    ingest::ingest_answers(store(), "d", source, ingest::testing::file());
  }
  ReportRun report(const std::string& run = "r", const std::optional<std::string>& model = std::nullopt) {
    ReportOptions options;
    options.model = model;
    return report_run(run, options);
  }
  MetricValue value(MetricId id, const std::string& run = "r") {
    const ReportRun one = report(run);
    const auto found = one.metrics.find(id);
    return found == one.metrics.end() ? MetricValue{} : found->second.all;
  }
  // Of evaluations that were looked at, how often records were scored.
  std::uint64_t scored() { return static_cast<std::uint64_t>(number("SELECT total_changes()")); }
};

TEST_F(TaskMetrics, AreThoseOfTheAnswersThatAreThere) {
  answer("choice", {{"a", "B"}, {"b", "A"}, {"c", std::nullopt}});
  answer("coherence", {{"a", "5"}, {"b", "3"}, {"c", "4"}, {"d", "4"}});
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kTaskAccuracy).value, 1.0 / 4);
  EXPECT_EQ(value(MetricId::kTaskAccuracy).n, 2);
  EXPECT_EQ(value(MetricId::kTaskAccuracy).failed, 1);
  EXPECT_EQ(value(MetricId::kTaskAccuracy).missing, 1);
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, 4);
  EXPECT_EQ(report().metrics.at(MetricId::kCoherence).model, "m");
  // What nobody was asked has no number, not the worst.
  EXPECT_EQ(report().metrics.count(MetricId::kReadability), 0U);
  EXPECT_EQ(report("none").metrics.count(MetricId::kCoherence), 0U);
  expect_proven();
}

TEST_F(TaskMetrics, OfUtilityUseTheOverlapOfTheTexts) {
  const std::string judged = R"({"hallucination":1,"meaning":7,"readability":9})";
  answer("utility", {{"a", judged}, {"b", judged}, {"c", judged}, {"d", std::nullopt}});
  evaluate_all();
  // Original of 5 words, variant of 3, two of them in common: 2 * 2 / (5 + 3).
  const double overlap = 0.5;
  EXPECT_NEAR(*value(MetricId::kRouge1F).value, overlap, 1e-9);
  EXPECT_NEAR(*value(MetricId::kUtilityCombined).value, (3 * (0.9 + 0.7 + overlap) / 3 + (0.1 + 0.1 + overlap) / 3) / 4,
              1e-9);
  EXPECT_NEAR(*value(MetricId::kReadability).value, (3 * 0.9 + 0.1) / 4, 1e-9);
  EXPECT_DOUBLE_EQ(*value(MetricId::kNoHallucination).value, 0.75);
  expect_proven();
}

TEST_F(TaskMetrics, OfCategoriesNeedThoseOfTheOriginals) {
  answer("category", {{"a", "translation"}, {"b", "translation"}, {"c", "summarization"}, {"d", "summarization"}});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kCategoryPreservation).value, std::nullopt);
  EXPECT_EQ(value(MetricId::kCategoryPreservation).missing, 4);
  answer("category", {{"a", "translation"}, {"b", "translation"}, {"c", "summarization"}, {"d", "translation"}},
         "none");
  EXPECT_TRUE(report().stale);
  evaluate_all();
  // o = (3, 1), s = (2, 2), uniform 4/21 over 21.
  const double u = 4.0 / 21;
  const double most = (3 - u) * (3 - u) / (3 + u) + (1 - u) * (1 - u) / (1 + u) + 19 * u;
  EXPECT_DOUBLE_EQ(*value(MetricId::kCategoryPreservation).value, 1 - (1.0 / 5 + 1.0 / 3) / most);
  EXPECT_EQ(*value(MetricId::kCategoryPreservation, "none").value, 1);
  expect_proven();
  // An answer about an original counts for every run.
  answer("category", {{"d", "summarization"}}, "none");
  evaluate_all();
  EXPECT_EQ(*value(MetricId::kCategoryPreservation).value, 1);
  expect_proven();
}

TEST_F(TaskMetrics, FollowWhateverChanges) {
  answer("coherence", {{"a", "5"}, {"b", "3"}, {"c", "4"}, {"d", "4"}});
  answer("choice", {{"a", "B"}, {"b", "B"}, {"c", "B"}, {"d", "B"}});
  evaluate_all();
  EXPECT_FALSE(report().stale);
  const std::uint64_t before = scored();
  evaluate_all();
  EXPECT_EQ(scored(), before) << "nothing changed, nothing is written";
  answer("coherence", {{"a", "1"}});
  EXPECT_TRUE(report().stale);
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, 3);
  // Another text: its answers are about nothing that is there.
  add_run("r", {variant("b", "Somebody sings.")});
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, (1.0 + 1 + 4 + 4) / 4);
  EXPECT_EQ(value(MetricId::kCoherence).missing, 1);
  EXPECT_DOUBLE_EQ(*value(MetricId::kTaskAccuracy).value, 0.75);
  expect_proven();
  // And back again.
  add_run("r", {variant("b", "Somebody keeps bees.")});
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, 3);
  EXPECT_EQ(value(MetricId::kCoherence).missing, 0);
  // A text that fails; a new record; another right answer.
  VariantRow failed;
  failed.key = "c";
  failed.error = "trouble";
  add_run("r", {failed});
  RecordRow more = record("e", "e keeps bees and sings.");
  more.task = R"({"answer":"A","options":{"A":"gout","B":"asthma"}})";
  add_records({more});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kCoherence).failed, 2);  // e has no variant
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, (1.0 + 3 + 1 + 4 + 1) / 5);
  expect_proven();
}

// An empty text of an empty original is no failure; of an original that came later it is, as in a fresh store.
TEST_F(TaskMetrics, CountAnEmptyTextAsFailedOnceThereIsAnOriginal) {
  add_records({record("e", "")});
  add_run("r", {variant("e", "")});
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "5"}, {"e", "5"}});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kCoherence).failed, 0);
  add_records({record("e", "e keeps bees and sings.")});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kCoherence).failed, 1);
  EXPECT_DOUBLE_EQ(*value(MetricId::kCoherence).value, (4 * 5 + 1) / 5.0);
}

// The same answers of other persons: other intervals.
TEST_F(TaskMetrics, AreResampledByWhoeverTheRecordsAreOf) {
  answer("coherence", {{"a", "5"}, {"b", "3"}, {"c", "4"}, {"d", "2"}});
  answer("category", {{"a", "translation"}, {"b", "translation"}, {"c", "summarization"}, {"d", "translation"}},
         "none");
  evaluate_all();
  const MetricValue alone = value(MetricId::kCoherence);
  RecordRow row = record("b", "b keeps bees and sings.");
  row.task = kTask;
  row.person = "p";
  RecordRow other = record("d", "d keeps bees and sings.");
  other.task = kTask;
  other.person = "p";
  add_records({row, other});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kCoherence).value, alone.value);
  const MetricValue together = value(MetricId::kCoherence);
  EXPECT_NE(std::pair(together.low, together.high), std::pair(alone.low, alone.high));
  expect_proven();
}

TEST_F(TaskMetrics, OfSeveralModelsAreNeverMixed) {
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "5"}}, "r", "zeta");
  answer("coherence", {{"a", "2"}, {"b", "2"}, {"c", "2"}, {"d", "2"}}, "r", "alpha");
  evaluate_all();
  EXPECT_EQ(*report().metrics.at(MetricId::kCoherence).all.value, 2);
  EXPECT_EQ(report().metrics.at(MetricId::kCoherence).others, (std::vector<std::string>{"zeta"}));
  EXPECT_EQ(*report("r", "zeta").metrics.at(MetricId::kCoherence).all.value, 5);
  EXPECT_THROW(report("r", "zeda"), Error);
  expect_proven();
}

// One model for the whole table: who answered about most runs, then most records.
TEST_F(TaskMetrics, OfATableAreOneModels) {
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "5"}}, "r", "zeta");
  answer("coherence", {{"a", "4"}}, "none", "zeta");
  answer("coherence", {{"a", "2"}, {"b", "2"}, {"c", "2"}, {"d", "2"}}, "r", "alpha");
  evaluate_all();
  EXPECT_EQ(report().metrics.at(MetricId::kCoherence).model, "zeta");
  EXPECT_EQ(report("none").metrics.at(MetricId::kCoherence).model, "zeta");
  // The model that is named did not answer about the originals: no number, and no other's.
  const ReportRun originals = report("none", "alpha");
  EXPECT_EQ(originals.metrics.count(MetricId::kCoherence), 0U);
  ASSERT_EQ(originals.unanswered.size(), 1U);
  EXPECT_EQ(originals.unanswered[0].others, std::vector<std::string>{"zeta"});
  answer("coherence", {{"a", "1"}, {"b", "1"}}, "none", "alpha");
  EXPECT_TRUE(report("none").stale) << "of any model: eval has something to do";
  evaluate_all();
  EXPECT_EQ(report().metrics.at(MetricId::kCoherence).model, "alpha") << "as many runs, more records";
}

TEST_F(TaskMetrics, AreHeldAgainstGatesModelByModel) {
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "5"}}, "r", "zeta");
  answer("coherence", {{"a", "2"}, {"b", "2"}, {"c", "2"}, {"d", "2"}}, "r", "alpha");
  evaluate_all();
  GateInput input;
  input.dataset = "d";
  input.runs = {"r"};
  input.protocols = {parse_protocol("bm25/first:2/claims")};
  input.judge = "lexical";
  const auto results = check_gates(
      store(), {parse_gate("coherence < 3"), parse_gate("meaning < 0.5"), parse_gate("coherence.missing > 0")}, input);
  ASSERT_EQ(results.size(), 5U);
  EXPECT_EQ(results[0].judge, "alpha");
  EXPECT_TRUE(results[0].failed);
  EXPECT_FALSE(results[1].failed);
  EXPECT_TRUE(results[2].failed && !results[2].value) << "nobody judged the meaning";
  EXPECT_FALSE(results[3].failed || results[4].failed);
  // Answers that have changed since are no answers to a gate.
  answer("coherence", {{"a", "4"}}, "r", "zeta");
  EXPECT_EQ(check_gates(store(), {parse_gate("coherence < 3")}, input)[1].reason, "is stale: answers have changed");
}

TEST_F(TaskMetrics, AreComparedWhereOneModelAnsweredAboutBoth) {
  answer("coherence", {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}}, "none", "alpha");
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "4"}}, "none", "m");
  answer("coherence", {{"a", "4"}, {"b", "3"}, {"c", "5"}, {"d", "4"}}, "r", "m");
  evaluate_all();
  CompareOptions options;
  options.runs.dataset = "d";
  options.runs.runs = {"none", "r"};
  options.metrics = {"coherence"};
  const Compared compared = compare_runs(store(), options);
  ASSERT_EQ(compared.runs.size(), 1U);
  ASSERT_EQ(compared.runs[0].metrics.size(), 1U);
  EXPECT_EQ(compared.runs[0].metrics[0].records, 4U);
  EXPECT_DOUBLE_EQ(*compared.runs[0].metrics[0].delta.difference, 16.0 / 4 - 19.0 / 4);
  options.metrics = {"meaning"};
  EXPECT_THROW(compare_runs(store(), options), Error);
  options.metrics = {"category_preservation"};
  EXPECT_THROW(compare_runs(store(), options), Error);
}

TEST_F(TaskMetrics, OfResponsesNeedThoseToTheOriginals) {
  const char* tea = R"({"response":"drink hot tea"})";
  answer("response", {{"a", tea}, {"b", R"({"response":"eat","restored":"drink hot tea"})"}, {"c", std::nullopt}});
  evaluate_all();
  EXPECT_EQ(value(MetricId::kResponseRouge1F).missing, 3);
  answer("response", {{"a", tea}, {"b", tea}, {"c", tea}, {"d", tea}}, "none");
  EXPECT_TRUE(report().stale);
  evaluate_all();
  const MetricValue rouge = value(MetricId::kResponseRouge1F);
  EXPECT_EQ(*rouge.value, 0.5);
  EXPECT_EQ(rouge.n, 2);
  EXPECT_EQ(rouge.failed, 1);
  EXPECT_EQ(rouge.missing, 1);
  EXPECT_EQ(*value(MetricId::kResponseRougeLF, "none").value, 1);
  EXPECT_EQ(report().metrics.count(MetricId::kQaAccuracy), 0U);
  expect_proven();
}

TEST_F(TaskMetrics, OfQuestionsTakeSubstitutionsBack) {
  const auto with_table = [](const char* key, const char* table) {
    VariantRow row = variant(key, "Somebody keeps bees.");
    if (table != nullptr) row.substitutions = table;
    return row;
  };
  const char* about = R"(["Yes, Ann","No"])";
  const char* said = R"(["Yes, Ruth","No"])";
  answer("qa", {{"a", about}, {"b", about}, {"c", about}, {"d", about}}, "none");
  answer("qa", {{"a", said}, {"b", said}, {"c", about}});
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kQaAccuracy).value, 4.0 / 8);
  EXPECT_DOUBLE_EQ(*value(MetricId::kQaAccuracyTrue).value, 1.0 / 4);
  EXPECT_EQ(value(MetricId::kQaAccuracy).missing, 1);
  EXPECT_EQ(*value(MetricId::kQaAccuracy, "none").value, 1);
  // The table alone changes: no text does, so no answer is lost.
  add_run("r", {with_table("a", R"([["Ann","Ruth"]])"), with_table("b", R"([["Eve","Ruth"]])")});
  EXPECT_TRUE(report().stale);
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kQaAccuracy).value, 5.0 / 8);
  EXPECT_DOUBLE_EQ(*value(MetricId::kQaAccuracyTrue).value, 2.0 / 4);
  expect_proven();
  store().collect_garbage();
  VariantRow silent = with_table("a", nullptr);
  add_run("r", {silent});  // Nothing is said of the table: it stays.
  EXPECT_FALSE(report().stale);
  silent.no_substitutions = true;
  add_run("r", {silent});
  evaluate_all();
  EXPECT_DOUBLE_EQ(*value(MetricId::kQaAccuracy).value, 4.0 / 8);
  expect_proven();
}

// Which questions were asked is in the digest of what they were asked with.
TEST_F(TaskMetrics, OfOtherQuestionsAreNotCompared) {
  const char* about = R"(["Yes"])";
  answer("qa", {{"a", about}, {"b", about}, {"c", about}, {"d", about}}, "none");
  answer("qa", {{"a", about}, {"b", about}, {"c", about}, {"d", about}});
  evaluate_all();
  EXPECT_EQ(*value(MetricId::kQaAccuracy).value, 1);
  {
    const auto batch = store().write();
    batch->db().run(
        "UPDATE answer_set SET digest = x'01', parser = 1 WHERE run_id = (SELECT id FROM run WHERE name = 'r')");
    batch->commit();
  }
  EXPECT_TRUE(report().stale);
  evaluate_all();
  EXPECT_EQ(*value(MetricId::kQaAccuracy).value, 0);
  EXPECT_EQ(value(MetricId::kQaAccuracy).missing, 4);
  expect_proven();
}

TEST_F(TaskMetrics, HaveAHistoryUnderWhoAnswered) {
  answer("coherence", {{"a", "5"}, {"b", "5"}, {"c", "5"}, {"d", "5"}});
  evaluate_all();
  answer("coherence", {{"a", "1"}});
  evaluate_all();
  const auto rows = load_history(store(), "d", {"coherence"});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].judge, "m");
  EXPECT_DOUBLE_EQ(*rows[1].change, -1);
}

}  // namespace
}  // namespace residue::query::testing
