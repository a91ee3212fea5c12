#include "query/sql/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "ingest/atomize/atomize_run.h"
#include "query/metric/metrics.h"
#include "query/report/leaks.h"
#include "query/sql/advice/contract.h"
#include "storage/catalog/packed_scores.h"
#include "storage/vectors.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class ViewsTest : public testing::SmallStoreTest {
 protected:
  ViewsTest() { attach_views(store().db().handle()); }

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

  // The record e, without text. Its claims are another record's as well, so somebody rates them.
  void add_empty_original() {
    namespace from = ingest::testing;
    from::VectorSource<ingest::RecordRow> records({from::record("e", "")});
    ingest::ingest_dataset(store(), "d", records, from::file("/data/e"));
    from::VectorSource<ingest::ClaimsRow> claims(
        {from::claims("e", {"Maria keeps bees in Graz.", "She has asthma since childhood."})});
    ingest::ingest_claims(store(), "d", "claims", claims, from::file("/data/ec"));
  }
};

TEST_F(ViewsTest, CanAllBeRead) {
  const auto names = rows("SELECT name FROM sqlite_temp_schema WHERE type = 'view' ORDER BY name");
  EXPECT_EQ(names, (std::vector<std::string>{"answers", "claims", "datasets", "intruder", "judgments", "labels", "leaks", "links",
                                             "metrics", "persons", "records", "run_claims", "runs", "scores", "spans",
                                             "variants", "vectors"}));
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
      "NULL, 0 FROM run u JOIN record r ON r.dataset_id = u.dataset_id;"
      "INSERT INTO label (dataset_id, kind, record_id, subject_id, payload_id) SELECT dataset_id, 'span', id, text_id, "
      "text_id FROM record; UPDATE record SET person = 'p' WHERE key = 'a';"
      "UPDATE variant SET spans_id = text_id WHERE text_id IS NOT NULL");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(rows(("SELECT * FROM " + name).c_str()).empty());
  }
}

TEST_F(ViewsTest, AreWhatTheirContractSays) {
  std::set<std::string> promised;
  for (const ViewPromise& view : view_promises()) {
    SCOPED_TRACE(view.name);
    promised.emplace(view.name);
    std::vector<std::string> columns;
    for (const ViewColumn& column : view.columns) {
      columns.emplace_back(column.name);
      EXPECT_EQ(column.type == "text id", column.name.ends_with("_text")) << column.name;
      EXPECT_TRUE(column.type == "number" || column.type == "text id" || column.unit.empty()) << column.name;
    }
    EXPECT_EQ(rows(fmt::format("SELECT name FROM pragma_table_info('{}') ORDER BY cid", view.name).c_str()), columns);
    EXPECT_TRUE(view.question.ends_with("?"));
  }
  for (const auto& name : rows("SELECT name FROM sqlite_temp_schema WHERE type = 'view'")) {
    EXPECT_EQ(promised.erase(name), 1U) << name << " is not in the contract";
  }
  EXPECT_TRUE(promised.empty());
}

TEST_F(ViewsTest, JudgmentsOfAnEmptyOriginalDoNotCount) {
  add_empty_original();
  evaluate("bm25/first:1");
  EXPECT_EQ(rows("SELECT DISTINCT record, counts FROM judgments WHERE run = 'none' ORDER BY 1"),
            (std::vector<std::string>{"a|1", "b|1", "e|0"}));
  EXPECT_EQ(rows("SELECT DISTINCT record FROM leaks WHERE run = 'none' ORDER BY 1"),
            (std::vector<std::string>{"a", "b"}));
}

// The definition without an order of joins, which reads all judgments for each link.
constexpr const char* kJudgmentsOracle = R"(
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,
       p.sample   AS sample,
       j.name     AS judge,
       r.key      AS record,
       c.n        AS n,
       m.rating   AS rating,
       EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value = c.n)
                  AS known,
       CASE WHEN u.kind = 'synthetic' THEN NULL WHEN l.linked_id = l.record_id THEN 'right' ELSE 'wrong' END
                  AS outcome,
       ((u.kind <> 'aligned' OR EXISTS (SELECT 1 FROM main.variant v WHERE v.run_id = l.run_id
                                        AND v.record_id = l.record_id AND v.text_id IS NOT NULL))
        AND NOT EXISTS (SELECT 1 FROM main.evaluation e JOIN main.score s ON s.evaluation_id = e.id
                        JOIN main.metric_definition f ON f.id = s.metric AND f.name = 'semantic_distance'
                        WHERE e.run_id = l.run_id AND e.tier = 'judge' AND e.protocol_id = p.id AND e.judge_id = j.id
                              AND s.record_id = l.record_id AND s.cut = 0 AND s.state = 3))
                  AS counts,
       c.category AS category,
       c.text_id  AS claim_text,
       m.passage_id AS linked_text
