#include "query/outside/outside_evaluation.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/files/control_of.h"
#include "ingest/files/remove.h"
#include "query/gates/gates.h"
#include "query/metric/outside_metrics.h"
#include "query/outside/anonymeter.h"
#include "query/outside/outside_store.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

constexpr std::size_t kPersons = 24;

class Outside : public QueryStore {
 protected:
  // 24 records of d, which a run "kept" repeats, and 24 people who were never in it.
  void SetUp() override {
    add_many(0, kPersons);
    std::vector<VariantRow> kept;
    for (std::size_t i = 0; i < kPersons; ++i) kept.push_back(variant(fmt::format("r{}", i), text_of(i)));
    add_run("kept", kept);
    add_outside(100, 100 + kPersons);
  }

  void add_outside(std::size_t begin, std::size_t end, bool with_claims = true) {
    std::vector<RecordRow> records;
    std::vector<ClaimsRow> facts;
    for (std::size_t i = begin; i < end; ++i) {
      records.push_back(record(fmt::format("r{}", i), text_of(i)));
      facts.push_back(claims(fmt::format("r{}", i), claims_of(i)));
    }
    add_to_outside(records);
    if (with_claims) add_outside_claims(facts);
  }
  static std::vector<std::string> claims_of(std::size_t i) {
    std::vector<std::string> texts;
    for (std::size_t j = 0; j < 5; ++j) texts.push_back(fmt::format("w{}x{} common{}", i, j, j));
    return texts;
  }
  void add_to_outside(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest::ingest_control(store(), "o", "d", source, ingest::testing::file());
  }
  void add_outside_claims(std::vector<ClaimsRow> rows, const std::string& set = "claims") {
    VectorSource<ClaimsRow> source(std::move(rows));
    ingest::ingest_claims(store(), "o", set, source, ingest::testing::file());
  }

  EvalCounts evaluate_with(bool membership, const std::string& judge = "rouge") {
    EvalOptions options;
    options.protocols = {parse_protocol("bm25/first:2")};
    options.judge = judge;
    if (membership) want_membership(store(), {{"d", std::nullopt}});
    return evaluate(store(), {{"d", std::nullopt}}, options);
  }

  std::optional<double> value_of(MetricId metric, const std::string& run) {
    const ReportRun report = report_run(run);
    const auto found = report.metrics.find(metric);
    return found == report.metrics.end() ? std::nullopt : found->second.all.value;
  }
  std::string reason_of(MetricId metric, const std::string& run) {
    const ReportRun report = report_run(run);
    const auto found = report.metrics.find(metric);
    return found == report.metrics.end() ? "none" : found->second.reason;
  }
  void expect_up_to_date() {
    expect_proven();
    const EvalCounts again = evaluate_with(false);
    EXPECT_EQ(again.current, again.evaluations);
    EXPECT_FALSE(report_run("kept").stale);
  }
};

// Two claims are known, so the text that has both is found, and of an outsider nothing but a common word.
TEST_F(Outside, TheAttackOnTheReleaseIsMadeOnPeopleWhoWereNeverInIt) {
  evaluate_with(false);
  const ResidualRisk most = residual_risk({kPersons, kPersons}, {0, kPersons});
  EXPECT_EQ(value_of(MetricId::kAnonymeterRisk, "none"), most.value);
  EXPECT_EQ(value_of(MetricId::kAnonymeterRisk, "kept"), most.value);
  EXPECT_EQ(value_of(MetricId::kAnonymeterRisk, "remove-all"), 0);
  EXPECT_EQ(value_of(MetricId::kFullLeakRateNetOutside, "kept"), 1);
  EXPECT_EQ(value_of(MetricId::kFullLeakRateNetOutside, "remove-all"), 0);
  const ReportRun kept = report_run("kept");
  EXPECT_EQ(kept.metrics.at(MetricId::kAnonymeterRisk).all.n, 2 * kPersons);
  const MetricValue net = kept.metrics.at(MetricId::kFullLeakRateNetOutside).all;
  ASSERT_TRUE(net.low);
  EXPECT_GT(*net.low, 0.7);
  // Half of each claim is a word that all have: of outsiders, too, everything is found alike.
  EXPECT_EQ(value_of(MetricId::kLeakRateNetOutside, "kept"), std::nullopt);
  EXPECT_EQ(reason_of(MetricId::kLeakRateNetOutside, "kept"), "the attack finds all that the controls have");
  expect_up_to_date();
}

TEST_F(Outside, MembersAreLookedForWhereThatIsAskedForAndAlwaysAmongSyntheticTexts) {
  std::vector<VariantRow> texts;
  for (std::size_t i = 0; i < kPersons; ++i) texts.push_back(variant(fmt::format("s{}", i), text_of(i)));
  add_run("made", texts, true);
  evaluate_with(false);
  EXPECT_EQ(value_of(MetricId::kMembershipAuc, "made"), 1);
  EXPECT_EQ(reason_of(MetricId::kMembershipTpr01, "made"), "too few controls: 24, and 1 % of fewer than 99 is nobody");
  EXPECT_EQ(reason_of(MetricId::kMembershipAuc, "kept"), "none");
  evaluate_with(true);
  EXPECT_EQ(value_of(MetricId::kMembershipAuc, "kept"), 1);
  EXPECT_EQ(value_of(MetricId::kMembershipAuc, "remove-all"), 0.5);
  add_outside(200, 204);
  EXPECT_TRUE(report_run("kept").stale);
  evaluate_with(false);
  EXPECT_FALSE(report_run("kept").stale) << "asked for once, it is kept up to date";
  EXPECT_EQ(report_run("kept").metrics.at(MetricId::kMembershipAuc).all.n, kPersons + kPersons + 4);
  expect_up_to_date();
}

