#include "query/gates/gates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/metric/contribution.h"
#include "query/report/report.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

TEST(Gate, IsReadWithItsParts) {
  const Gate gate = parse_gate("semantic_distance.right.low <= 0.25");
  EXPECT_EQ(gate.metric, MetricId::kSemanticDistance);
  EXPECT_EQ(gate.slice, "right");
  EXPECT_EQ(gate.field, "low");
  EXPECT_EQ(gate.op, "<=");
  EXPECT_EQ(gate.limit, 0.25);
  EXPECT_EQ(parse_gate("linkage_rate>1e-3").limit, 1e-3);
  EXPECT_EQ(parse_gate("leak_rate.if_private == 0").field, "if_private");
}

TEST(Gate, ReadsPartsOfAnyNameInQuotes) {
  struct Case {
    const char* text;
    const char* part;
    const char* field;
  };
  for (const Case& one :
       {Case{R"(privacy_error."low" > 0)", "low", "value"}, Case{R"(privacy_error."low".low > 0)", "low", "low"},
        Case{R"(privacy_error. "a <b> = c" .n > 0)", "a <b> = c", "n"},
        Case{R"(privacy_error."5"" pipe">0)", "5\" pipe", "value"},
        Case{R"(delta(privacy_error."x), none) < 1", r).p > 0)", "x), none) < 1", "p"},
        Case{R"(leak_by_category.5" pipe > 0)", "5\" pipe", "value"},
        Case{R"(privacy_error.right > 0)", "right", "value"}}) {
    SCOPED_TRACE(one.text);
    const Gate gate = parse_gate(one.text);
    EXPECT_EQ(gate.slice, one.part);
    EXPECT_EQ(gate.field, one.field);
    EXPECT_EQ(gate.text, one.text);
    EXPECT_EQ(gate.limit, 0);
  }
  EXPECT_EQ(parse_gate(R"(delta(privacy_error."right", r) > 0)").baseline, "r");
}

TEST(Gate, QuotesTheNamesThatNeedIt) {
  EXPECT_EQ(gate_part("Medical history"), "Medical history");
  for (const char* name : {"low", "missing", "p", "a<b", " x", "a.low", "5\" pipe", "f(x)", "a, b"}) {
    SCOPED_TRACE(name);
    EXPECT_NE(gate_part(name), name);
    EXPECT_EQ(parse_gate("privacy_error." + gate_part(name) + " > 0").slice, name);
  }
}

TEST(Gate, AsksOfANetWhatANetCanBe) {
  EXPECT_EQ(parse_gate("leak_rate_net < -4.5").limit, -4.5);  // it is not cut off below
  EXPECT_EQ(parse_gate("delta(leak_rate_net, r) > 3").limit, 3);
  EXPECT_THROW(parse_gate("leak_rate_net > 1.5"), Error);
  EXPECT_THROW(parse_gate("leak_rate_gain < -0.5"), Error);
  EXPECT_FALSE(std::signbit(parse_gate("leak_rate_net >= -0").limit));
}

TEST(Gate, KnowsStatisticsOverRecords) {
  EXPECT_EQ(parse_gate("embedding_cosine.median < 0.5").slice, "median");
  EXPECT_EQ(parse_gate("topic_distance.std > 0.5").slice, "std");
  EXPECT_THROW(parse_gate("embedding_cosine.std > 0.5"), Error);
  EXPECT_THROW(parse_gate("topic_distance.median > 0.5"), Error);
  EXPECT_EQ(parse_gate("delta(embedding_cosine.median, r) < 0").slice, "median");
}

TEST(Gate, ReadsDeltasWithTheirRun) {
  const Gate gate = parse_gate("delta(semantic_distance, v1) < -0.02");
  EXPECT_EQ(gate.metric, MetricId::kSemanticDistance);
  EXPECT_EQ(gate.baseline, "v1");
  EXPECT_EQ(gate.field, "value");
  EXPECT_EQ(gate.op, "<");
  EXPECT_EQ(gate.limit, -0.02);
  EXPECT_EQ(parse_gate(" delta( leak_rate ,none ).high>=0").field, "high");
  EXPECT_EQ(parse_gate("delta(leak_rate, none).high > 0").baseline, "none");
  EXPECT_EQ(parse_gate("delta(worst_decile, none) > 0").metric, MetricId::kWorstDecile);
}

