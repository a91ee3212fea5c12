// Metrics of all texts together: what they are, when they are computed, and that they say why there are none.
#include "query/corpus/corpus_evaluation.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "numbers/learn/mauve.h"
#include "query/compare/compare.h"
#include "query/gates/gates.h"
#include "query/report/left_behind.h"
#include "query/report/report.h"
#include "storage/vectors.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

const std::vector<MetricId> kAll = {MetricId::kMauve, MetricId::kTopicDistance, MetricId::kEmbeddingCosine,
                                    MetricId::kDetectability};

// Twelve records about two things; run r marks every name.
class CorpusMetrics : public QueryStore {
 protected:
  static constexpr std::size_t kRecords = 12;

  CorpusMetrics() {
    std::vector<RecordRow> rows;
    std::vector<ClaimsRow> facts;
    std::vector<VariantRow> variants;
    for (std::size_t i = 0; i < kRecords; ++i) {
      const std::string key = fmt::format("r{:02}", i);
      rows.push_back(record(key, original(i)));
      facts.push_back(claims(key, {"One fact.", "Another fact.", "A third fact."}));
      variants.push_back(variant(key, sanitized(i)));
    }
    add_records(rows);
    add_claims(facts);
    add_run("r", variants);
  }
  static std::string original(std::size_t i) {
    return fmt::format("Ann{} {}", i, i % 2 == 0 ? "keeps bees in a garden." : "repays loans at the bank.");
  }
  static std::string sanitized(std::size_t i) {
    return fmt::format("[NAME] {}", i % 2 == 0 ? "keeps bees in a garden." : "repays loans at the bank.");
  }
  // Originals of two themes in one plane, sanitized texts at a cosine of 0.6 from theirs: farther than a theme from the
  // other.
  void embed_all(const std::string& model = "toy") {
    for (std::size_t i = 0; i < kRecords; ++i) {
      const bool bees = i % 2 == 0;
      embed(original(i), bees ? std::vector<float>{1, 0, 0} : std::vector<float>{0.96F, 0.28F, 0}, model);
      embed(sanitized(i), bees ? std::vector<float>{3, 0, 4} : std::vector<float>{0.576F, 0.168F, 0.8F}, model);
    }
  }
  CorpusCounts compute(const std::vector<MetricId>& metrics = kAll, const std::string& embedder = "",
                       const std::optional<std::string>& run = std::nullopt) {
    CorpusOptions options;
    options.metrics = metrics;
    options.embedder = embedder;
    return evaluate_corpus(store(), {{"d", run}}, options);
  }
  ReportRun report(const std::string& run = "r", MissingPolicy missing = MissingPolicy::kLeaked) {
    ReportOptions options;
    options.missing = missing;
    return report_run(run, options);
  }
  ReportMetric metric(MetricId id, const std::string& run = "r") {
    const ReportRun one = report(run);
    const auto found = one.metrics.find(id);
    return found == one.metrics.end() ? ReportMetric{} : found->second;
  }
};

TEST_F(CorpusMetrics, AreNotComputedUnlessAskedFor) {
  embed_all();
  evaluate_all();
  for (const MetricId id : kAll) EXPECT_EQ(report().metrics.count(id), 0U);
}