FROM main.link l JOIN main.run u ON u.id = l.run_id JOIN main.dataset d ON d.id = u.dataset_id
     JOIN main.protocol p ON p.id = l.protocol_id JOIN main.record r ON r.id = l.record_id
     JOIN main.auxiliary_query q ON q.auxiliary_id = p.auxiliary_id AND q.record_id = l.record_id
     JOIN main.auxiliary a ON a.id = p.auxiliary_id
     JOIN main.claim c ON c.claim_set_id = a.claim_set_id AND c.record_id = l.record_id
     CROSS JOIN main.judge j
     JOIN main.judgment m ON m.judge_id = j.id AND m.claim_id = c.text_id
          AND m.passage_id = CASE u.kind
              WHEN 'aligned' THEN (SELECT v.text_id FROM main.variant v
                                   WHERE v.run_id = l.run_id AND v.record_id = l.linked_id)
              WHEN 'synthetic' THEN (SELECT v.text_id FROM main.variant v WHERE v.id = l.linked_id)
              WHEN 'none' THEN (SELECT o.text_id FROM main.record o WHERE o.id = l.linked_id) END
          AND m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE
              (SELECT t.request_id FROM main.claim_request t WHERE t.claim_set_id = c.claim_set_id
               AND t.size = j.claims_per_request AND t.record_id = c.record_id AND t.n = c.n) END
WHERE NOT EXISTS (SELECT 1 FROM main.protocol_input i WHERE i.protocol_id = p.id AND i.kind = 'run')
      AND p.linker NOT LIKE '%[absent=%')";

// Aligned, synthetic and empty texts, attackers of several kinds, and a judge that rates claims together.
TEST_F(ViewsTest, JudgmentsAreThoseOfTheirDefinition) {
  namespace from = ingest::testing;
  add_empty_original();
  ingest::RunSpec synthetic;
  synthetic.synthetic = true;
  from::VectorSource<ingest::VariantRow> free({from::variant("1", "Somebody keeps bees in Graz and has asthma."),
                                               from::variant("2", "Clocks in Bern are repaired every morning.")});
  ingest::ingest_run(store(), "d", "free", synthetic, free, from::file("/data/free"));
  for (const char* protocol : {"bm25/first:1", "bm25/last:1", "rouge-l/random:1"}) evaluate(protocol, 2);
  store().db().run(
      "INSERT INTO judge (id, name, embedded, claims_per_request, spec, digest) VALUES (77, 'two', 0, 2, '{}', x'07');"
      "INSERT INTO request (id, claims) VALUES (7, '[]');"
      "INSERT INTO claim_request SELECT claim_set_id, 2, record_id, n, 7 FROM claim;"
      "INSERT OR IGNORE INTO judgment SELECT 77, passage_id, claim_id, 7, rating FROM judgment;");
  const std::string columns =
      "dataset, run, protocol, sample, judge, record, n, rating, known, outcome, counts, category, claim_text, "
      "linked_text";
  const auto of = [&](const std::string& from) {
    return rows(("SELECT " + columns + " FROM " + from + " ORDER BY " + columns).c_str());
  };
  const std::vector<std::string> expected = of("(" + std::string(kJudgmentsOracle) + ")");
  EXPECT_GT(expected.size(), 100U);
  EXPECT_EQ(of("judgments"), expected);
  for (const char* filter : {"run = 'free'", "record = 'a'", "judge = 'two'", "known", "NOT counts", "outcome IS NULL",
                             "category IS NOT NULL", "protocol = 'bm25/last:1/claims'"}) {
    SCOPED_TRACE(filter);
    const auto part = of("(" + std::string(kJudgmentsOracle) + ") WHERE " + filter);
    EXPECT_FALSE(part.empty());
    EXPECT_EQ(of("judgments WHERE " + std::string(filter)), part);
  }
  // What the absent attack finds, and its own one, is in none of the views.
  for (const char* absent : {"yes", "twice"}) {
    EXPECT_NE(rows(fmt::format("SELECT count(*) FROM main.link l JOIN main.protocol p ON p.id = l.protocol_id WHERE "
                               "p.linker LIKE '%absent={}%'",
                               absent)
                       .c_str()),
              std::vector<std::string>{"0"});
  }
  for (const char* view : {"links", "judgments", "leaks"}) {
    EXPECT_EQ(rows(fmt::format("SELECT count(*) FROM {} WHERE protocol LIKE '%absent%'", view).c_str()),
              std::vector<std::string>{"0"})
        << view;
  }
}