TEST(Gate, SaysWhatIsWrong) {
  for (const char* text : {"delta(leak_rate, v1",
                           "delta(leak_rate) > 0",
                           "delta(leak_rate, ) > 0",
                           "delta(leak_rate, v1).missing > 0",
                           "delta(leak_rate.right, v1) > 0",
                           "delta(worst_decile, v1).p > 0",
                           "delta(leak_rat, v1) > 0",
                           "delta(category_preservation, v1) < 0",
                           "delta(leak_rate, v1) 3 > 0",
                           "leak_rate = 0.5",
                           "leak_rate =< 0.5",
                           "leak_rate.low.low > 0",
                           "leak_rate. > 0",
                           "",
                           "semantic_distance",
                           "semantic_distance < x",
                           "semantik_distance < 0.5",
                           "linkage_rate.right < 1",
                           "semantic_distance.middle < 1",
                           "distance_histogram < 1",
                           "privacy_error.\"low > 0",
                           "privacy_error.\"\" > 0",
                           "linkage_rate.\"right\" < 1",
                           "delta(leak_rate.\"right\", v1) > 0",
                           "semantic_distance < nan",
                           "< 3"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse_gate(text), Error);
  }
  try {
    parse_gate("semantik_distance < 0.5");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("semantic_distance"), std::string::npos);
  }
}

// A gate that can never fail, or always does, is mistyped.
TEST(Gate, RefusesANumberThatTheMetricCannotHave) {
  for (const char* text :
       {"leak_rate > 83", "leak_rate < -0.1", "full_leak_rate.high > 5", "coherence < 6", "leak_rate.coverage < 50",
        "delta(leak_rate, v1) > 1.5", "delta(leak_rate, v1).p < 5", "leak_rate.n < -1", "excess_leakage < -2"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse_gate(text), Error);
  }
  for (const char* text : {"leak_rate > 1", "leak_rate < 0", "coherence < 5", "leak_rate.n < 1000",
                           "excess_leakage < -1", "delta(leak_rate, v1) > -1", "delta(coherence, v1) < -3.5",
                           "copied_run.max > 6", "category_preservation < -7", "leak_rate.coverage < 1"}) {
    SCOPED_TRACE(text);
    EXPECT_NO_THROW(parse_gate(text));
  }
  try {
    parse_gate("leak_rate > 83");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("83 % is 0.83"), std::string::npos) << error.what();
  }
}

// A mean of 1/3, 1/3 and 5/6, each rounded to 2^-32, is no 0.5.
TEST(Gate, HoldsAsFarAsValuesAreKnown) {
  const double mean = static_cast<double>(2 * fixed(1, 3) + fixed(5, 6)) / 3 / static_cast<double>(kOne);
  ASSERT_LT(mean, 0.5);
  const auto held = [](const std::string& text, double value) { return holds(parse_gate(text), value); };
  for (const double value : {mean, 0.5, 1 - mean}) {
    for (const char* text : {"mrr < 0.5", "mrr > 0.5", "mrr != 0.5", "mrr.low < 0.5"}) EXPECT_FALSE(held(text, value));
    for (const char* text : {"mrr <= 0.5", "mrr >= 0.5", "mrr == 0.5"}) EXPECT_TRUE(held(text, value));
  }
  for (const double value : {0.5 - 1e-9, 0.5 + 1e-9}) {
    EXPECT_EQ(held("mrr < 0.5", value), value < 0.5);
    EXPECT_EQ(held("mrr <= 0.5", value), value < 0.5);
    EXPECT_EQ(held("mrr > 0.5", value), value > 0.5);
    EXPECT_EQ(held("mrr >= 0.5", value), value > 0.5);
    EXPECT_FALSE(held("mrr == 0.5", value));
    EXPECT_TRUE(held("mrr != 0.5", value));
  }
  EXPECT_FALSE(held("delta(mrr, v1) != 0", mean - 0.5));
  EXPECT_TRUE(held("delta(mrr, v1).p < 1e-10", 9e-11));
  EXPECT_FALSE(held("delta(mrr, v1).p == 0", 9e-11));
}

