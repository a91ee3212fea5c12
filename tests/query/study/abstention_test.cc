#include "query/study/abstention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

std::vector<double> curve(const std::vector<Certainty>& records, std::uint64_t lost = 0) {
  std::vector<double> values;
  for (const auto& point : abstention_curve(records, lost)) values.push_back(point ? point->value : -1);
  return values;
}

TEST(AbstentionCurve, NamesTheSurestFirst) {
  // Ten records: right at margins 10, 8, 6, wrong at the others.
  std::vector<Certainty> records;
  for (int margin = 10; margin > 0; --margin)
    records.push_back({static_cast<double>(margin), margin >= 6 && margin % 2 == 0});
  const std::vector<double> expected = {1, 1.0 / 2, 2.0 / 3, 2.0 / 4, 3.0 / 5, 3.0 / 6, 3.0 / 7, 3.0 / 8, 3.0 / 9, 0.3};
  EXPECT_EQ(curve(records), expected);
  std::reverse(records.begin(), records.end());
  EXPECT_EQ(curve(records), expected);
}

TEST(AbstentionCurve, TakesEqualMarginsTogether) {
  // Four records of margin 0, one of them right: any tenth of them is right in one of four.
  EXPECT_EQ(curve({{0, false}, {0, true}, {0, false}, {0, false}}), std::vector<double>(10, 0.25));
  // One sure and right, three in doubt of which one is right: 1, then (1 + 1/3)/2, (1 + 2/3)/3, 2/4.
  const auto mixed = curve({{0, false}, {5, true}, {0, true}, {0, false}});
  EXPECT_DOUBLE_EQ(mixed[1], 1);
  EXPECT_DOUBLE_EQ(mixed[2], (1 + 1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(mixed[6], (1 + 2.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(mixed[9], 0.5);
}

TEST(AbstentionCurve, CountsLostRecordsAsFoundFirst) {
  EXPECT_EQ(curve({{1, false}}, 1), (std::vector<double>{1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(curve({}), std::vector<double>(10, -1));
}

class AbstentionTable : public QueryStore {
 protected:
  Abstention load(const std::string& protocol, std::optional<std::uint32_t> seeds = {}) {
    return load_abstention(store(), {"d", protocol, std::nullopt, seeds, MissingPolicy::kLeaked});
  }
};

TEST_F(AbstentionTable, EndsAtTheLinkageRate) {
  add_many(0, 30);
  std::vector<VariantRow> variants;
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string text = i % 3 == 0 ? text_of((i + 1) % 30) : i % 3 == 1 ? "common0 common1" : text_of(i);
    if (i % 7 != 0) variants.push_back(variant(fmt::format("r{}", i), text));
  }
  add_run("r", variants);
  add_run("t", variants);
  add_run("s", {variant("x", text_of(1))}, true);
  for (const char* protocol : {"bm25/first:2", "rouge-l/first:2", "bm25[runs=r+t]/first:2"}) {
    SCOPED_TRACE(protocol);
    evaluate_all({protocol}, "lexical", 0, "r");
    const Abstention found = load(protocol);
    const auto line =
        std::find_if(found.runs.begin(), found.runs.end(), [](const auto& one) { return one.run == "r"; });
    ASSERT_NE(line, found.runs.end());
    ReportOptions options;
    options.protocols = protocol;
    const MetricValue rate = report_run("r", options).metrics.at(MetricId::kLinkageRate).all;
    ASSERT_EQ(line->precision.size(), kCoverages);
    EXPECT_NEAR(line->precision.back()->value, *rate.value, 1e-12);
    EXPECT_NEAR(*line->precision.back()->low, *rate.low, 1e-12) << "Wilson's interval, as the rate's";
    EXPECT_NEAR(*line->precision.back()->high, *rate.high, 1e-12);
    EXPECT_EQ(line->precision.back()->deviation, std::nullopt);
    EXPECT_EQ(static_cast<std::int64_t>(line->failed), rate.failed);
    EXPECT_GE(line->precision.front()->value, *rate.value) << "failed records are named first";
    for (const auto& one : found.runs) EXPECT_NE(one.run, "s");
  }
  EXPECT_THROW(load("random/first:2"), Error);
  add_run("r", {variant("r1", "another text")});
  const Abstention stale = load("bm25/first:2");
  const auto changed =
      std::find_if(stale.runs.begin(), stale.runs.end(), [](const auto& one) { return one.run == "r"; });
  ASSERT_NE(changed, stale.runs.end());
  EXPECT_EQ(changed->reason, "the run has changed, or its evaluation was interrupted");
}

// At the last coverage the curve is the linkage rate: its mean, deviation and interval ends over seeds too.
TEST_F(AbstentionTable, IsTheMeanOverSeeds) {
  add_many(0, 30);
  std::vector<VariantRow> variants;
  for (std::size_t i = 0; i < 30; ++i) {  // every other one is found by two of its five claims only
    const std::string part = fmt::format("w{0}x0 common0 w{0}x1 common1", i);
    variants.push_back(variant(fmt::format("r{}", i), i % 2 == 0 ? part : text_of(i)));
  }
  add_run("r", variants);
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/random:1")};
  options.seeds = 3;
  evaluate(store(), {{"d", "r"}}, options);
  ReportOptions looked;
  looked.protocols = "bm25/random:1";
  const MetricValue rate = report_run("r", looked).metrics.at(MetricId::kLinkageRate).all;
  const Abstention found = load("bm25/random:1");
  EXPECT_EQ(found.seeds, 3U);
  const Precision last = *found.runs.front().precision.back();
  EXPECT_NEAR(last.value, *rate.value, 1e-12);
  EXPECT_NEAR(*last.low, *rate.low, 1e-12);
  EXPECT_NEAR(*last.high, *rate.high, 1e-12);
  EXPECT_NEAR(*last.deviation, *rate.deviation, 1e-12);
  EXPECT_GT(*last.deviation, 0);
  EXPECT_EQ(load("bm25/random:1", 1).runs.front().precision.back()->deviation, std::nullopt);
  EXPECT_THROW(load("bm25/random:1", 9), Error);
}

// Two records of one person are not independent: Wilson's interval would be too narrow.
TEST_F(AbstentionTable, HasNoIntervalOfRecordsOfOnePerson) {
  auto one = record("a", "zebra quokka"), other = record("b", "red apple");
  one.person = other.person = "p";
  add_records({one, other});
  add_claims({claims("a", {"zebra quokka", "x"}), claims("b", {"red apple", "y"})});
  add_run("r", {variant("a", "zebra quokka"), variant("b", "red apple")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  const Abstention found = load("bm25/first:1");
  EXPECT_FALSE(found.independent);
  EXPECT_EQ(found.runs.front().precision.back()->value, 1);
  EXPECT_EQ(found.runs.front().precision.back()->low, std::nullopt);
}

TEST(AbstentionCurve, HasWilsonsInterval) {
  // Two of the surest five, by the formula: 0.4 of 5.
  const auto curve =
      abstention_curve(std::vector<Certainty>{{9, true}, {8, true}, {7, false}, {6, false}, {5, false}}, 0);
  EXPECT_NEAR(*curve[9]->low, 0.117621, 1e-6);
  EXPECT_NEAR(*curve[9]->high, 0.769276, 1e-6);
  EXPECT_EQ(curve[0]->value, 1);
  EXPECT_EQ(curve[0]->high, 1);
}

// a shares two words with its own text and none with the others; b and c share two with each other's and one with
// theirs.
TEST_F(AbstentionTable, TakesTheMarginOverTheSecondBest) {
  add_records({record("a", "zebra quokka"), record("b", "red apple"), record("c", "green apple")});
  add_claims({claims("a", {"zebra quokka", "x"}), claims("b", {"red apple", "y"}), claims("c", {"green apple", "z"})});
  add_run("r", {variant("a", "zebra quokka"), variant("b", "green apple"), variant("c", "red apple")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  const Abstention found = load("bm25/first:1");
  ASSERT_EQ(found.runs.front().run, "r");
  std::vector<double> curve;
  for (const auto& point : found.runs.front().precision) curve.push_back(point->value);
  EXPECT_EQ(curve, (std::vector<double>{1, 1, 1, 0.5, 0.5, 0.5, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}));
}

}  // namespace
}  // namespace residue::query::testing