TEST_F(Outside, EveryChangeOfAnInputIsSeen) {
  evaluate_with(true);
  expect_up_to_date();
  struct Change {
    const char* what;
    std::function<void()> make;
  };
  for (const Change& change :
       std::vector<Change>{{"a control more", [this] { add_outside(200, 201); }},
                           {"a control's text", [this] { add_to_outside({record("r100", text_of(300))}); }},
                           {"a control's claims", [this] { add_outside_claims({claims("r100", claims_of(300))}); }},
                           {"a person of controls",
                            [this] {
                              RecordRow one;
                              one.key = "r101";
                              one.person = "p";
                              RecordRow other;
                              other.key = "r102";
                              other.person = "p";
                              add_to_outside({one, other});
                            }},
                           {"a text of the run", [this] { add_run("kept", {variant("r3", text_of(102))}); }},
                           {"a failed text",
                            [this] {
                              VariantRow lost;
                              lost.key = "r4";
                              lost.error = "gone";
                              add_run("kept", {lost});
                            }},
                           {"a record more", [this] { add_many(50, 51); }},
                           {"a control that goes", [this] {
                              ingest::remove_dataset(store(), "o");
                              add_outside(400, 430);
                            }}}) {
    SCOPED_TRACE(change.what);
    change.make();
    EXPECT_TRUE(report_run("kept").stale);
    evaluate_with(true);
    expect_up_to_date();
  }
}

TEST_F(Outside, ARunWithoutAControlHasNoneOfTheseNumbers) {
  evaluate_with(true);
  ingest::remove_dataset(store(), "o");
  const ReportRun kept = report_run("kept");
  EXPECT_FALSE(kept.stale);
  EXPECT_FALSE(kept.metrics.contains(MetricId::kMembershipAuc));
  EXPECT_FALSE(kept.metrics.contains(MetricId::kAnonymeterRisk));
  expect_up_to_date();
}

TEST_F(Outside, ControlsWithoutSuchClaimsAreNotAttacked) {
  ingest::remove_dataset(store(), "o");
  add_outside(100, 100 + kPersons, false);
  evaluate_with(false);
  EXPECT_EQ(reason_of(MetricId::kAnonymeterRisk, "kept"),
            "the control o has no claims \"claims\": residue atomize o --set claims, or residue ingest claims o --set "
            "claims FILE");
  expect_up_to_date();
  add_outside(100, 100 + kPersons);
  evaluate_with(false);
  EXPECT_TRUE(value_of(MetricId::kAnonymeterRisk, "kept"));
  expect_up_to_date();
}

TEST_F(Outside, FewControlsSayNothing) {
  ingest::remove_dataset(store(), "o");
  add_outside(100, 110);
  evaluate_with(true);
  const std::string few = "too few persons: 24 in the release and 10 controls; 20 of each are needed";
  EXPECT_EQ(reason_of(MetricId::kAnonymeterRisk, "kept"), few);
  EXPECT_EQ(reason_of(MetricId::kMembershipAuc, "kept"), few);
  EXPECT_FALSE(value_of(MetricId::kMembershipAuc, "kept"));
  const auto results = check_gates(store(), {parse_gate("membership_auc > 0.9"), parse_gate("anonymeter_risk > 0.9")},
                                   {.dataset = "d",
                                    .runs = {"kept"},
                                    .protocols = {parse_protocol("bm25/first:2/claims")},
                                    .judge = "rouge",
                                    .min_coverage = {}});
  ASSERT_EQ(results.size(), 2U);
  for (const GateResult& one : results) {
    EXPECT_TRUE(one.failed);
    EXPECT_EQ(one.reason, "is not applicable: " + few);
  }
}

// Those who vote, those who compare words, and a sample of the members.
TEST_F(Outside, EveryAttackerIsMadeOnThem) {
  const ResidualRisk most = residual_risk({kPersons, kPersons}, {0, kPersons});
  for (const char* protocol : {"bm25-vote/first:2", "rouge-l/first:2", "rouge-l-recall/last:2"}) {
    SCOPED_TRACE(protocol);
    EvalOptions options;
    options.protocols = {parse_protocol(protocol)};
    options.judge = "rouge";
    evaluate(store(), {{"d", "none"}}, options);
    EXPECT_EQ(value_of(MetricId::kAnonymeterRisk, "none"), most.value);
  }
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:2")};
  options.judge = "rouge";
  options.sample = 21;
  evaluate(store(), {{"d", std::nullopt}}, options);
  EXPECT_EQ(report_run("kept").metrics.at(MetricId::kAnonymeterRisk).all.n, 21 + kPersons);
  expect_proven();
}

TEST_F(Outside, PlanCountsWhatIsAskedAtMost) {
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:2")};
  options.judge = "rouge";
  const EvalPlan before = plan(store(), {{"d", "kept"}}, options);
  evaluate(store(), {{"d", "kept"}}, options);
  const EvalPlan after = plan(store(), {{"d", "kept"}}, options);
  EXPECT_EQ(after.counts.rated, 0U);
  EXPECT_EQ(after.counts.links, 0U);
  add_outside(200, 202);
  const EvalPlan more = plan(store(), {{"d", "kept"}}, options);
  EXPECT_EQ(more.counts.rated, (kPersons + 2) * 3);
  EXPECT_EQ(more.counts.links, kPersons + 2);
  EXPECT_FALSE(more.exact);
  EXPECT_GT(before.counts.rated, more.counts.rated);
}

}  // namespace
}  // namespace residue::query::testing