class GatesTest : public testing::SmallStoreTest {
 protected:
  std::vector<GateResult> hold(const char* gate, std::vector<std::string> runs = {"r"}, bool drop = false) {
    GateInput input;
    input.dataset = "d";
    input.runs = std::move(runs);
    input.protocols = parse_protocols("bm25/first:1/claims");
    input.judge = "lexical";
    input.drop_missing = drop;
    input.min_coverage.all = least_;
    return check_gates(store(), {parse_gate(gate)}, input);
  }
  double least_ = 0;
};

// Audit A1: of two records one failed. A number of half of the records passes no gate unasked.
TEST_F(GatesTest, FailWhereTooFewRecordsStandBehindTheNumber) {
  least_ = MinCoverage{}.all;
  const GateResult half = hold("semantic_distance < 0").at(0);
  EXPECT_TRUE(half.failed);
  EXPECT_TRUE(half.uncovered);
  EXPECT_EQ(half.coverage, 0.5);
  EXPECT_EQ(half.reason, "is of 50 % of the records: a gate needs 90 %, or --min-coverage semantic_distance=SHARE");
  EXPECT_TRUE(hold("semantic_distance < 0", {"r"}, true).at(0).failed) << "--missing drop does not cover more";
  EXPECT_TRUE(hold("semantic_distance.high < 0").at(0).failed);
  EXPECT_TRUE(hold("delta(semantic_distance, none) < -0.02").at(0).uncovered);
  EXPECT_FALSE(hold("semantic_distance.failed > 1").at(0).failed) << "counts are what they are";
  EXPECT_TRUE(hold("semantic_distance.coverage < 0.6").at(0).failed);
  EXPECT_EQ(hold("semantic_distance.coverage < 0.4").at(0).value, 0.5);
  least_ = 0.5;
  EXPECT_FALSE(hold("semantic_distance < 0").at(0).failed);
}

TEST(MinCoverageOption, IsForAllMetricsOrForOne) {
  const MinCoverage least = parse_min_coverage({"0.5", "linkage_rate=0.25"});
  EXPECT_EQ(least.of(MetricId::kLeakRate), 0.5);
  EXPECT_EQ(least.of(MetricId::kLinkageRate), 0.25);
  EXPECT_EQ(parse_min_coverage({}).of(MetricId::kLeakRate), 0.9);
  for (const char* bad : {"", "2", "-1", "x", "linkage_rat=0.5", "linkage_rate=", "50%"}) {
    EXPECT_THROW(parse_min_coverage({bad}), Error) << bad;
  }
}

TEST_F(GatesTest, AreHeldAgainstTheNumbersOfTheReading) {
  // a gives its claim away, b failed: distance 0 either way; b alone is missing from the count.
  const GateResult leaked = hold("semantic_distance < 0.5").at(0);
  EXPECT_EQ(leaked.value, 0.0);
  EXPECT_TRUE(leaked.failed);
  EXPECT_EQ(leaked.reason, "0 < 0.5");
  EXPECT_FALSE(hold("semantic_distance < 0").at(0).failed);
  EXPECT_EQ(hold("semantic_distance.failed > 0").at(0).value, 1.0);
  EXPECT_EQ(hold("semantic_distance.n < 1").at(0).value, 1.0);
  EXPECT_EQ(hold("semantic_distance.if_private < 0.1").at(0).value, 0.5);
  EXPECT_EQ(hold("rouge1_f.if_private < 0", {"none"}).at(0).value, 1.0);
}

