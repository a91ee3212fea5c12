// embedding_distance: when it is computed, of what, and what it says where vectors or claims are not there.
#include "query/evaluate/vector_evaluation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "query/compare/compare.h"
#include "query/gates/gates.h"
#include "query/report/left_behind.h"
#include "storage/vectors.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class ClaimVectors : public QueryStore {
 protected:
  ClaimVectors() {
    add_records({record("a", "Ann sings. Ann is 45. Ann keeps bees."), record("b", "Bob rows. Bob is 50.")});
    add_claims(
        {claims("a", {"Ann sings.", "Ann is 45.", "Ann keeps bees."}), claims("b", {"Bob rows.", "Bob is 50."})});
    add_run("r", {variant("a", "Somebody sings. Somebody keeps animals."), variant("b", "Bob rows.")});
  }
  // Worked by hand for record a; those of b are at right angles.
  void embed_all(const std::string& model = "toy") {
    embed("Ann sings.", {0, 0, 1}, model);
    embed("Ann is 45.", {1, 0, 0}, model);
    embed("Ann keeps bees.", {0.6F, 0.8F, 0}, model);
    embed("Somebody sings.", {0.8F, 0.6F, 0}, model);
    embed("Somebody keeps animals.", {0, 1, 0}, model);
    embed("Bob rows.", {0, 0, 1}, model);
    embed("Bob is 50.", {1, 0, 0}, model);
  }
  void atomize(const std::string& run = "r") { ingest::atomize_run(store(), "d", run, "sentences", 1, {}); }
  VectorCounts compute(const std::string& embedder = "", const std::optional<std::string>& run = std::nullopt,
                       const char* protocol = "bm25/first:1") {
    EvalOptions options;
    options.protocols = {parse_protocol(protocol)};
    evaluate(store(), {{"d", run}}, options);
    return evaluate_vectors(store(), {{"d", run}}, options, embedder);
  }
  ReportMetric metric(const std::string& run = "r") {
    const ReportRun one = report_run(run);
    const auto found = one.metrics.find(MetricId::kEmbeddingDistance);
    return found == one.metrics.end() ? ReportMetric{} : found->second;
  }
};

TEST_F(ClaimVectors, AreComparedWithThoseOfTheTextFound) {
  atomize();
  embed_all();
  const VectorCounts counts = compute();
  EXPECT_EQ(counts.computed, 3U) << "r, none, remove-all";
  EXPECT_TRUE(counts.notes.empty());
  const ReportMetric distance = metric();
  EXPECT_NEAR(*distance.all.value, (0.12 + 1) / 2, 1e-7);
  EXPECT_NEAR(*distance.right->value, (0.12 + 1) / 2, 1e-7);
  EXPECT_EQ(distance.all.n, 2);
  EXPECT_EQ(distance.model, "toy");
  EXPECT_EQ(*metric("none").all.value, 0) << "every claim is there";
  EXPECT_EQ(*metric("remove-all").all.value, 1) << "nothing is found";
  expect_proven();
  EXPECT_EQ(compute().current, 3U);
}

TEST_F(ClaimVectors, AreNotComparedUnlessAskedForOrWithoutClaims) {
  embed_all();
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(report_run("r").metrics.count(MetricId::kEmbeddingDistance), 0U);
  const VectorCounts counts = compute();
  EXPECT_EQ(counts.computed, 2U);
  ASSERT_EQ(counts.notes.size(), 1U);
  EXPECT_NE(counts.notes[0].find("residue atomize d/r"), std::string::npos) << counts.notes[0];
  EXPECT_EQ(report_run("r").metrics.count(MetricId::kEmbeddingDistance), 0U);
  atomize();
  EXPECT_EQ(compute().computed, 1U);
  // Claims of texts that are no longer there.
  add_run("r", {variant("b", "Someone rows.")});
  const VectorCounts older = compute();
  EXPECT_EQ(older.computed, 0U);
  ASSERT_EQ(older.notes.size(), 1U);
  EXPECT_NE(older.notes[0].find("changed after"), std::string::npos) << older.notes[0];
  const ReportRun stale = report_run("r");
  EXPECT_FALSE(stale.stale) << "of all else";
  EXPECT_TRUE(stale.metrics.at(MetricId::kEmbeddingDistance).stale);
  EXPECT_FALSE(stale.metrics.at(MetricId::kLeakRate).stale);
  ASSERT_EQ(stale.old.size(), 1U);
  EXPECT_EQ(commands_for("d", " --protocol P", stale.old),
            (std::vector<std::string>{"residue atomize d/r --set sentences",
                                      "residue eval d --protocol P --metrics embedding_distance --embedder toy"}));
  expect_proven();
}

