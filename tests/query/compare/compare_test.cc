#include "query/compare/compare.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/compare/frontier.h"
#include "tests/query/store_fixture.h"

namespace residue::query {
namespace {

using ingest::VariantRow;
using ingest::testing::claims;
using ingest::testing::variant;
using testing::QueryStore;

class CompareTest : public QueryStore {
 protected:
  static constexpr std::size_t kRecords = 24;

  // "open": the originals. "cut": every other record keeps its first ten words only; r3 failed.
  CompareTest() {
    add_many(0, kRecords);
    std::vector<VariantRow> open;
    std::vector<VariantRow> cut;
    for (std::size_t i = 0; i < kRecords; ++i) {
      const std::string key = fmt::format("r{}", i);
      open.push_back(variant(key, text_of(i)));
      VariantRow row = variant(key, i % 2 == 0 ? text_of(i) : text_of(i).substr(0, text_of(i).find(" common2")));
      if (i == 3) {
        row.text.reset();
        row.error = "refused";
      }
      cut.push_back(row);
    }
    add_run("open", open);
    add_run("cut", cut);
    evaluate_all();
  }

  static CompareOptions options(std::vector<std::string> runs) {
    CompareOptions options;
    options.runs.dataset = "d";
    options.runs.runs = std::move(runs);
    options.flips = 0;
    return options;
  }
  Compared compare(const CompareOptions& options) { return compare_runs(store(), options); }