TEST_F(GatesTest, OfDeltasAreThePairedDifferences) {
  // The original texts give everything away under this attacker, too.
  const GateResult same = hold("delta(semantic_distance, none) < -0.02").at(0);
  EXPECT_EQ(same.value, 0.0);
  EXPECT_FALSE(same.failed);
  const GateResult all = hold("delta(semantic_distance, remove-all) < -0.02").at(0);
  EXPECT_EQ(all.value, -1.0);
  EXPECT_TRUE(all.failed);
  EXPECT_EQ(hold("delta(semantic_distance, remove-all).n < 1").at(0).value, 2.0);
  EXPECT_EQ(hold("delta(semantic_distance, remove-all).n < 1", {"r"}, true).at(0).value, 1.0);
  EXPECT_EQ(hold("delta(semantic_distance, remove-all).p < 0.1").at(0).value, 0.5);  // two records, both worse
  EXPECT_EQ(hold("delta(worst_decile, remove-all) < 0").at(0).value, -1.0);
  // Two records say little of anybody else.
  EXPECT_GT(hold("delta(worst_decile, remove-all).high < 0").at(0).value, -0.2);
}

// Nothing of these is paired: their deltas are those of the values.
TEST_F(GatesTest, HoldRisksOfAllAttackedRecords) {
  EXPECT_TRUE(hold("mean_risk > 0.09").at(0).failed);
  EXPECT_EQ(hold("max_risk > 1").at(0).value, 1.0);
  EXPECT_EQ(hold("anonymity_rank.chance > 9").at(0).value, 1.0);  // b failed: of one candidate
  const GateResult few = hold("open_recall_95 > 1").at(0);
  EXPECT_TRUE(few.failed);
  EXPECT_EQ(few.reason.find("is not applicable: too few persons"), 0U) << few.reason;
  EXPECT_EQ(hold("delta(anonymity_rank, remove-all) > 0").at(0).value, -0.5);
  EXPECT_EQ(hold("delta(max_risk, remove-all) > 1").at(0).value, 1.0);
  EXPECT_GT(hold("delta(rank_bits, remove-all) > 2", {"none"}).at(0).value, 0.0);
  EXPECT_TRUE(hold("delta(open_recall_95, none) > 1").at(0).failed);
  EXPECT_THROW(hold("delta(max_risk, none).p < 0.1"), Error);
  EXPECT_THROW(hold("delta(rank_bits, none).high > 1"), Error);
}

// What a report shows of several seeds is what gates are held against.
TEST_F(GatesTest, SeeOverSeedsWhatReportsShow) {
  constexpr std::uint32_t kSeeds = 6;
  evaluate("bm25/random:1", kSeeds);
  ReportOptions options;
  options.dataset = "d";
  const Report report = load_report(store(), options);
  ASSERT_EQ(report.seeds, kSeeds);
  GateInput input;
  input.dataset = "d";
  input.runs = {"r"};
  input.protocols = {report.spec};
  input.seeds = kSeeds;
  input.judge = "lexical";
  const auto gated = [&](const std::string& value) {
    return check_gates(store(), {parse_gate(value + " > 1")}, input).at(0).value;
  };
  const auto agree = [&](const std::string& name, const MetricValue& value) {
    SCOPED_TRACE(name);
    EXPECT_EQ(gated(name), value.value);
    EXPECT_EQ(gated(name + ".low"), value.low);
    EXPECT_EQ(gated(name + ".if_private"), value.if_private);
    EXPECT_EQ(gated(name + ".n"), value.n);
    EXPECT_EQ(gated(name + ".failed"), value.failed);
    EXPECT_EQ(gated(name + ".missing"), value.missing);
  };
  const auto& metrics = report.runs.at(0).metrics;
  const MetricValue& health = metrics.at(MetricId::kLeakByCategory).cuts.at("Health");
  EXPECT_TRUE(health.seeds) << "under every seed the attacker lacks the claim";
  agree("leak_by_category.Health", health);
  agree("semantic_distance", metrics.at(MetricId::kSemanticDistance).all);
  agree("semantic_distance.right", *metrics.at(MetricId::kSemanticDistance).right);
  agree("semantic_distance.not_linked", *metrics.at(MetricId::kSemanticDistance).not_linked);
}

