#include "query/corpus/copies.h"

#include <optional>

#include "base/error.h"
#include "query/corpus/corpus_evaluation.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Copies : public QueryStore {
 protected:
  Copies() {
    add_records({record("b", "Ann keeps bees in Oslo and sings."), record("a", "Bob keeps bees in Rome."),
                 record("c", "A nurse from Köln."), record("e", "")});
  }
};

TEST_F(Copies, NameTheLongestSharedRunAndTheNearestOriginal) {
  add_run("s",
          {variant("x", "Eve keeps BEES, in Oslo!"), variant("y", "Bob sings, Rome bees keeps in."),
           variant("z", "nothing alike"), variant("w", "keeps bees in")},
          true);
  add_run("aligned", {variant("a", "x")});
  const auto runs = load_copies(store(), "d");
  ASSERT_EQ(runs.size(), 1U);
  const auto& copies = runs[0].copies;
  ASSERT_EQ(copies.size(), 4U);
  EXPECT_EQ(copies[0].key, "x");
  EXPECT_EQ(copies[0].shared, 4U) << "keeps bees in oslo";
  EXPECT_EQ(copies[0].words, 5U);
  EXPECT_EQ(copies[0].shared_with, "b");
  EXPECT_EQ(copies[0].nearest, "b");
  EXPECT_DOUBLE_EQ(copies[0].rouge_l.value(), 2.0 * 4 / (5 + 7));
  EXPECT_EQ(copies[1].key, "w");
  EXPECT_EQ(copies[1].shared, 3U);
  EXPECT_EQ(copies[1].shared_with, "a") << "of equals the smallest key";
  EXPECT_DOUBLE_EQ(copies[1].rouge_l.value(), 2.0 * 3 / (3 + 5));
  EXPECT_EQ(copies[2].key, "y");
  EXPECT_EQ(copies[2].shared, 1U);
  EXPECT_EQ(copies[3].key, "z");
  EXPECT_EQ(copies[3].shared, 0U);
  EXPECT_EQ(copies[3].rouge_l, 0);
  EXPECT_TRUE(copies[3].shared_with.empty() && copies[3].nearest.empty());
}

TEST_F(Copies, AreOfSyntheticRunsAlone) {
  add_run("aligned", {variant("a", "x")});
  EXPECT_THROW(load_copies(store(), "d"), Error);
  VariantRow failed;
  failed.key = "x";
  failed.error = "trouble";
  add_run("s", {failed, variant("y", "A nurse from Köln.")}, true);
  const auto runs = load_copies(store(), "d");
  EXPECT_EQ(runs[0].failed, 1U);
  ASSERT_EQ(runs[0].copies.size(), 1U);
  EXPECT_EQ(runs[0].copies[0].shared, 4U);
  EXPECT_EQ(runs[0].copies[0].rouge_l, 1);
}

TEST_F(Copies, MakeMetricsOfTheRun) {
  add_claims({claims("a", {"Bob keeps bees.", "Bob is in Rome."}), claims("b", {"Ann sings."})});
  add_run("s", {variant("x", "Eve keeps BEES, in Oslo!"), variant("w", "keeps bees in")}, true);
  evaluate_all({"bm25/first:1"});
  CorpusOptions options;
  options.metrics = {MetricId::kNearestCopy, MetricId::kCopiedRun};
  const auto metric = [&](MetricId id) {
    evaluate_corpus(store(), {{"d", "s"}}, options);
    return report_run("s").metrics.at(id);
  };
  EXPECT_DOUBLE_EQ(*metric(MetricId::kCopiedRun).all.value, 3.5);
  EXPECT_DOUBLE_EQ(*metric(MetricId::kCopiedRun).cuts.at("max").value, 4);
  EXPECT_NEAR(*metric(MetricId::kNearestCopy).all.value, (2.0 / 3 + 3.0 / 4) / 2, 1e-9);
  EXPECT_NEAR(*metric(MetricId::kNearestCopy).cuts.at("max").value, 3.0 / 4, 1e-9);
  expect_proven();
  VariantRow failed;
  failed.key = "w";
  failed.error = "trouble";
  add_run("s", {failed}, true);
  EXPECT_TRUE(report_run("s").stale);
  EXPECT_DOUBLE_EQ(*metric(MetricId::kCopiedRun).all.value, (4.0 + 7) / 2) << "the longest original has seven words";
  EXPECT_DOUBLE_EQ(*metric(MetricId::kNearestCopy).cuts.at("max").value, 1);
  EXPECT_NEAR(*metric(MetricId::kNearestCopy).all.if_private, 1.0 / 3, 1e-9);
  EXPECT_EQ(metric(MetricId::kNearestCopy).all.failed, 1);
  evaluate_corpus(store(), {{"d", "none"}}, options);
  EXPECT_EQ(report_run("none").metrics.at(MetricId::kCopiedRun).all.value, std::nullopt);
}

// Which texts count the originals decide: one in other letters is a copy of none of these.
TEST_F(Copies, CountTextsWithoutWordsOfRouge) {
  add_claims({claims("a", {"Bob keeps bees.", "Bob is in Rome."})});
  add_run("s", {variant("x", "Bob keeps bees in Rome."), variant("k", "\xE6\x97\xA5\xE6\x9C\xAC")}, true);
  evaluate_all({"bm25/first:1"});
  CorpusOptions options;
  options.metrics = {MetricId::kNearestCopy, MetricId::kCopiedRun};
  evaluate_corpus(store(), {{"d", "s"}}, options);
  const auto metrics = report_run("s").metrics;
  EXPECT_EQ(metrics.at(MetricId::kNearestCopy).all.value, 0.5);
  for (const MetricId id : options.metrics) {
    EXPECT_EQ(metrics.at(id).all.n, 2);
    EXPECT_EQ(metrics.at(id).all.not_applicable, 0);
  }
}

class CopiesInOtherLetters : public QueryStore {};

TEST_F(CopiesInOtherLetters, AreNotWhatRougeCanSee) {
  add_records({record("a", "\xE6\x97\xA5\xE6\x9C\xAC")});
  add_claims({claims("a", {"\xE6\x97\xA5.", "\xE6\x9C\xAC."})});
  add_run("s", {variant("x", "Bob keeps bees in Rome.")}, true);
  evaluate_all({"bm25/first:1"});
  CorpusOptions options;
  options.metrics = {MetricId::kNearestCopy};
  evaluate_corpus(store(), {{"d", "s"}}, options);
  const auto metric = report_run("s").metrics.at(MetricId::kNearestCopy);
  EXPECT_EQ(metric.all.value, std::nullopt);
  EXPECT_EQ(metric.all.not_applicable, 1);
  EXPECT_EQ(metric.reason, "no original has a word that ROUGE knows");
}

}  // namespace
}  // namespace residue::query::testing