// A passage that many records were linked to: the judgments between a record's first and last claim are too many to be
// read through.
TEST_F(ViewsTest, JudgmentsOfAPopularPassageAreThoseOfTheirDefinition) {
  store().db().run(
      "INSERT INTO judgment SELECT m.judge_id, m.passage_id, c.text_id + 100000, 0, 1 FROM claim c JOIN record r ON "
      "r.id = c.record_id AND r.key = 'a' AND c.n = 2 JOIN judgment m ON m.claim_id = c.text_id;"
      "UPDATE claim SET text_id = text_id + 100000 WHERE n = 2 AND record_id = (SELECT id FROM record WHERE key = 'a');"
      "WITH RECURSIVE i(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM i WHERE x < 1100) INSERT INTO judgment SELECT "
      "m.judge_id, m.passage_id, i.x, 0, 2 FROM i, (SELECT DISTINCT judge_id, passage_id FROM judgment) m;");
  const std::string columns = "run, protocol, judge, record, n, rating, known, counts, claim_text, linked_text";
  const auto of = [&](const std::string& from) {
    return rows(("SELECT " + columns + " FROM " + from + " ORDER BY " + columns).c_str());
  };
  const auto expected = of("(" + std::string(kJudgmentsOracle) + ")");
  EXPECT_FALSE(rows("SELECT 1 FROM judgments WHERE n = 2 AND claim_text > 100000").empty());
  EXPECT_EQ(of("judgments"), expected);
  EXPECT_EQ(of("judgments WHERE record = 'a'"), of("(" + std::string(kJudgmentsOracle) + ") WHERE record = 'a'"));
}

// A key is a text: what it is compared with decides which keys are equal to it, as with any column of texts.
TEST_F(ViewsTest, RecordsAreComparedAsTexts) {
  store().db().run("UPDATE record SET key = '05' WHERE key = 'a'; UPDATE record SET key = '5' WHERE key = 'b';");
  for (const char* view : {"leaks", "judgments", "scores", "claims"}) {
    SCOPED_TRACE(view);
    const auto of = [&](const char* where) {
      return rows(fmt::format("SELECT DISTINCT record FROM {}, (SELECT CAST(5 AS INTEGER) AS five, 'x' AS x) WHERE {} "
                              "ORDER BY 1",
                              view, where)
                      .c_str());
    };
    EXPECT_EQ(of("record = '05'"), (std::vector<std::string>{"05"}));
    EXPECT_EQ(of("record = 5"), of("+record = '5'"));
    EXPECT_EQ(of("record = five"), (view == std::string("leaks") ? of("1") : std::vector<std::string>{"05", "5"}));
    EXPECT_EQ(of("record = '05' COLLATE NOCASE"), (std::vector<std::string>{"05"}));
    EXPECT_EQ(of("record IN ('05', NULL, x)"), (std::vector<std::string>{"05"}));
    for (const char* nothing : {"record = NULL", "record = x'3035'", "record = 'none such'"}) {
      EXPECT_EQ(of(nothing), (std::vector<std::string>{})) << nothing;
    }
  }
}

TEST_F(ViewsTest, TablesBehindThemWithoutTheirArgumentsAreEmpty) {
  for (const char* table :
       {"judged_claims", "judged_claims(1)", "judged_claims('a', 'b', 'c')", "judged_claims(1, 1, NULL)",
        "judged_claims(1, 1, 999)", "judged_claims(x'00', 1, 1, 1)", "record_scores", "record_scores(1)",
        "record_scores('1', '1')", "record_scores(999, 1)", "record_scores(NULL, NULL, NULL, NULL)"}) {
    EXPECT_EQ(rows(fmt::format("SELECT count(*) FROM {}", table).c_str()), (std::vector<std::string>{"0"})) << table;
  }
}