TEST_F(GatesTest, LookAtNamedParts) {
  EXPECT_EQ(hold("leak_by_category.Health > 0.2").at(0).value, 1.0);
  EXPECT_EQ(hold("leak_by_category.Health.n < 1").at(0).value, 1.0);
  EXPECT_EQ(hold("leak_by_category.Health > 0.2", {"remove-all"}).at(0).value, 0.0);
  EXPECT_EQ(hold("delta(leak_by_category.Health, remove-all) > 0.2").at(0).value, 1.0);
  EXPECT_EQ(hold("delta(leak_by_category.Health, remove-all).n > 0").at(0).value, 1.0);
  // No such category; one that nobody's claim is about; and nothing known of labels, because there are none.
  try {
    hold("leak_by_category.Helth > 0.2");
    FAIL() << "a mistyped part passed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(std::string(error.what()).find("did you mean \"Health\"?"), std::string::npos) << error.what();
  }
  EXPECT_THROW(hold("delta(leak_by_category.Helth, remove-all) > 0.2"), Error);
  EXPECT_EQ(hold("leak_by_category.Pet > 0.2").at(0).reason, "was not computed");
  EXPECT_EQ(hold("privacy_error.PERSON > 0.2").at(0).reason, "was not computed");
  EXPECT_THROW(parse_gate("leak_by_category > 0.2"), Error);
  EXPECT_THROW(parse_gate("leak_by_category.high > 0.2"), Error);
}

TEST_F(GatesTest, KnowTheLexicalDistanceOfTheBaselineAttacker) {
  EXPECT_EQ(hold("lexical_distance <= 1").at(0).reason, "was not computed");
  evaluate("rouge-l/first:1");
  const GateResult own = hold("lexical_distance <= 1").at(0);
  ASSERT_TRUE(own.value) << own.reason;
  ReportOptions options;
  options.dataset = "d";
  options.protocols = "bm25/first:1";
  EXPECT_EQ(own.value, load_report(store(), options).runs.front().metrics.at(MetricId::kLexicalDistance).all.value);
  EXPECT_EQ(own.protocol, "bm25/first:1/claims");
  const GateResult delta = hold("delta(lexical_distance, remove-all) < -1").at(0);
  ASSERT_TRUE(delta.value) << delta.reason;
  EXPECT_DOUBLE_EQ(*delta.value, *own.value - 1);
}

TEST_F(GatesTest, FailWhereThereIsNoNumber) {
  EXPECT_EQ(hold("delta(leak_rate, r) > 0").at(0).reason, "was not computed");  // held against nothing
  EXPECT_THROW(hold("delta(leak_rate, rr) > 0"), Error);
  const GateResult answers = hold("attribute_advantage > 0").at(0);  // no model was asked
  EXPECT_EQ(answers.reason, "was not computed: nobody's answers about the run have it");
  EXPECT_EQ(answers.protocol + answers.judge, "");
  EXPECT_EQ(hold("attribute_advantage > 0", {"r", "remove-all"}).size(), 2U);
  EXPECT_EQ(hold("open_recall_95.precision < 0.5").at(0).reason, hold("open_recall_95 > 0.5").at(0).reason);
  EXPECT_TRUE(hold("injection_suspect > 1").at(0).failed);  // applies to no record of a judge that cannot be led
  edit_run("Something else.");
  const GateResult stale = hold("semantic_distance < 0").at(0);
  EXPECT_TRUE(stale.failed);
  EXPECT_FALSE(stale.value);
  EXPECT_EQ(stale.reason.find("is stale: the run has changed"), 0U) << stale.reason;
  EXPECT_TRUE(hold("delta(semantic_distance, none) < -1").at(0).failed);
}

}  // namespace
}  // namespace residue::query
