#include "cli/study/paper_tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/study/agreement_table.h"
#include "cli/study/attack_tables.h"
#include "verbs/tables/table_names.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportRun;

MetricValue value(std::optional<double> v, double n, double failed = 0, double missing = 0) {
  MetricValue made;
  made.value = v;
  made.n = n;
  made.failed = failed;
  made.missing = missing;
  return made;
}

ReportRun run(const std::string& name, bool control = false) {
  ReportRun made;
  made.run = name;
  made.control = control;
  made.evaluated = true;
  return made;
}

Report report(std::vector<ReportRun> runs) {
  Report made;
  made.dataset = "medqa";
  made.protocol = "bm25/random:3@42/claims";
  made.judge = "lexical";
  made.runs = std::move(runs);
  return made;
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.name);
  return all;
}

Cell at(const Table& table, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == column) return table.rows.at(row).at(i);
  }
  throw std::out_of_range(column);
}

Table people(const Report& of, const char* name, bool reference = false) {
  return paper_table({of}, {name, Form::kTerminal, false, reference}).sections.front().shown.table;
}

TEST(PaperTables, CountWhatEachColumnIsOfWhereColumnsDiffer) {
  ReportRun cut = run("cut");
  cut.metrics[MetricId::kLexicalDistanceLinked].all = value(0.25, 9, 1);
  cut.metrics[MetricId::kSemanticDistance].all = value(0.5, 9, 1);
  const Table same = people(report({cut}), "privacy-utility");
  EXPECT_EQ(names(same), (std::vector<std::string>{"run", "lexical_distance_linked", "semantic_distance", "n", "failed",
                                                   "missing"}));
  // Somebody was asked about eight of them: the task has its own counts.
  cut.metrics[MetricId::kTaskAccuracy].all = value(0.6, 8, 1, 1);
  const Table several = people(report({cut}), "privacy-utility");
  EXPECT_EQ(names(several), (std::vector<std::string>{"run", "lexical_distance_linked", "semantic_distance", "n",
                                                      "failed", "missing", "task_accuracy", "n", "failed", "missing"}));
  EXPECT_EQ(several.rows[0][3], Cell(std::int64_t{9}));
  EXPECT_EQ(several.rows[0][7], Cell(std::int64_t{8}));
  EXPECT_EQ(several.rows[0][9], Cell(std::int64_t{1}));
}

TEST(PaperTables, GiveFilesEveryValueItsIntervalAndCounts) {
  ReportRun cut = run("cut");
  MetricValue distance = value(0.5, 9, 1);
  distance.low = 0.25;
  distance.high = 0.75;
  cut.metrics[MetricId::kSemanticDistance].all = distance;
  cut.metrics[MetricId::kTaskAccuracy].all = value(0.6, 8, 1, 1);
  const Table file =
      paper_table({report({cut})}, {"privacy-utility", Form::kFile, true, false}).sections.front().shown.table;
  EXPECT_EQ(at(file, 0, "semantic_distance"), Cell(0.5));
  EXPECT_EQ(at(file, 0, "semantic_distance_low"), Cell(0.25));
  EXPECT_EQ(at(file, 0, "semantic_distance_high"), Cell(0.75));
  EXPECT_EQ(at(file, 0, "semantic_distance_failed"), Cell(std::int64_t{1}));
  EXPECT_EQ(at(file, 0, "task_accuracy_n"), Cell(std::int64_t{8}));
  EXPECT_EQ(at(file, 0, "task_accuracy_missing"), Cell(std::int64_t{1}));
  EXPECT_EQ(at(file, 0, "coherence"), Cell());
  EXPECT_EQ(at(file, 0, "coherence_n"), Cell());
  EXPECT_EQ(at(file, 0, "coherence_not_applicable"), Cell());
  EXPECT_EQ(at(file, 0, "task_accuracy_not_applicable"), Cell(std::int64_t{0}));
  EXPECT_EQ(at(file, 0, "protocol"), Cell("bm25/random:3@42/claims"));
}

