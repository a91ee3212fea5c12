// The figures of the papers' tables from reports made by hand: which runs and attackers stand where, with what.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/verbs/small_store.h"
#include "verbs/tables/agreement.h"
#include "verbs/tables/attack_figures.h"
#include "verbs/tables/references.h"
#include "verbs/tables/run_figures.h"
#include "verbs/tables/table_names.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using query::Report;
using query::ReportRun;

query::MetricValue value(std::optional<double> v, double n) {
  query::MetricValue made;
  made.value = v;
  made.n = n;
  return made;
}

ReportRun run(const std::string& name, MetricId metric, double v) {
  ReportRun made;
  made.run = name;
  made.evaluated = true;
  made.metrics[metric].all = value(v, 3);
  return made;
}

Report report(std::vector<ReportRun> runs, const char* protocol = "bm25/random:3/claims") {
  Report made;
  made.dataset = "medqa";
  made.spec = query::parse_protocol(protocol);
  made.runs = std::move(runs);
  return made;
}

std::vector<std::string> order(const FigureTable& figures) {
  std::vector<std::string> names;
  for (const FigureRow& row : figures.rows) names.push_back(row.run->run + (row.part.empty() ? "" : "/" + row.part));
  return names;
}

TEST(RunFigures, CountRoundsAndThresholdsAsNumbers) {
  const Report rounds =
      report({run("aa@10", MetricId::kAttributeAccuracy, 0.5), run("aa@2", MetricId::kAttributeAccuracy, 0.5),
              run("azure", MetricId::kAttributeAccuracy, 0.5)});
  const FigureTable adversarial = run_figures({&rounds}, {"adversarial"});
  EXPECT_EQ(order(adversarial), (std::vector<std::string>{"aa@2", "aa@10", "azure"}));
  EXPECT_EQ(adversarial.rows[1].keys, std::vector<KeyValue>{std::int64_t{10}});
  EXPECT_EQ(adversarial.rows[2].keys, std::vector<KeyValue>{KeyValue()});
  Report thresholds = report({run("b", MetricId::kRedactionRecall, 0.5), run("a", MetricId::kRedactionRecall, 0.5)});
  thresholds.runs[0].params["p"] = "9e-3";
  thresholds.runs[1].params["p"] = "3e-2";
  const FigureTable redaction = run_figures({&thresholds}, {"redaction"});
  EXPECT_EQ(order(redaction), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(redaction.rows[1].keys, std::vector<KeyValue>{0.03});
}

TEST(RunFigures, HaveEachPartOnceAndOnlyWhereItBelongs) {
  Report of = report({run("azure", MetricId::kAttributeAccuracy, 0.5), run("gone", MetricId::kAttributeAccuracy, 0)});
  auto& cuts = of.runs[0].metrics[MetricId::kAttributeAccuracy].cuts;
  cuts["age"] = value(1, 2);
  cuts["level city"] = value(0.25, 4);
  of.runs[0].metrics[MetricId::kAccuracyAtCertainty].cuts["3"] = value(0.75, 4);
  of.runs[1].evaluated = false;
  const FigureTable figures = run_figures({&of}, {"adversarial", true});
  EXPECT_EQ(order(figures),
            (std::vector<std::string>{"azure", "azure/age", "azure/certainty 3", "azure/level city", "gone"}));
  EXPECT_EQ(figures.rows[2].values[3]->value, 0.75) << "accuracy_at_certainty";
  EXPECT_FALSE(figures.rows[2].values[0]) << "attribute_accuracy has no certainty";
  const std::vector<PartFigures> sections = part_sections(of, {"adversarial"});
  ASSERT_EQ(sections.size(), 3U) << "nobody said how hard";
  EXPECT_EQ(sections[1].names, std::vector<std::string>{"city"});
  EXPECT_EQ(sections[1].published_key("city"), "attribute_accuracy/level city");
  ASSERT_EQ(sections[1].runs.size(), 1U) << "evaluated ones";
  EXPECT_EQ(sections[1].runs[0].values.at("city")->value, 0.25);
}

TEST(RunFigures, ComeWithThePapersOwnWhereARunMeansOneOfTheirs) {
  Report of = report({run("none", MetricId::kSemanticDistance, 0.1), run("mine", MetricId::kSemanticDistance, 0.2)});
  of.runs[1].params["reference"] = "No Sanitization";
  const FigureTable figures = run_figures({&of}, {"metrics", false, true});
  ASSERT_FALSE(figures.rows[0].published.empty());
  EXPECT_EQ(figures.rows[1].published, figures.rows[0].published);
  EXPECT_TRUE(run_figures({&of}, {"metrics"}).rows[0].published.empty()) << "nobody asked";
  EXPECT_EQ(reference_names(of.runs[1]), std::vector<std::string>{"No Sanitization"});
  EXPECT_EQ(refusal([&] { run_figures({&of}, {"linkage"}); }), "the table linkage has no definition");
}

TEST(AttackFigures, PlaceAttackersByWhatTheTableIsAbout) {
  const auto linked = [](const char* protocol, double rate) {
    return report({run("none", MetricId::kLinkageRate, rate)}, protocol);
  };
  std::vector<Report> reports = {linked("bm25/first:3/claims", 0.9), linked("bm25/last:3/claims", 0.8),
                                 linked("rouge-l/first:3/claims", 0.7), linked("oracle/first:3/claims", 1)};
  reports[1].sample = 7;
  const AttackFigures linkage = attack_figures(reports, "linkage", true);
  ASSERT_EQ(linkage.columns.size(), 2U);
  EXPECT_EQ(linkage.columns[0].name, "first:3");
  ASSERT_EQ(linkage.rows.size(), 2U);
  EXPECT_EQ(linkage.rows[0].attack, "bm25/claims");
  EXPECT_EQ(linkage.rows[0].run, "none");
  EXPECT_EQ(linkage.rows[0].values[1]->metric.value, 0.8);
  EXPECT_EQ(linkage.rows[0].values[1]->sample, 7U);
  EXPECT_EQ(linkage.rows[0].published.size(), 1U);
  EXPECT_FALSE(linkage.rows[1].values[1]) << "nobody attacked so";
  EXPECT_TRUE(linkage.rows[1].published.empty()) << "the paper's figures are of bm25";
  EXPECT_FALSE(fits_table(reports[3], "linkage"));
  const AttackFigures linkers = attack_figures(reports, "linkers", false);
  ASSERT_EQ(linkers.columns.size(), 3U);
  EXPECT_EQ(linkers.columns[2].name, "oracle") << "controls last";
  EXPECT_EQ(refusal([&] { attack_figures({reports[3]}, "linkage", false); }),
            "no evaluated attacker fits the table linkage");
}

TEST(AgreementFigures, NameWhatHasNoValue) {
  query::AgreementLine line;
  line.kind = "people";
  line.first = "people";
  line.second = "rouge";
  line.kappa = line.cohen = 0;
  EXPECT_TRUE(agreement_figures(line, false).undefined.empty()) << "both vary";
  line.constant = "rouge always says 2";
  const AgreementFigures figures = agreement_figures(line, true);
  EXPECT_EQ(figures.undefined, (std::vector<std::string>{"spearman", "alpha", "kappa_linear"}));
  EXPECT_FALSE(figures.published.empty());
}

TEST(TableNames, AreOneList) {
  for (const TableName& one : table_names()) {
    EXPECT_EQ(find_table(one.name).name, one.name);
    EXPECT_NE(table_list().find(one.name), std::string::npos);
    EXPECT_EQ(is_attack_table(one.name), one.kind == TableKind::kAttacks);
  }
  EXPECT_NE(refusal([] { find_table("agrement"); }).find("agreement"), std::string::npos);
}

}  // namespace
}  // namespace residue::verbs