TEST_F(CorpusMetrics, AreOfTheVectorsOfTheEmbedder) {
  embed_all();
  evaluate_all();
  EXPECT_EQ(compute().computed, 3U * kAll.size());  // r, none, remove-all
  const ReportMetric cosine = metric(MetricId::kEmbeddingCosine);
  EXPECT_NEAR(*cosine.all.value, 0.6, 1e-7);
  EXPECT_NEAR(*cosine.median, 0.6, 1e-7);
  EXPECT_EQ(cosine.all.n, 12);
  EXPECT_EQ(cosine.model, "toy");
  const ReportMetric topic = metric(MetricId::kTopicDistance);
  EXPECT_NEAR(*topic.all.value, 0.4, 1e-7);
  EXPECT_NEAR(*topic.all.deviation, 0, 1e-7);
  EXPECT_EQ(topic.model, "toy");
  // No bucket holds texts of both.
  const ReportMetric mauve = metric(MetricId::kMauve);
  EXPECT_NEAR(*mauve.all.value, 1 - numbers::mauve_of_histograms(std::vector<double>{1, 0}, std::vector<double>{0, 1}),
              1e-12);
  EXPECT_EQ(mauve.all.n, 12);
  EXPECT_EQ(mauve.model, "toy");
  // All marked.
  const ReportMetric detected = metric(MetricId::kDetectability);
  EXPECT_EQ(*detected.all.value, 1);
  EXPECT_EQ(*detected.all.units, 24);
  EXPECT_NEAR(*detected.all.low, std::pow(0.025, 1.0 / 12), 0.03);  // a record's two texts are one trial: Beta(12, 1)
  EXPECT_TRUE(detected.model.empty());
  expect_proven();
}

TEST_F(CorpusMetrics, OfTheOriginalsSayThatNothingChanged) {
  embed_all();
  evaluate_all();
  compute();
  EXPECT_NEAR(*metric(MetricId::kMauve, "none").all.value, 0, 1e-12);
  EXPECT_EQ(*metric(MetricId::kTopicDistance, "none").all.value, 0);
  EXPECT_EQ(*metric(MetricId::kEmbeddingCosine, "none").all.value, 1);
  EXPECT_EQ(*metric(MetricId::kDetectability, "none").all.value, 0.5);
  EXPECT_EQ(*metric(MetricId::kTopicDistance, "remove-all").all.value, 1);
  EXPECT_EQ(*metric(MetricId::kEmbeddingCosine, "remove-all").all.value, 0);
  EXPECT_GT(*metric(MetricId::kMauve, "remove-all").all.value, 0.9);  // At the origin, away from all.
}

TEST_F(CorpusMetrics, WithoutVectorsSayWhyAndTakeTopicsFromTheOriginals) {
  evaluate_all();
  const CorpusCounts counts = compute(kAll, "", "r");
  EXPECT_EQ(counts.notes.size(), 2U);
  for (const MetricId id : {MetricId::kMauve, MetricId::kEmbeddingCosine}) {
    EXPECT_EQ(metric(id).all.value, std::nullopt);
    EXPECT_EQ(metric(id).all.not_applicable, 12);
    EXPECT_NE(metric(id).reason.find("it needs vectors"), std::string::npos);
  }
  const ReportMetric topic = metric(MetricId::kTopicDistance);
  EXPECT_EQ(topic.model, "lsa");
  EXPECT_GT(*topic.all.value, 0);
  EXPECT_LT(*topic.all.value, 0.5);  // The things they are about are still there.
  EXPECT_EQ(topic.all.n, 12);
  expect_proven();
  EXPECT_FALSE(report_run("r").stale);
  embed_all();
  EXPECT_TRUE(metric(MetricId::kTopicDistance).stale) << "they would be of the vectors now";
  compute({MetricId::kTopicDistance}, std::string(kNoEmbedder), "r");
  EXPECT_FALSE(metric(MetricId::kTopicDistance).stale);
  EXPECT_EQ(metric(MetricId::kTopicDistance).all.value, topic.all.value);
  compute({MetricId::kMauve}, "", "r");
  EXPECT_TRUE(metric(MetricId::kMauve).reason.empty());
  EXPECT_GT(*metric(MetricId::kMauve).all.value, 0.9);
}

