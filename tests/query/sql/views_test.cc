#include "query/sql/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/atomize/atomize_run.h"
#include "query/metric/metrics.h"
#include "query/report/leaks.h"
#include "storage/vectors.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class ViewsTest : public testing::SmallStoreTest {
 protected:
  ViewsTest() { store().db().run(std::string(embedded_views()).c_str()); }

  std::vector<std::string> rows(const char* sql) {
    std::vector<std::string> result;
    storage::Statement statement = store().db().prepare(sql);
    while (statement.step()) {
      std::string line;
      for (int i = 0; i < statement.columns(); ++i) line += (i > 0 ? "|" : "") + std::string(statement.text(i));
      result.push_back(line);
    }
    return result;
  }
};

TEST_F(ViewsTest, CanAllBeRead) {
  const auto names = rows("SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name");
  EXPECT_EQ(names, (std::vector<std::string>{"answers", "claims", "judgments", "leaks", "links", "metrics", "records",
                                             "run_claims", "runs", "scores", "variants", "vectors"}));
  ingest::atomize_run(store(), "d", "r", "sentences", 1, {});
  {
    const auto batch = store().write();
    storage::VectorWriter writer(batch->db(), "toy");
    writer.begin();
    writer.put(*batch, batch->put_text("Maria", storage::PrivacyClass::kOriginal), std::vector<float>{1});
    writer.end();
    batch->commit();
  }
  store().db().run(
      "INSERT INTO task_answer (run_id, record_id, model, task, answer_id, about) SELECT u.id, r.id, 'm', 'choice', "
      "NULL, 0 FROM run u JOIN record r ON r.dataset_id = u.dataset_id");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(rows(("SELECT * FROM " + name).c_str()).empty());
  }
}

// Its claims are another's as well, so somebody rated them.
TEST_F(ViewsTest, JudgmentsOfAnEmptyOriginalDoNotCount) {
  namespace from = ingest::testing;
  from::VectorSource<ingest::RecordRow> records({from::record("e", "")});
  ingest::ingest_dataset(store(), "d", records, from::file("/data/e"));
  from::VectorSource<ingest::ClaimsRow> claims(
      {from::claims("e", {"Maria keeps bees in Graz.", "She has asthma since childhood."})});
  ingest::ingest_claims(store(), "d", "claims", claims, from::file("/data/ec"));
  evaluate("bm25/first:1");
  EXPECT_EQ(rows("SELECT DISTINCT record, counts FROM judgments WHERE run = 'none' ORDER BY 1"),
            (std::vector<std::string>{"a|1", "b|1", "e|0"}));
  EXPECT_EQ(rows("SELECT DISTINCT record FROM leaks WHERE run = 'none' ORDER BY 1"),
            (std::vector<std::string>{"a", "b"}));
}

TEST_F(ViewsTest, LeaksAreThoseOfTheVerb) {
  for (const char* run : {"r", "none", "remove-all"}) {
    SCOPED_TRACE(run);
    LeakOptions options;
    options.dataset = "d";
    options.run = run;
    std::vector<std::string> expected;
    for (const Leak& leak : load_leaks(store(), options).leaks) {
      expected.push_back(fmt::format("{}|{}|{}", leak.record, leak.n, leak.rating));
    }
    const std::string sql = fmt::format(
        "SELECT record, n, rating FROM leaks WHERE run = '{}' AND protocol = 'bm25/first:1/claims' ORDER BY 1, 2", run);
    EXPECT_EQ(rows(sql.c_str()), expected);
  }
}

TEST_F(ViewsTest, MetricsAreNamed) {
  EXPECT_EQ(rows("SELECT run, n, failed, coverage FROM metrics WHERE metric = 'semantic_distance' AND slice = ''"
                 " AND protocol = 'bm25/first:1/claims' ORDER BY run"),
            (std::vector<std::string>{"none|2|0|1.0", "r|1|1|0.5", "remove-all|2|0|1.0"}));
  EXPECT_EQ(rows("SELECT DISTINCT coverage IS NULL FROM metrics WHERE slice IN ('right', 'median', 'bin:3')"),
            (std::vector<std::string>{"1"}));
  EXPECT_EQ(rows("SELECT count(*) FROM metrics WHERE metric = 'rougeL_f' AND protocol IS NULL AND judge IS NULL"),
            (std::vector<std::string>{"3"}));
}

// The view decides by name which numerators are fixed point: every metric must come out within its range.
TEST_F(ViewsTest, ScoresAreInTheRangeOfTheirMetric) {
  for (const MetricDefinition& metric : metric_definitions()) {
    SCOPED_TRACE(metric.name);
    const bool fixed = metric.kind == Kind::kMean;
    const std::string sql = fmt::format(
        "SELECT count(*) FROM scores v JOIN score s JOIN metric_definition f ON f.id = s.metric AND f.name = v.metric"
        " JOIN record r ON r.id = s.record_id AND r.key = v.record WHERE v.metric = '{}' AND v.state = 'value'"
        " AND s.state = 0 AND abs(v.value) > {}",
        metric.name, fixed || metric.kind == Kind::kShare || metric.kind == Kind::kPooled ? 1 : 9);
    EXPECT_EQ(rows(sql.c_str()), (std::vector<std::string>{"0"}));
  }
  EXPECT_EQ(rows("SELECT record, value FROM scores WHERE run = 'none' AND metric = 'linkage_rate'"
                 " AND protocol = 'bm25/first:1/claims' ORDER BY 1"),
            (std::vector<std::string>{"a|1.0", "b|1.0"}));
  EXPECT_EQ(rows("SELECT record, value FROM scores WHERE run = 'none' AND metric = 'rougeL_f' ORDER BY 1"),
            (std::vector<std::string>{"a|1.0", "b|1.0"}));
}

// A share of each part's own claims: #1 is known, #2 of a is about health, nobody said what #2 of b is about.
TEST_F(ViewsTest, ScoresOfPartsAreSharesAndSayWhichPart) {
  EXPECT_EQ(rows("SELECT record, slice, value, weight FROM scores WHERE run = 'none' AND metric = 'leak_by_category'"
                 " AND protocol = 'bm25/first:1/claims' ORDER BY 1"),
            (std::vector<std::string>{"a|Health|1.0|1", "b|not categorized|1.0|1"}));
}

TEST_F(ViewsTest, LinksSayHowTheyEnded) {
  EXPECT_EQ(rows("SELECT run, record, linked, outcome FROM links WHERE protocol = 'bm25/first:1/claims'"
                 " AND run IN ('none', 'remove-all') ORDER BY 1, 2"),
            (std::vector<std::string>{"none|a|a|right", "none|b|b|right", "remove-all|a||not_linked",
                                      "remove-all|b||not_linked"}));
}

}  // namespace
}  // namespace residue::query