  std::optional<double> reported(const std::string& run, MetricId metric, MissingPolicy missing) {
    ReportOptions options;
    options.dataset = "d";
    options.missing = missing;
    for (const ReportRun& one : load_report(store(), options).runs) {
      if (one.run == run) return one.metrics.at(metric).all.value;
    }
    return std::nullopt;
  }
  std::string refusal(const CompareOptions& options) {
    try {
      compare(options);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.hint();
    }
    return "accepted";
  }
};

TEST_F(CompareTest, ValuesAreThoseOfTheReportWhereAllRecordsAreCommon) {
  const Compared compared = compare(options({"open", "cut"}));
  ASSERT_EQ(compared.runs.size(), 1U);
  EXPECT_EQ(compared.runs[0].metrics.size(), default_metrics().size());
  for (const MetricDelta& metric : compared.runs[0].metrics) {
    SCOPED_TRACE(definition(metric.metric).name);
    EXPECT_EQ(metric.records, kRecords);
    EXPECT_NEAR(*metric.delta.a, *reported("open", metric.metric, MissingPolicy::kLeaked), 1e-12);
    EXPECT_NEAR(*metric.delta.b, *reported("cut", metric.metric, MissingPolicy::kLeaked), 1e-12);
    EXPECT_NEAR(*metric.delta.difference, *metric.delta.b - *metric.delta.a, 1e-12);
    if (definition(metric.metric).kind == Kind::kWorst) {
      EXPECT_FALSE(metric.test);
      EXPECT_LE(metric.delta.interval->low, metric.delta.interval->high);
      continue;
    }
    EXPECT_GE(*metric.corrected_p, metric.test->p);
  }
}

// Ranks, risks and recalls of all attacked records together: nothing of them is paired.
TEST_F(CompareTest, ComparesWholeAttacksByTheirValues) {
  CompareOptions wanted = options({"open", "cut"});
  wanted.metrics = {"max_risk", "anonymity_rank", "rank_bits", "open_recall_90", "open_recall_99", "mean_risk"};
  const Compared compared = compare(wanted);
  ASSERT_EQ(compared.runs[0].metrics.size(), 6U);
  EXPECT_EQ(compared.runs[0].metrics[0].metric, MetricId::kMeanRisk);
  EXPECT_TRUE(compared.runs[0].metrics[0].test);
  for (std::size_t i = 1; i < 6; ++i) {
    const MetricDelta& metric = compared.runs[0].metrics[i];
    SCOPED_TRACE(definition(metric.metric).name);
    EXPECT_TRUE(metric.whole);
    EXPECT_FALSE(metric.test || metric.delta.interval);
    EXPECT_EQ(metric.delta.a, reported("open", metric.metric, MissingPolicy::kLeaked));
    EXPECT_EQ(metric.delta.b, reported("cut", metric.metric, MissingPolicy::kLeaked));
    EXPECT_EQ(metric.delta.difference.has_value(), metric.metric != MetricId::kOpenRecall99);
    if (metric.delta.difference) {
      EXPECT_NEAR(*metric.delta.difference, *metric.delta.b - *metric.delta.a, 1e-9);
    }
    if (metric.metric == MetricId::kOpenRecall99) continue;  // of no record: there are too few
    EXPECT_EQ(metric.lost.failed, 1U);
    EXPECT_EQ(metric.records, kRecords);
  }
  EXPECT_LT(*compared.runs[0].metrics[3].delta.difference, 0.0);  // rank_bits
  EXPECT_EQ(compared.runs[0].metrics[1].delta.difference, 0.0);   // max_risk: 1 on both sides
}

TEST_F(CompareTest, FailedRecordsCountAsLeakedOrAreLeftOut) {
  CompareOptions wanted = options({"open", "cut"});
  wanted.metrics = {"semantic_distance"};
  const MetricDelta leaked = compare(wanted).runs[0].metrics[0];
  EXPECT_EQ(leaked.lost.failed, 1U);
  EXPECT_EQ(leaked.lost_baseline.failed, 0U);
  wanted.missing = MissingPolicy::kDrop;
  const MetricDelta dropped = compare(wanted).runs[0].metrics[0];
  EXPECT_EQ(dropped.records, kRecords - 1);
  EXPECT_EQ(dropped.left_out, 1U);
  EXPECT_NEAR(*dropped.delta.b, *reported("cut", MetricId::kSemanticDistance, MissingPolicy::kDrop), 1e-12);
  // r3 is left out of the baseline too, where it has a value.
  EXPECT_GT(*dropped.delta.difference, *leaked.delta.difference);
}

TEST_F(CompareTest, FlipsAddUpToTheChangeOfLeaks) {
  const Compared compared = compare(options({"open", "cut"}));
  const Flips& flips = *compared.runs[0].flips;
  EXPECT_EQ(flips.flips.size(), flips.became_leaked + flips.became_private);
  EXPECT_GT(flips.became_private, 0U);
  const auto leaks = [&](const char* run) {
    LeakOptions wanted;
    wanted.dataset = "d";
    wanted.run = run;
    std::int64_t count = 0;
    for (const Leak& leak : load_leaks(store(), wanted).leaks) count += leak.record != "r3";
    return count;
  };
  EXPECT_EQ(static_cast<std::int64_t>(flips.became_leaked) - static_cast<std::int64_t>(flips.became_private),
            leaks("cut") - leaks("open"));
  for (const Flip& flip : flips.flips) EXPECT_NE(flip.record, "r3");
}

TEST_F(CompareTest, ExchangingTheSidesTurnsTheSigns) {
  const auto there = compare(options({"open", "cut"})).runs[0];
  const auto back = compare(options({"cut", "open"})).runs[0];
  for (std::size_t i = 0; i < there.metrics.size(); ++i) {
    SCOPED_TRACE(definition(there.metrics[i].metric).name);
    EXPECT_NEAR(*there.metrics[i].delta.difference, -*back.metrics[i].delta.difference, 1e-15);
    EXPECT_NEAR(there.metrics[i].delta.interval->low, -back.metrics[i].delta.interval->high, 1e-12);
    if (there.metrics[i].test) {
      EXPECT_DOUBLE_EQ(there.metrics[i].test->p, back.metrics[i].test->p);
    }
  }
  EXPECT_EQ(there.flips->became_leaked, back.flips->became_private);
}

TEST_F(CompareTest, DoesNotDependOnThreads) {
  CompareOptions wanted = options({"open", "cut", "none"});
  const auto alone = compare(wanted);
  wanted.threads = 4;
  const auto many = compare(wanted);
  for (std::size_t run = 0; run < many.runs.size(); ++run) {
    for (std::size_t i = 0; i < many.runs[run].metrics.size(); ++i) {
      const MetricDelta& x = many.runs[run].metrics[i];
      const MetricDelta& y = alone.runs[run].metrics[i];
      EXPECT_EQ(x.delta.difference, y.delta.difference);
      EXPECT_EQ(x.delta.interval->low, y.delta.interval->low);
      if (x.test) {
        EXPECT_EQ(x.test->p, y.test->p);
      }
      EXPECT_EQ(x.corrected_p, y.corrected_p);
    }
  }
}

TEST_F(CompareTest, SeedsAddUp) {
  evaluate_all({"bm25/random:2", "bm25/random:2@43"});
  CompareOptions wanted = options({"open", "cut"});
  wanted.metrics = {"semantic_distance"};
  wanted.runs.protocol = "bm25/random:2";
  wanted.runs.seeds = 2;
  const Compared compared = compare(wanted);
  EXPECT_EQ(compared.what.seeds, 2U);
  ReportOptions report;
  report.dataset = "d";
  report.protocols = "bm25/random:2";
  report.seeds = 2;
  for (const ReportRun& run : load_report(store(), report).runs) {
    if (run.run != "cut") continue;
    EXPECT_NEAR(*compared.runs[0].metrics[0].delta.b, *run.metrics.at(MetricId::kSemanticDistance).all.value, 1e-12);
  }
  wanted.runs.seeds = 3;
  EXPECT_NE(refusal(wanted).find("bm25/random:2@44"), std::string::npos) << refusal(wanted);
}

TEST_F(CompareTest, RefusesWhatWasEvaluatedOtherwiseAndSaysWhy) {
  add_run("late", {variant("r0", "w0x0 common0"), variant("r1", "w1x1 common1")});
  CompareOptions wanted = options({"open", "late"});
  EXPECT_NE(refusal(wanted).find("run d/late was not evaluated | residue eval d/late"), std::string::npos);

  wanted.runs.protocol = "bm25/first:2";
  evaluate_all({"bm25/last:2"}, "lexical", 0, "late");
  EXPECT_NE(refusal(wanted).find("under another attacker, bm25/last:2/claims"), std::string::npos) << refusal(wanted);

  add_claims({claims("r0", {"w0x0 common0", "w0x1 common1", "w0x2 common2"})}, "other");
  evaluate_all({"bm25/first:2/other"}, "lexical", 0, "late");
  wanted.runs.protocol = "bm25/first:2/claims";
  EXPECT_NE(refusal(wanted).find("on another claim set, other"), std::string::npos) << refusal(wanted);

  evaluate_all({"bm25/first:2/claims"}, "rouge", 0, "late");
  wanted.runs.judge = "lexical";
  EXPECT_NE(refusal(wanted).find("by another judge, rouge"), std::string::npos) << refusal(wanted);
  EXPECT_NE(refusal(wanted).find("residue eval d/late --protocol bm25/first:2/claims --judge lexical"),
            std::string::npos);

  evaluate_all({"bm25/first:2/claims"}, "lexical", 5, "late");
  wanted.runs.protocol = "bm25/first:2/claims";
  EXPECT_NE(refusal(wanted).find("run d/open was evaluated on all records, not on a sample"), std::string::npos)
      << refusal(wanted);

  evaluate_all({"bm25/first:2/claims"}, "lexical", 0, "late");
  evaluate_all({"bm25/first:2/claims"}, "lexical", 0, "open");
  EXPECT_EQ(refusal(wanted), "accepted");
}

TEST_F(CompareTest, TakesWhatIsCommonWhenAsked) {
  add_run("late", {variant("r0", text_of(0)), variant("r1", text_of(1))});
  evaluate_all({"bm25/first:2"}, "lexical", 6, "late");
  CompareOptions wanted = options({"open", "late"});
  EXPECT_NE(refusal(wanted), "accepted");
  wanted.runs.common = true;
  const Compared compared = compare(wanted);
  EXPECT_TRUE(compared.what.samples_differ);
  EXPECT_EQ(compared.what.lens.spec.name(), "bm25/first:2/claims");
  EXPECT_EQ(compared.runs[0].metrics[0].records, 6U);

  wanted.runs.runs = {"open", "cut", "late"};  // cut is compared on the six, too
  EXPECT_EQ(compare(wanted).runs[0].metrics[0].records, 6U);
}

TEST_F(CompareTest, RefusesWhatIsStaleOrNamedTwice) {
  EXPECT_NE(refusal(options({"open", "open"})).find("named twice"), std::string::npos);
  EXPECT_NE(refusal(options({"open"})).find("two runs are needed"), std::string::npos);
  CompareOptions unknown = options({"open", "cut"});
  unknown.metrics = {"semantic_distanc"};
  EXPECT_NE(refusal(unknown).find("did you mean \"semantic_distance\""), std::string::npos);
  unknown.metrics = {"distance_histogram"};
  EXPECT_NE(refusal(unknown).find("is not made of numbers of records"), std::string::npos);
  add_run("cut", {variant("r0", "something else")});
  const std::string stale = refusal(options({"open", "cut"}));
  EXPECT_NE(stale.find("numbers of d/cut are stale: the run has changed"), std::string::npos) << stale;
  EXPECT_NE(stale.find("residue eval d/cut"), std::string::npos);
}

TEST_F(CompareTest, FrontierLeavesOutControls) {
  ReportOptions report;
  report.dataset = "d";
  const Frontier frontier = frontier_of(load_report(store(), report), frontier_metrics("leak_rate", "rougeL_f"));
  for (const FrontierRun& run : frontier.runs) {
    EXPECT_EQ(run.on_frontier(), !run.control) << run.run;  // cut leaks less, open is more useful
  }
  EXPECT_THROW(frontier_metrics("rougeL_f", "rougeL_f"), Error);
  EXPECT_THROW(frontier_metrics("leak_rate", "linkage_rate"), Error);
}

}  // namespace
}  // namespace residue::query