TEST_F(CorpusMetrics, AreComputedAgainOnlyWhereSomethingChanged) {
  embed_all();
  evaluate_all();
  compute({MetricId::kMauve}, "", "r");
  CorpusCounts counts = compute({MetricId::kMauve}, "", "r");
  EXPECT_EQ(counts.computed, 0U);
  EXPECT_EQ(counts.current, 1U);
  counts = compute({MetricId::kMauve, MetricId::kEmbeddingCosine}, "", "r");
  EXPECT_EQ(counts.computed, 1U);
  EXPECT_EQ(counts.current, 1U);
  EXPECT_TRUE(report().old.empty());

  embed(sanitized(0), {1, 0, 0});
  EXPECT_EQ(report().old.size(), 2U);
  EXPECT_FALSE(report().stale) << "what eval computes unasked is as it was";
  EXPECT_TRUE(metric(MetricId::kMauve).stale);
  EXPECT_EQ(compute({MetricId::kEmbeddingCosine}, "", "r").computed, 2U) << "mauve with it";
  EXPECT_TRUE(report().old.empty());
  EXPECT_NEAR(*metric(MetricId::kEmbeddingCosine).all.value, (6 * 1.0 + 6 * 0.6) / 12, 1e-7);
  EXPECT_LT(*metric(MetricId::kMauve).all.value, 0.9);
  EXPECT_NEAR(*metric(MetricId::kEmbeddingCosine).median, 0.8, 1e-7);  // of six 1 and six 0.6
  compute({MetricId::kTopicDistance}, "", "r");
  EXPECT_NEAR(*metric(MetricId::kTopicDistance).all.deviation, std::sqrt(12 * 0.2 * 0.2 / 11), 1e-7);
  expect_proven();

  add_run("r", {variant("r00", "Nothing of it.")});
  EXPECT_TRUE(report().stale);
  evaluate_all();
  counts = compute({MetricId::kMauve}, "", "r");
  EXPECT_EQ(metric(MetricId::kMauve).all.value, std::nullopt);
  EXPECT_EQ(metric(MetricId::kMauve).reason, "1 of 24 texts of d and d/r have no vector of toy");
}

// What is computed again elsewhere has the records in the order of their keys; here they come the other way round, at
// places without any clusters.
TEST_F(CorpusMetrics, DoNotDependOnTheOrderInWhichRecordsCame) {
  embed_all();
  const auto somewhere = [](std::uint64_t n) {
    std::vector<float> values;
    for (std::uint64_t j = 0; j < 6; ++j) values.push_back(static_cast<float>(mix(n * 6 + j) % 2001) - 1000);
    return values;
  };
  for (std::size_t i = 80; i > 0; --i) {
    const std::string key = fmt::format("a{:02}", i), words = fmt::format("w{} w{} w{}", i % 7, i % 11, i % 13);
    add_records({record(key, words + " Zoe")});
    add_claims({claims(key, {"One fact.", "Another fact.", "A third fact."})});
    add_run("r", {variant(key, words + (i % 3 == 0 ? " [NAME]" : " X"))});
    embed(words + " Zoe", somewhere(i), "noise");
    embed(words + (i % 3 == 0 ? " [NAME]" : " X"), somewhere(1000 + i), "noise");
  }
  for (std::size_t i = 0; i < kRecords; ++i) {
    embed(original(i), somewhere(2000 + i), "noise");
    embed(sanitized(i), somewhere(3000 + i), "noise");
  }
  evaluate_all();
  compute(kAll, "noise", "r");
  EXPECT_GT(*metric(MetricId::kMauve).all.value, 0.01);
  compute({MetricId::kTopicDistance}, "lsa", "r");
  EXPECT_EQ(metric(MetricId::kTopicDistance).model, "lsa") << "the row of the other vectors is replaced";
  expect_proven();
}