TEST(PaperTables, TellNotComputedFromNotApplicable) {
  ReportRun cut = run("cut");
  cut.metrics[MetricId::kMauve].all = value(std::nullopt, 0);
  cut.metrics[MetricId::kMauve].reason = "no vectors";
  cut.metrics[MetricId::kSemanticDistance].all = value(0.5, 4);
  const PaperTable table = paper_table({report({cut})}, {"metrics", Form::kTerminal, false, false});
  const Table& shown = table.sections.front().shown.table;
  EXPECT_EQ(at(shown, 0, "mauve"), Cell("n/a"));
  EXPECT_EQ(at(shown, 0, "pii_existence"), Cell());
  EXPECT_EQ(at(shown, 0, "n"), Cell(std::int64_t{4}));
  ASSERT_FALSE(table.notes.empty());
  EXPECT_EQ(table.notes.back(), "not applicable: mauve of cut: no vectors");
}

TEST(PaperTables, HaveRoundsInTheirOrder) {
  std::vector<ReportRun> runs;
  for (const char* name : {"aa@10", "aa@2", "azure"}) {
    runs.push_back(run(name));
    runs.back().metrics[MetricId::kAttributeAccuracy].all = value(0.5, 3);
  }
  runs.push_back(run("none", true));
  const Table shown = people(report(runs), "adversarial");
  ASSERT_EQ(shown.rows.size(), 4U);
  EXPECT_EQ(at(shown, 0, "run"), Cell("aa@2"));
  EXPECT_EQ(at(shown, 0, "round"), Cell(std::int64_t{2}));
  EXPECT_EQ(at(shown, 1, "run"), Cell("aa@10"));
  EXPECT_EQ(at(shown, 2, "run"), Cell("azure"));
  EXPECT_EQ(at(shown, 2, "round"), Cell());
}

TEST(PaperTables, ShowPartsBelowWithWhatTheyAreOf) {
  ReportRun cut = run("azure");
  auto& metric = cut.metrics[MetricId::kAttributeAccuracy];
  metric.all = value(0.5, 3);
  metric.cuts["age"] = value(1.0, 2);
  metric.cuts["age"].units = 2;
  metric.cuts["level city"] = value(0.25, 4, 1);
  metric.cuts["level city"].units = 4;
  cut.metrics[MetricId::kAccuracyAtCertainty].cuts["3"] = value(0.75, 4);
  Report of = report({cut});
  of.dataset = "reddit";
  const PaperTable table = paper_table({of}, {"adversarial", Form::kTerminal, false, true});
  ASSERT_EQ(table.sections.size(), 4U);  // runs, attributes, levels, certainties; nobody said how hard
  const Table& attributes = table.sections[1].shown.table;
  ASSERT_EQ(attributes.rows.size(), 1U);
  EXPECT_EQ(at(attributes, 0, "attribute"), Cell("age"));
  EXPECT_EQ(at(attributes, 0, "labels"), Cell(std::int64_t{2}));
  const Table& levels = table.sections[2].shown.table;
  EXPECT_EQ(at(levels, 0, "level"), Cell("city"));
  EXPECT_EQ(at(levels, 0, "azure"), Cell(0.25));
  EXPECT_EQ(at(levels, 0, "azure (AA)"), Cell(0.246));  // AA Table 2
  EXPECT_EQ(at(levels, 0, "failed"), Cell(std::int64_t{1}));
  EXPECT_EQ(at(table.sections[3].shown.table, 0, "azure"), Cell(0.75));
  // A file has them as rows.
  const Table file = paper_table({of}, {"adversarial", Form::kFile, true, false}).sections.front().shown.table;
  ASSERT_EQ(file.rows.size(), 4U);
  EXPECT_EQ(at(file, 1, "part"), Cell("age"));
  EXPECT_EQ(at(file, 2, "part"), Cell("certainty 3"));
  EXPECT_EQ(at(file, 2, "accuracy_at_certainty"), Cell(0.75));
  EXPECT_EQ(at(file, 2, "attribute_accuracy"), Cell());
  EXPECT_EQ(at(file, 3, "attribute_accuracy_units"), Cell(std::int64_t{4}));
}

TEST(PaperTables, CountBehindEachRunWherePartsDiffer) {
  ReportRun a = run("a"), b = run("b");
  a.metrics[MetricId::kLeakByCategory].cuts["Age"] = value(1.0, 2);
  a.metrics[MetricId::kLeakByCategory].cuts["Age"].units = 3;
  b.metrics[MetricId::kLeakByCategory].cuts["Age"] = value(0.5, 1, 1);
  b.metrics[MetricId::kLeakByCategory].cuts["Age"].units = 2;
  const Table shown = people(report({a, b}), "categories");
  EXPECT_EQ(names(shown),
            (std::vector<std::string>{"category", "a", "a claims", "b", "b claims", "b failed", "b missing"}));
  EXPECT_EQ(at(shown, 0, "b claims"), Cell(std::int64_t{2}));
  EXPECT_EQ(at(shown, 0, "b failed"), Cell(std::int64_t{1}));
}

