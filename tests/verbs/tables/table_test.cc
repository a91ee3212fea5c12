// `report --table` as a face calls it: of which reports a table is, and what it refuses.
#include "verbs/tables/table.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "tests/verbs/small_store.h"
#include "verbs/tables/attack_figures.h"
#include "verbs/tables/run_figures.h"

namespace residue::verbs {
namespace {

TableOptions of(const std::string& name) {
  TableOptions options;
  options.table = name;
  return options;
}

TEST_F(SmallStore, MakesATableOfRuns) {
  evaluate();
  TableOptions options = of("privacy-utility");
  options.gates.gates = {query::parse_gate("leak_rate > 0")};
  const TableResult result = table(*store_, options);
  EXPECT_EQ(result.kind, TableKind::kRuns);
  EXPECT_EQ(result.what.dataset, "d") << "the only one";
  ASSERT_EQ(result.report.reports.size(), 1U);
  EXPECT_EQ(result.report.gates.size(), 2U);
  const FigureTable figures = run_figures({&result.report.reports.front()}, {options.table});
  ASSERT_EQ(figures.rows.size(), 4U);
  EXPECT_TRUE(figures.rows.front().values[1]) << "semantic_distance";
}

TEST_F(SmallStore, MakesATableOfAllAttackers) {
  evaluate("bm25/random:1,bm25/last:2,rouge-l/last:2");
  const TableResult result = table(*store_, of("linkage"));
  EXPECT_EQ(result.what.protocols, "all");
  const AttackFigures figures = attack_figures(result.report.reports, "linkage", false);
  EXPECT_EQ(figures.columns.size(), 2U);
  EXPECT_EQ(figures.rows.size(), 8U) << "four runs by each linker";
  EXPECT_TRUE(figures.rows[0].values[1]) << "bm25 knows a random claim and the last two";
  EXPECT_EQ(figures.rows[1].attack.substr(0, 7), "rouge-l");
  EXPECT_FALSE(figures.rows[1].values[1] && figures.rows[1].values[0]);
}

TEST_F(SmallStore, MakesTablesThatAreOfNoReport) {
  evaluate();
  const auto abstention = std::get<query::Abstention>(table(*store_, of("abstention")).lone);
  EXPECT_EQ(abstention.runs.size(), 4U);
  EXPECT_EQ(std::get<query::Noise>(table(*store_, of("noise")).lone).runs.size(), 4U);
  EXPECT_EQ(refusal([&] { table(*store_, of("task")); }), "there are no answers to the tasks of d");
  EXPECT_EQ(refusal([&] { table(*store_, of("agreement")); }),
            "the store has no labels of people and no judgments from elsewhere");
  EXPECT_NE(refusal([&] { table(*store_, of("copies")); }), "nothing") << "no run is synthetic";
  EXPECT_NE(refusal([&] { table(*store_, of("spans")); }), "nothing");
  EXPECT_NE(refusal([&] { table(*store_, of("corrected")); }), "nothing");
}

TEST(Table, IsRefusedWhereItHasNoSuchFigures) {
  TableOptions options = of("copies");
  EXPECT_EQ(refusal([&] { check(options); }), "nothing");
  options.published = true;
  EXPECT_EQ(refusal([&] { check(options); }), "--reference works only with a paper's table");
  options.table.clear();
  EXPECT_EQ(refusal([&] { check(options); }), "--reference works only with a paper's table");
  options.table = "agreement";
  EXPECT_EQ(refusal([&] { check(options); }), "nothing");
  options.gates.gates = {query::parse_gate("leak_rate > 0")};
  EXPECT_EQ(refusal([&] { check(options); }), "--fail-if: this table has no metrics of runs to compare");
}

}  // namespace
}  // namespace residue::verbs