TEST_F(ClaimVectors, ThatAreMissingCountAsLeaked) {
  atomize();
  embed_all();
  add_run("r", {variant("b", "Bob rows boats.")});
  atomize();
  compute();  // The new claim has no vector.
  EXPECT_EQ(metric().all.n, 1);
  EXPECT_EQ(metric().all.missing, 1);
  EXPECT_NEAR(*metric().all.value, 0.06, 1e-7);
  EXPECT_NEAR(*metric().all.if_private, 0.56, 1e-7);
  expect_proven();
  // It comes, and the record alone is scored again.
  embed("Bob rows boats.", {1, 0, 0});
  ASSERT_EQ(report_run("r").old.size(), 1U);
  EXPECT_EQ(report_run("r").old.front().before, "");
  const std::int64_t before = number("SELECT total_changes()");
  compute("", "r");
  EXPECT_LT(number("SELECT total_changes()") - before, 40);
  EXPECT_NEAR(*metric().all.value, 0.06, 1e-7) << "Bob is 50. is right there";
  EXPECT_EQ(metric().all.missing, 0);
  expect_proven();
  // A claim outside what is known loses its vector's value.
  embed("Bob is 50.", {0, 1, 0});
  compute();
  EXPECT_NEAR(*metric().all.value, 0.56, 1e-7);
  expect_proven();
}

TEST_F(ClaimVectors, OfFailedTextsAreLeaked) {
  atomize();
  embed_all();
  VariantRow failed;
  failed.key = "a";
  failed.error = "trouble";
  add_run("r", {failed});
  atomize();
  compute();
  EXPECT_EQ(metric().all.failed, 1);
  EXPECT_NEAR(*metric().all.value, 0.5, 1e-7);
  expect_proven();
}

TEST_F(ClaimVectors, AreOfOneEmbedderAtATime) {
  atomize();
  embed_all();
  embed_all("other");
  EXPECT_THROW(compute(), Error);
  EXPECT_THROW(compute("toi"), Error);
  compute("toy");
  compute("other");
  EXPECT_EQ(metric().model, "other");
  EXPECT_TRUE(report_run("r").old.empty());
  expect_proven();
  EXPECT_EQ(compute("toy").computed, 3U);
  EXPECT_EQ(metric().model, "toy");
  EXPECT_EQ(compute("toy").current, 3U);
  expect_proven();
}

TEST_F(ClaimVectors, AreHeldAgainstGatesAndPaired) {
  atomize();
  embed_all();
  evaluate_all({"bm25/first:1"});
  GateInput input;
  input.dataset = "d";
  input.runs = {"r"};
  input.protocols = {parse_protocol("bm25/first:1/claims")};
  input.judge = "lexical";
  EXPECT_EQ(check_gates(store(), {parse_gate("embedding_distance < 0.5")}, input)[0].reason,
            "was not computed: residue eval --metrics embedding_distance");
  compute();
  EXPECT_FALSE(check_gates(store(), {parse_gate("embedding_distance < 0.5")}, input)[0].failed);
  EXPECT_TRUE(check_gates(store(), {parse_gate("embedding_distance.right < 0.6")}, input)[0].failed);
  CompareOptions options;
  options.runs.dataset = "d";
  options.runs.runs = {"none", "r"};
  options.metrics = {"embedding_distance"};
  const Compared compared = compare_runs(store(), options);
  EXPECT_NEAR(*compared.runs[0].metrics[0].delta.difference, 0.56, 1e-7);
}

TEST_F(ClaimVectors, OfSyntheticTextsAreThoseOfTheTextFound) {
  add_run("s", {variant("x", "Somebody sings. Somebody keeps animals."), variant("y", "Bob rows.")}, true);
  atomize("s");
  embed_all();
  compute("", "s");
  EXPECT_NEAR(*metric("s").all.value, 0.56, 1e-7);
  expect_proven();
}

}  // namespace
}  // namespace residue::query::testing