TEST(PaperTables, OrderThresholdsByNumber) {
  std::vector<ReportRun> runs;
  for (const char* p : {"1e-1", "1e-15", "1e-5"}) {
    runs.push_back(run(std::string("z") + p));
    runs.back().sanitizer = "zsts";
    runs.back().params["p"] = p;
    runs.back().metrics[MetricId::kRedactionRecall].all = value(0.5, 1);
  }
  const Table shown = people(report(runs), "redaction", true);
  ASSERT_EQ(shown.rows.size(), 6U);
  EXPECT_EQ(at(shown, 0, "p"), Cell(1e-15));
  EXPECT_EQ(at(shown, 1, "run"), Cell("z1e-15 (ZSTS)"));
  EXPECT_EQ(at(shown, 1, "redaction_recall"), Cell(0.26));
  EXPECT_EQ(at(shown, 1, "n"), Cell());
  EXPECT_EQ(at(shown, 4, "p"), Cell(1e-1));
}

TEST(PaperTables, ShowPublishedFiguresBesideTheirRunAndSayWhereTheyAreFrom) {
  ReportRun other = run("mine");
  other.params["reference"] = "Azure AI PII tool";
  other.metrics[MetricId::kSemanticDistance].all = value(0.2, 5);
  ReportRun none = run("none", true);
  none.metrics[MetricId::kSemanticDistance].all = value(0.1, 5);
  const Report of = report({other, none});
  const PaperTable table = paper_table({of}, {"metrics", Form::kTerminal, false, true});
  const Table& shown = table.sections.front().shown.table;
  ASSERT_EQ(shown.rows.size(), 4U);
  EXPECT_EQ(at(shown, 1, "run"), Cell("mine (FSP)"));
  EXPECT_EQ(at(shown, 1, "semantic_distance"), Cell(0.11));
  EXPECT_EQ(at(shown, 1, "semantic_distance_std"), Cell(0.004));
  EXPECT_EQ(at(shown, 3, "mauve"), Cell(0.0));
  EXPECT_EQ(table.notes.back(),
            "FSP: A False Sense of Privacy (arXiv v2), Table 8, MedQA; rows No Sanitization, Azure AI PII tool");
  const Shown json = paper_table({of}, {"metrics", Form::kFile, true, true}).sections.front().shown;
  ASSERT_EQ(json.table.rows.size(), 2U);
  ASSERT_EQ(json.references.size(), 2U);
  EXPECT_EQ(json.references[1][0]["row"], "No Sanitization");
  EXPECT_EQ(json.references[1][0]["figures"]["semantic_distance"]["value"], 0.09);
  const Table csv = paper_table({of}, {"metrics", Form::kFile, false, true}).sections.front().shown.table;
  ASSERT_EQ(csv.rows.size(), 4U);
  EXPECT_EQ(at(csv, 0, "reference"), Cell());
  EXPECT_EQ(at(csv, 1, "reference"), Cell("FSP (arXiv v2), Table 8, MedQA: Azure AI PII tool"));
}

TEST(AttackTables, ShowPublishedFiguresOfThePapersAttackAlone) {
  Report first = report({run("none", true)});
  first.spec = query::parse_protocol("bm25/first:3/claims");
  first.runs[0].metrics[MetricId::kLinkageRate].all = value(0.98, 5);
  Report rouge = first;
  rouge.spec = query::parse_protocol("rouge-l/first:3/claims");
  std::set<const query::PublishedRow*> published;
  const Table shown = attack_table({first, rouge}, {"linkage", Form::kTerminal, false, true}, published).table;
  ASSERT_EQ(shown.rows.size(), 3U);
  EXPECT_EQ(at(shown, 1, "run"), Cell("none (FSP MedQA)"));
  EXPECT_EQ(at(shown, 1, "first:3"), Cell(0.99));
  EXPECT_EQ(at(shown, 2, "attack"), Cell("rouge-l/claims"));
  EXPECT_EQ(published.size(), 1U);
}