TEST_F(CorpusMetrics, CountFailuresAsLeakedOrWorst) {
  embed_all();
  ingest::VariantRow lost = variant("r00", "");
  lost.text.reset();
  lost.error = "timeout";
  add_run("r", {lost});
  evaluate_all();
  compute();
  const ReportMetric cosine = metric(MetricId::kEmbeddingCosine);
  EXPECT_EQ(cosine.all.n, 11);
  EXPECT_EQ(cosine.all.failed, 1);
  EXPECT_NEAR(*cosine.all.value, (11 * 0.6 - 1) / 12, 1e-7);
  EXPECT_NEAR(*cosine.all.if_private, (11 * 0.6 + 1) / 12, 1e-7);
  EXPECT_NEAR(*report("r", MissingPolicy::kDrop).metrics.at(MetricId::kEmbeddingCosine).all.value, 0.6, 1e-7);
  // With the original in place of what failed the sanitized texts are nearer to the originals.
  const ReportMetric mauve = metric(MetricId::kMauve);
  EXPECT_EQ(mauve.all.failed, 1);
  EXPECT_LT(*mauve.all.value, *report("r", MissingPolicy::kDrop).metrics.at(MetricId::kMauve).all.value);
  EXPECT_EQ(*mauve.all.if_private, 1);
  const ReportMetric detected = metric(MetricId::kDetectability);
  EXPECT_EQ(*detected.all.value, 1);
  EXPECT_EQ(*detected.all.if_private, 22.0 / 24);
  EXPECT_EQ(*metric(MetricId::kTopicDistance).all.if_leaked, *metric(MetricId::kTopicDistance).all.value);
  expect_proven();
}

// p all in one bucket with the originals that q holds in place of what failed, all but one.
TEST_F(CorpusMetrics, TakeTheOriginalsOfFailuresForReleased) {
  embed_all();
  std::vector<VariantRow> lost;
  for (std::size_t i = 0; i + 1 < kRecords; ++i) {
    lost.push_back(variant(fmt::format("r{:02}", i), ""));
    lost.back().text.reset();
    lost.back().error = "timeout";
  }
  add_run("r", lost);
  evaluate_all();
  compute({MetricId::kMauve}, "", "r");
  const ReportMetric mauve = metric(MetricId::kMauve);
  EXPECT_NEAR(*mauve.all.value,
              1 - numbers::mauve_of_histograms(std::vector<double>{1, 0}, std::vector<double>{11.0 / 12, 1.0 / 12}),
              1e-9);
  EXPECT_EQ(mauve.all.n, 1);
  EXPECT_EQ(mauve.all.failed, 11);
  EXPECT_NEAR(*report("r", MissingPolicy::kDrop).metrics.at(MetricId::kMauve).all.value,
              1 - numbers::mauve_of_histograms(std::vector<double>{1, 0}, std::vector<double>{0, 1}), 1e-9);
}

TEST_F(CorpusMetrics, OfASyntheticRunAreMauveAlone) {
  embed_all();
  std::vector<ingest::VariantRow> rows;
  for (std::size_t i = 0; i < 4; ++i) {
    rows.push_back(variant(fmt::format("s{}", i), original(i)));
  }
  add_run("s", rows, true);
  evaluate_all();
  compute(kAll, "", "s");
  EXPECT_NEAR(*metric(MetricId::kMauve, "s").all.value, 0, 1e-9) << "the same shares of both things";
  for (const MetricId id : {MetricId::kTopicDistance, MetricId::kEmbeddingCosine, MetricId::kDetectability}) {
    EXPECT_EQ(metric(id, "s").reason, "a synthetic run has no text of each record");
  }
  expect_proven();
}

TEST_F(CorpusMetrics, OfSeveralEmbeddersNeedAName) {
  embed_all();
  embed_all("other");
  try {
    compute({MetricId::kMauve});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_STREQ(error.what(), "2 embedders have vectors of d: other, toy");
  }
  evaluate_all();
  compute({MetricId::kMauve}, "other", "r");
  EXPECT_EQ(metric(MetricId::kMauve).model, "other");
  compute({MetricId::kMauve}, "toy", "r");
  EXPECT_EQ(metric(MetricId::kMauve).model, "toy");
  EXPECT_EQ(number("SELECT count(*) FROM metric m JOIN metric_definition f ON f.id = m.metric WHERE f.name = 'mauve'"),
            1);
}