// Whatever the filter is: no table of many rows is read from its beginning to its end, but that of what is asked for.
TEST_F(ViewsTest, JudgmentsFindTheirRowsByIndex) {
  for (const char* filter : {"run = 'r'", "record = 'a'", "judge = 'lexical'", "dataset = 'd'", "protocol = 'x'",
                             "n = 1", "rating = 1", "category IS NULL", "claim_text = 3", "1"}) {
    for (const char* view : {"judgments", "leaks"}) {
      const std::string sql = fmt::format("EXPLAIN QUERY PLAN SELECT * FROM {} WHERE {}", view, filter);
      SCOPED_TRACE(sql);
      storage::Statement plan = store().db().prepare(sql.c_str());
      while (plan.step()) {
        const std::string step(plan.text(3));
        const bool scans = step.starts_with("SCAN ");
        // A walk begins at its run, or at its record.
        const bool walk = step.starts_with("SCAN c VIRTUAL TABLE INDEX ");
        EXPECT_TRUE(!scans || walk || step.starts_with("SCAN d ") || step == "SCAN d" || step.starts_with("SCAN j"))
            << step;
      }
    }
  }
}

TEST_F(ViewsTest, RunClaimsAreThoseOfTheirDefinition) {
  namespace from = ingest::testing;
  ingest::RunSpec synthetic;
  synthetic.synthetic = true;
  from::VectorSource<ingest::VariantRow> free(
      {from::variant("1", "Somebody keeps bees. Clocks are repaired."), from::variant("2", "It rains.")});
  ingest::ingest_run(store(), "d", "free", synthetic, free, from::file("/data/free"));
  for (const char* run : {"r", "free"}) ingest::atomize_run(store(), "d", run, "sentences", 1, {});
  const std::string oracle =
      "(SELECT d.name AS dataset, u.name AS run, s.name AS claim_set, r.key AS record, v.key AS key, c.n AS n,"
      " s.made_from = u.content AS current, c.text_id AS claim_text FROM main.run_claim c"
      " JOIN main.run_claim_set s ON s.id = c.set_id JOIN main.run u ON u.id = s.run_id"
      " JOIN main.dataset d ON d.id = u.dataset_id JOIN main.variant v ON v.id = c.variant_id"
      " LEFT JOIN main.record r ON r.id = v.record_id)";
  for (const char* filter : {"1", "record = 'a'", "record IS NULL", "run = 'free'", "key = '1'", "current"}) {
    SCOPED_TRACE(filter);
    const auto of = [&](const std::string& from) {
      return rows(fmt::format("SELECT * FROM {} WHERE {} ORDER BY 1, 2, 3, 4, 5, 6", from, filter).c_str());
    };
    EXPECT_FALSE(of(oracle).empty());
    EXPECT_EQ(of("run_claims"), of(oracle));
  }
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

// The definition, row by row.
constexpr const char* kScoresOracle = R"(
SELECT d.name AS dataset, u.name AS run, p.name AS protocol, p.sample AS sample, j.name AS judge,
       coalesce(a.model, b.name) AS model, r.key AS record, f.name AS metric,
       CASE s.state WHEN 0 THEN 'value' WHEN 1 THEN 'failed' WHEN 2 THEN 'missing' ELSE 'not applicable' END AS state,
       CASE s.slice WHEN 1 THEN 'right' WHEN 2 THEN 'wrong' WHEN 3 THEN 'not_linked' END AS outcome,
       CASE WHEN s.state <> 0 THEN NULL WHEN f.name = 'distance_histogram' THEN s.num
            WHEN f.name = 'category_preservation' THEN NULL WHEN s.den = 0 THEN NULL
            ELSE s.num * f.unit / s.den END AS value,
       CASE WHEN f.name = 'token_precision_weighted' THEN s.den / 65536.0 WHEN f.name = 'mean_certainty' THEN s.den / 4
            WHEN f.name LIKE 'attribute_accuracy%half' THEN s.den / 2 ELSE s.den END AS weight,
       coalesce(c.name, '') AS slice
FROM main.score s JOIN main.evaluation e ON e.id = s.evaluation_id JOIN main.run u ON u.id = e.run_id
     JOIN main.dataset d ON d.id = u.dataset_id JOIN main.record r ON r.id = s.record_id AND r.dataset_id = d.id
     JOIN main.metric_definition f ON f.id = s.metric LEFT JOIN main.cut c ON c.id = s.cut
     LEFT JOIN main.protocol p ON p.id = e.protocol_id LEFT JOIN main.judge j ON j.id = e.judge_id
     LEFT JOIN main.answer_set a ON a.id = e.answer_set_id LEFT JOIN main.embedder b ON b.id = e.embedder_id)";