TEST(AttackTables, TellNotAttackedFromNobodyToLink) {
  ReportRun synthetic = run("dp");
  synthetic.metrics[MetricId::kLinkageRate].all = value(std::nullopt, 0);
  ReportRun other = run("cut");
  other.metrics[MetricId::kLinkageRate].all = value(0.5, 4);
  Report first = report({synthetic, other}), last = report({other});
  first.spec = query::parse_protocol("bm25/first:3/claims");
  last.spec = query::parse_protocol("bm25/last:3/claims");
  last.runs.insert(last.runs.begin(), run("dp"));
  std::set<const query::PublishedRow*> published;
  const Table shown = attack_table({first, last}, {"linkage", Form::kTerminal, false, false}, published).table;
  EXPECT_EQ(at(shown, 0, "first:3"), Cell("n/a"));
  EXPECT_EQ(at(shown, 0, "last:3"), Cell());
  EXPECT_EQ(at(shown, 1, "first:3"), Cell(0.5));
  const Table file = attack_table({first, last}, {"linkage", Form::kFile, false, false}, published).table;
  EXPECT_EQ(at(file, 0, "first:3"), Cell());
}

TEST(AgreementTable, HasTheConfusionMatrixAndThreeKappas) {
  query::AgreementLine line;
  line.kind = "people";
  line.first = "people";
  line.second = "rouge";
  line.n = 100;
  line.confusion = {{{20, 5, 0}, {10, 30, 5}, {1, 4, 25}}};
  line.linear = 0.5;
  std::set<const query::PublishedRow*> published;
  const Table file =
      agreement_table({verbs::agreement_figures(line, false)}, Form::kFile, true, false, published).table;
  EXPECT_EQ(at(file, 0, "confusion_12"), Cell(std::int64_t{5}));
  EXPECT_EQ(at(file, 0, "confusion_31"), Cell(std::int64_t{1}));
  EXPECT_EQ(at(file, 0, "kappa_linear"), Cell(0.5));
  const Table shown =
      agreement_table({verbs::agreement_figures(line, true)}, Form::kTerminal, false, true, published).table;
  EXPECT_EQ(at(shown, 0, "confusion"), Cell("20 5 0 / 10 30 5 / 1 4 25"));
  ASSERT_EQ(shown.rows.size(), 2U);
  EXPECT_EQ(at(shown, 1, "second"), Cell("rouge (FSP)"));
  EXPECT_EQ(at(shown, 1, "spearman"), Cell(-0.806));
}

TEST(AgreementTable, SaysWhoNeverVaries) {
  query::AgreementLine line;
  line.kind = "judges";
  line.first = "a";
  line.second = "b";
  line.n = 3;
  line.confusion = {{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}};
  line.kappa = line.cohen = line.linear = 0;
  line.alpha = 0.1;
  line.constant = "a always says 2";
  std::set<const query::PublishedRow*> published;
  const Table file =
      agreement_table({verbs::agreement_figures(line, false)}, Form::kFile, true, false, published).table;
  EXPECT_EQ(at(file, 0, "not_applicable"), Cell("spearman: a always says 2"));
  EXPECT_EQ(at(file, 0, "spearman"), Cell());
  const Table shown =
      agreement_table({verbs::agreement_figures(line, false)}, Form::kTerminal, false, false, published).table;
  EXPECT_EQ(at(shown, 0, "spearman"), Cell("n/a"));
  EXPECT_EQ(at(shown, 0, "kappa"), Cell(0.0));
  EXPECT_EQ(agreement_notes({verbs::agreement_figures(line, false)}),
            (std::vector<std::string>{"not applicable for a and b: spearman: a always says 2"}));
  line.constant.clear();
  EXPECT_TRUE(agreement_notes({verbs::agreement_figures(line, false)}).empty());
}

TEST(PaperTables, ExistUnderEveryNameOfATableOfRuns) {
  for (const verbs::TableName& one : verbs::table_names()) {
    if (one.kind != verbs::TableKind::kRuns) continue;
    EXPECT_FALSE(paper_table({report({run("none", true)})}, {one.name, Form::kFile, true, false}).sections.empty());
  }
}

}  // namespace
}  // namespace residue::cli
