// What a reader must know before he believes a report, from reports made by hand.
#include "verbs/look/report_state.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace residue::verbs {
namespace {

using query::MetricId;
using query::ReportRun;

ReportRun run(const std::string& name) {
  ReportRun made;
  made.run = name;
  made.evaluated = true;
  return made;
}

using List = std::vector<std::string>;

TEST(ReportState, TellsStaleRunsFromThoseThatAreStaleInPart) {
  query::Report report;
  report.runs = {run("a"), run("b"), run("c"), run("d")};
  report.runs[0].stale = true;
  report.runs[0].old = {{MetricId::kMauve, "", ""}};
  report.runs[1].old = {{MetricId::kDetectability, "", ""}};
  report.runs[2].evaluated = false;
  const ReportState state = state_of(report);
  EXPECT_EQ(state.stale, List{"a"});
  EXPECT_EQ(state.partly, List{"b"});
  EXPECT_EQ(state.old_metrics, Names{"detectability"}) << "all of a is stale anyway";
  EXPECT_EQ(state.old.size(), 2U);
  EXPECT_EQ(state.unevaluated, List{"c"});
}

TEST(ReportState, NamesWhoIsBehindMetricsAndWhoIsNot) {
  query::Report report;
  report.runs = {run("a"), run("b")};
  EXPECT_FALSE(state_of(report).answered);
  report.runs[0].metrics[MetricId::kMauve].model = "lsa";
  report.runs[1].metrics[MetricId::kMauve].model = "bge";
  report.runs[0].metrics[MetricId::kTaskAccuracy].others = {"gpt4"};
  report.runs[1].unanswered = {{"choice", {"claude"}}};
  report.runs[1].metrics[MetricId::kSemanticDistance].reason = "no claim was rated";
  report.runs[1].metrics[MetricId::kInjectionSuspect].all.value = 0.25;
  report.runs[0].metrics[MetricId::kInjectionSuspect].all.value = 0;
  const ReportState state = state_of(report);
  EXPECT_TRUE(state.answered);
  EXPECT_EQ(state.other_models, (Names{"claude", "gpt4"}));
  EXPECT_EQ(state.unanswered.at("choice"), Names{"b"});
  EXPECT_EQ(state.embedders.at("mauve").at("bge"), Names{"b"});
  EXPECT_EQ(state.unmeasured.at("no claim was rated"), Names{"semantic_distance"});
  ASSERT_EQ(state.suspects.size(), 1U);
  EXPECT_EQ(state.suspects[0].run, "b");
}

TEST(ReportState, CountsRecordsWithoutAClaimToRateForWhoKnowsAll) {
  query::Report report;
  report.runs = {run("a"), run("b")};
  for (ReportRun& one : report.runs) one.metrics[MetricId::kSemanticDistance].all.n = 6;
  report.runs[1].metrics[MetricId::kSemanticDistance].all.not_applicable = 4;
  EXPECT_FALSE(state_of(report).unjudged) << "he lacks some claims";
  report.spec.policy.kind = query::Policy::Kind::kAll;
  ASSERT_TRUE(state_of(report).unjudged);
  EXPECT_EQ(state_of(report).unjudged->records, 4);
  EXPECT_EQ(state_of(report).unjudged->of, 10);
}

// Texts that lead their judge are some; a judge that fails in the originals' too has nothing else to say.
TEST(ReportState, TellsAJudgeThatAlwaysSaysTheSameFromTextsThatLeadOne) {
  query::Report report;
  report.runs = {run("a"), run("none"), run("remove-all")};
  const auto set = [&](std::size_t i, MetricId id, double value) { report.runs[i].metrics[id].all.value = value; };
  set(0, MetricId::kInjectionSuspect, 1);
  set(1, MetricId::kInjectionSuspect, 0.5);
  EXPECT_FALSE(state_of(report).blind);
  set(1, MetricId::kInjectionSuspect, 1);
  EXPECT_TRUE(state_of(report).blind);
  EXPECT_FALSE(state_of(report).always) << "nobody knows what it said";
  for (const std::size_t i : {0, 1}) {
    set(i, MetricId::kLeakRate, 1);
    set(i, MetricId::kFullLeakRate, 0);
  }
  EXPECT_EQ(state_of(report).always, 2);
  set(0, MetricId::kLeakRate, 0);
  EXPECT_FALSE(state_of(report).always) << "2 here and 3 there";
  set(1, MetricId::kLeakRate, 0);
  EXPECT_EQ(state_of(report).always, 3);
  set(0, MetricId::kLeakRate, 0.5);
  EXPECT_FALSE(state_of(report).always);
  report.runs[0].metrics[MetricId::kLeakRate].all.failed = 1;
  EXPECT_EQ(state_of(report).always, 3) << "a lost text counts as leaked, and nobody rated it";
  report.runs.erase(report.runs.begin() + 1);
  EXPECT_FALSE(state_of(report).blind) << "without the originals it may be the texts";
}

TEST(ReportState, LeadsToTheRunThatLeaksMost) {
  query::Report report;
  report.runs = {run("a"), run("b"), run("none"), run("unseen")};
  report.runs[0].metrics[MetricId::kLeakRate].all.value = 0.2;
  report.runs[1].metrics[MetricId::kLeakRate].all.value = 0.4;
  report.runs[2].metrics[MetricId::kLeakRate].all.value = 1;
  report.runs[2].control = true;
  ASSERT_NE(leakiest(report), nullptr);
  EXPECT_EQ(leakiest(report)->run, "b");
  report.runs = {run("unseen")};
  EXPECT_EQ(leakiest(report), nullptr);
}

}  // namespace
}  // namespace residue::verbs