TEST_F(ViewsTest, ScoresAreThoseOfTheirDefinition) {
  evaluate("rouge-l/random:1", 2);
  // One record more, with a row of each metric and state, as an evaluation has it for a record that is gone, too.
  std::vector<storage::PackedScore> all;
  std::uint8_t state = 0;
  for (const MetricDefinition& metric : metric_definitions()) {
    state = (state + 1) & 3U;
    all.push_back({static_cast<std::int64_t>(metric.id), state % 2, static_cast<std::uint8_t>(3U - state), state,
                   7 * state + 5, 13 * (state % 3), 1});
    all.push_back({static_cast<std::int64_t>(metric.id), 0, 0, 0, (std::int64_t{1} << 40) + 7, 7, 1});
  }
  all.push_back({9999, 0, 0, 0, 1, 1, 1});  // of another program
  storage::Statement put = store().db().prepare(
      "INSERT OR REPLACE INTO scored SELECT e.id, ?1, 0, 0, ?2 FROM evaluation e WHERE e.tier = 'label' OR e.id IN "
      "(SELECT max(id) FROM evaluation)");
  store().db().run("UPDATE evaluation SET definitions = '0' WHERE id = (SELECT max(id) FROM evaluation)");
  for (const std::int64_t record : {1, 777, -1}) put.run(record, storage::Statement::Blob{storage::pack_scores(all)});
  const std::string columns =
      "dataset, run, protocol, sample, judge, model, record, metric, state, outcome, typeof(value), value, "
      "typeof(weight), weight, slice";
  const auto of = [&](const std::string& from) {
    return rows(("SELECT " + columns + " FROM " + from + " ORDER BY " + columns).c_str());
  };
  const std::string oracle = "(" + std::string(kScoresOracle) + ")";
  EXPECT_GT(of(oracle).size(), 200U);
  EXPECT_EQ(of("scores"), of(oracle));
  for (const std::string filter :
       {"run = 'r'", "record = 'a'", "metric = 'rouge1_f'", "metric = 'leak_rate' AND record = 'b'", "judge IS NULL",
        "protocol = 'bm25/first:1/claims'", "protocol IS NULL AND metric = 'rouge1_f'", "state = 'failed'",
        "value IS NULL", "slice = 'Health'", "outcome = 'right'", "metric IN ('leak_rate', 'linkage_rate', 5)",
        "metric = 'distance_histogram'", "metric LIKE 'rouge%'", "weight > 1", "judge = 'lexical'"}) {
    SCOPED_TRACE(filter);
    const auto part = of(oracle + " WHERE " + filter);
    EXPECT_FALSE(part.empty());
    EXPECT_EQ(of("scores WHERE " + filter), part);
  }
  for (const char* filter : {"metric = 'none such'", "metric = ''", "metric = NULL", "metric = 7", "record = NULL"}) {
    EXPECT_EQ(of(std::string("scores WHERE ") + filter), (std::vector<std::string>{})) << filter;
  }
  const char* joined =
      "SELECT a.record, a.metric, a.value, b.value FROM {0} a JOIN {0} b ON b.record = a.record AND "
      "b.metric = a.metric AND b.protocol IS a.protocol AND b.slice = a.slice WHERE a.run = 'r' AND "
      "b.run = 'none' ORDER BY 1, 2, 3, 4";
  EXPECT_EQ(rows(fmt::format(fmt::runtime(joined), "scores").c_str()),
            rows(fmt::format(fmt::runtime(joined), oracle).c_str()));
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
        metric.name, fixed || metric.kind == Kind::kShare || (counts_units(metric.kind) && metric.low >= 0) ? 1 : 9);
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