TEST_F(CorpusMetrics, AreHeldAgainstGates) {
  embed_all();
  evaluate_all();
  GateInput input;
  input.dataset = "d";
  input.runs = {"r"};
  input.protocols = {parse_protocol("bm25/first:2/claims")};
  input.judge = "lexical";
  const auto held = [&](const char* gate) { return check_gates(store(), {parse_gate(gate)}, input).at(0); };
  EXPECT_TRUE(held("mauve < 0.1").failed);
  EXPECT_EQ(held("mauve < 0.1").reason, "was not computed: residue eval --metrics mauve");
  compute();
  EXPECT_FALSE(held("mauve < 0.1").failed);
  EXPECT_TRUE(held("detectability > 0.9").failed);
  EXPECT_EQ(*held("detectability > 0.9").value, 1);
  // Their deltas are differences of two numbers; there is nothing to test.
  EXPECT_EQ(*held("delta(detectability, none) > 1").value, 0.5);
  EXPECT_NEAR(*held("delta(topic_distance, none) > 1").value, 0.4, 1e-7);
  EXPECT_THROW(parse_gate("delta(topic_distance, none).p < 0.05"), Error);
  EXPECT_THROW(parse_gate("delta(mauve, none).low < 0.05"), Error);
}

TEST_F(CorpusMetrics, AreComparedWithoutATest) {
  embed_all();
  evaluate_all();
  CompareOptions options;
  options.runs.dataset = "d";
  options.runs.runs = {"none", "r"};
  options.metrics = {"detectability", "semantic_distance"};
  const auto refusal = [&] {
    try {
      compare_runs(store(), options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(), "detectability of d/none was not computed");
  compute();
  const Compared compared = compare_runs(store(), options);
  ASSERT_EQ(compared.runs.front().metrics.size(), 2U);
  EXPECT_FALSE(compared.runs.front().metrics[0].whole);
  const MetricDelta& delta = compared.runs.front().metrics[1];
  EXPECT_EQ(delta.metric, MetricId::kDetectability);
  EXPECT_TRUE(delta.whole);
  EXPECT_EQ(delta.delta.a, 0.5);
  EXPECT_EQ(delta.delta.b, 1.0);
  EXPECT_EQ(delta.delta.difference, 0.5);
  EXPECT_FALSE(delta.delta.interval);
  EXPECT_FALSE(delta.test);
  EXPECT_FALSE(delta.corrected_p);
  EXPECT_EQ(delta.records, kRecords);
  // Numbers of different vectors are not set against each other.
  embed_all("other");
  compute({MetricId::kMauve}, "other", "r");
  options.metrics = {"mauve"};
  EXPECT_EQ(refusal(), "mauve uses vectors of toy in none and vectors of other in r: these numbers cannot be compared");
}

TEST_F(CorpusMetrics, ThatAreOlderThanTheTextsAreNamedWithTheirRemedy) {
  embed_all();
  evaluate_all();
  compute();
  EXPECT_TRUE(outdated_corpus_metrics(store().db(), {{"d", std::nullopt}}).empty());
  add_run("r", {variant("r00", "Somebody else.")});
  evaluate_all();
  const auto lines = outdated_corpus_metrics(store().db(), {{"d", std::nullopt}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "older than the texts: detectability, embedding_cosine, mauve, topic_distance of r; residue eval d "
            "--metrics detectability,embedding_cosine,mauve,topic_distance --embedder toy");
  EXPECT_TRUE(outdated_corpus_metrics(store().db(), {{"d", "none"}}).empty());
  ReportOptions options;
  options.dataset = "d";
  const Report report = load_report(store(), options);
  EXPECT_EQ(report.runs.front().old.size(), 4U);
  EXPECT_TRUE(report.runs[1].old.empty());
}

}  // namespace
}  // namespace residue::query::testing
