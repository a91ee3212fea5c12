// Runs as experiments: tags and notes, which runs are looked at, charts, saved views.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/files/purge.h"
#include "ingest/files/remove.h"
#include "tests/verbs/small_store.h"
#include "verbs/compare.h"
#include "verbs/look/history.h"
#include "verbs/report.h"
#include "verbs/runs/choose.h"
#include "verbs/runs/points.h"
#include "verbs/runs/tags.h"
#include "verbs/runs/views.h"

namespace residue::verbs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class Runs : public SmallStore {
 protected:
  void tag_run(const std::string& run, const std::vector<std::string>& tags) {
    tag(*store_, {{"d", run}, tags, {}, {}});
  }

  RunFacts facts(const std::string& run) {
    for (RunFacts& one : run_facts(store_->db(), "d")) {
      if (one.run == run) return one;
    }
    return {};
  }

  std::int64_t count(const std::string& table) {
    storage::Statement find = store_->db().prepare("SELECT count(*) FROM " + table);
    find.step();
    return find.integer(0);
  }

  std::vector<std::string> names(const RunList& list) {
    std::vector<std::string> all;
    for (const ListedRun& run : list.runs) all.push_back(run.facts.run);
    return all;
  }
};

TEST_F(Runs, TagsAndNotesStayUntilTheyAreTakenAway) {
  TagResult result = tag(*store_, {{"d", "half"}, {"v2", "nightly"}, {}, "with the list of May"});
  EXPECT_THAT(result.run.tags, ElementsAre("nightly", "v2"));
  EXPECT_EQ(result.run.note, "with the list of May");
  result = tag(*store_, {{"d", "half"}, {"v2", "v3"}, {"nightly", "gone"}, {}});
  EXPECT_THAT(result.known, ElementsAre("v2"));
  EXPECT_THAT(result.absent, ElementsAre("gone"));
  EXPECT_THAT(result.run.tags, ElementsAre("v2", "v3"));
  EXPECT_EQ(result.run.note, "with the list of May") << "nobody said anything of it";
  EXPECT_EQ(tag(*store_, {{"d", "half"}, {}, {}, ""}).run.note, std::nullopt);
}

TEST_F(Runs, RefuseWhatIsNoTag) {
  for (const char* name : {"", "-x", "a b", "a,b", "\x1b[2J", "ä"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(refusal([&] { tag_run("half", {name}); }), "this is no name of a tag");
  }
  EXPECT_EQ(refusal([&] { tag_run("half", {std::string(65, 'a')}); }), "this is no name of a tag");
  EXPECT_THAT(refusal([&] { tag_run("hlf", {"v2"}); }), HasSubstr("did you mean \"half\"?"));
  EXPECT_THAT(refusal([&] { tag_run("none", {"v2"}); }), HasSubstr("a control of every dataset"));
  EXPECT_THAT(refusal([&] { tag(*store_, {{"d", "half"}, {"x"}, {"x"}, {}}); }), HasSubstr("added and removed"));
  EXPECT_THAT(refusal([&] { tag(*store_, {{"d", "half"}, {}, {}, std::string(4'001, 'x')}); }), HasSubstr("4000"));
}

TEST_F(Runs, RenamingKeepsTagsAndRemovingTakesThem) {
  tag(*store_, {{"d", "half"}, {"v2"}, {}, "a note"});
  ingest::rename_run(*store_, "d", "half", "other", {});
  EXPECT_THAT(facts("other").tags, ElementsAre("v2"));
  EXPECT_EQ(facts("other").note, "a note");
  ingest::remove_run(*store_, "d", "other");
  EXPECT_EQ(count("run_tag") + count("run_note"), 0);
}

TEST_F(Runs, IngestNotesWhoMadeARunAndTagsIt) {
  EXPECT_FALSE(facts("half").made) << "nobody said which residue it was";
  RunOptions run;
  run.dataset = "d";
  run.run = "third";
  std::vector<ingest::VariantRow> rows(1);
  rows[0].key = "a";
  rows[0].text = "She sings in a choir.";
  run.rows = rows;
  run.tags = {"nightly"};
  run.version = "0.9";
  ingest_run(*store_, run);
  const RunFacts made = facts("third");
  ASSERT_TRUE(made.made);
  EXPECT_EQ(made.made->version, "0.9");
  EXPECT_EQ(made.made->ms, std::nullopt);
  EXPECT_THAT(made.tags, ElementsAre("nightly"));
  run.version = "1.0";
  ingest_run(*store_, run);
  EXPECT_EQ(facts("third").made->version, "0.9") << "no text was changed";
  run.tags = {"not a tag"};
  EXPECT_EQ(refusal([&] { ingest_run(*store_, run); }), "this is no name of a tag");
}

TEST_F(Runs, AConditionLeavesRunsOutAndSaysSo) {
  tag_run("half", {"nightly"});
  evaluate();
  ReportOptions options;
  options.what.dataset = "d";
  options.where = "tag = nightly";
  const ReportResult result = report(*store_, options);
  std::vector<std::string> shown;
  for (const query::ReportRun& run : result.reports.front().runs) shown.push_back(run.run);
  EXPECT_THAT(shown, ElementsAre("half", "none", "remove-all")) << "controls stay";
  for (const auto* runs : {&result.reports.front().oracle, &result.reports.front().random}) {
    for (const query::ReportRun& run : *runs) EXPECT_NE(run.run, "failing");
  }
  ASSERT_EQ(result.chosen.size(), 1U);
  EXPECT_THAT(words_of(result.chosen.front()), ElementsAre("1 of 2 runs meets the condition: tag = nightly"));
}

TEST_F(Runs, GatesAreHeldAgainstTheRunsThatMeetTheCondition) {
  tag_run("half", {"nightly"});
  evaluate();
  ReportOptions options;
  options.what.dataset = "d";
  options.where = "tag = nightly";
  options.gates.gates = {query::parse_gate("leak_rate >= 0")};
  const ReportResult result = report(*store_, options);
  ASSERT_EQ(result.gates.size(), 1U);
  EXPECT_EQ(result.gates.front().run, "half");
}

TEST_F(Runs, AConditionThatNobodyMeetsIsAnErrorOfReports) {
  evaluate();
  ReportOptions options;
  options.what.dataset = "d";
  options.where = "linkage_rate > 0.99 and linkage_rate < 0.01";
  EXPECT_EQ(refusal([&] { report(*store_, options); }), "--where: none of the 2 runs of d meets the condition");
}

TEST_F(Runs, WhatWasNotEvaluatedIsLackingAndNotMet) {
  RunNumbers numbers(*store_, {});
  const Chosen chosen = choose("linkage_rate < 1", run_facts(store_->db(), "d"), numbers);
  EXPECT_THAT(chosen.runs, IsEmpty());
  EXPECT_EQ(chosen.of, 2U);
  EXPECT_THAT(chosen.lacking, ElementsAre(Pair("linkage_rate", ElementsAre("failing", "half"))));
  EXPECT_THAT(words_of(chosen),
              ElementsAre("0 of 2 runs meet the condition: linkage_rate < 1",
                          "2 runs have no linkage_rate, so they do not meet the condition: failing, half"));
}

TEST_F(Runs, AreListedInOrderWithWhatIsMissingLast) {
  tag_run("half", {"v2"});
  ListOptions options;
  options.what.dataset = "d";
  options.columns = {"tag", "linkage_rate"};
  options.sort = "tag:desc";
  EXPECT_THAT(names(list_runs(*store_, options)), ElementsAre("half", "failing", "none", "remove-all"));
  evaluate();
  options.where = "tag = v2 or run = failing";
  options.sort = "linkage_rate";
  options.group = "tag";
  const RunList list = list_runs(*store_, options);
  EXPECT_EQ(names(list).front(), "half") << "its group has a value";
  EXPECT_EQ(list.chosen.runs.size(), 2U);
  EXPECT_EQ(list.judge, "lexical");
  ASSERT_EQ(list.columns.size(), 2U);
  EXPECT_EQ(std::get<std::string>(list.runs.front().values[0]), "v2");
  EXPECT_TRUE(list.runs.front().intervals[1].low);
  options.where = "linkage_rate > 0.99 and linkage_rate < 0.01";
  EXPECT_THAT(names(list_runs(*store_, options)), ::testing::UnorderedElementsAre("none", "remove-all"));
  options.columns = {"linkge_rate"};
  EXPECT_THAT(refusal([&] { list_runs(*store_, options); }),
              HasSubstr("--columns: runs have no \"linkge_rate\"; did you"));
}

TEST_F(Runs, CompareAndHistoryTakeTheSameConditions) {
  tag_run("half", {"nightly"});
  evaluate();
  CompareOptions compared;
  compared.what.runs.dataset = "d";
  compared.what.runs.runs = {"none"};
  compared.all_runs = true;
  compared.where = "tag = nightly";
  const CompareResult result = compare(*store_, compared);
  ASSERT_EQ(result.compared.runs.size(), 1U);
  EXPECT_EQ(result.compared.runs.front().run, "half");
  compared.what.runs.runs.clear();
  EXPECT_THAT(refusal([&] { compare(*store_, compared); }), HasSubstr("leaves one run over, half"));
  compared.all_runs = false;
  EXPECT_THAT(refusal([&] { compare(*store_, compared); }), HasSubstr("here runs are named"));
  HistoryOptions past;
  past.where = "tag = nightly";
  for (const query::HistoryRow& row : history(*store_, past).rows) EXPECT_EQ(row.run, "half");
  EXPECT_FALSE(history(*store_, past).rows.empty());
}

TEST_F(Runs, StandInAChartWithTheirIntervals) {
  evaluate();
  ReportOptions options;
  options.what.dataset = "d";
  const ReportResult result = report(*store_, options);
  const query::Report& report = result.reports.front();
  Plot plot = plot_of(report, plot_fields("rougeL_f,leak_rate", result.runs), result.runs);
  ASSERT_EQ(plot.points.size(), 4U);
  for (const PlotPoint& point : plot.points) {
    SCOPED_TRACE(point.run);
    EXPECT_EQ(point.control, point.run == "none" || point.run == "remove-all");
    EXPECT_TRUE(point.x.value && point.y.value);
    EXPECT_TRUE(point.y.low && point.y.high);
  }
  plot = plot_of(report, plot_fields("made,leak_rate", result.runs), result.runs);
  for (const PlotPoint& point : plot.points) EXPECT_EQ(point.x.value.has_value(), !point.control) << point.run;
  plot = plot_of(report, plot_fields("seed,leak_rate", {[] {
                                       RunFacts seeded;
                                       seeded.seed = 1;
                                       return seeded;
                                     }()}),
                 result.runs);
  EXPECT_EQ(plot.left_out["half"], "seed: no value");
  EXPECT_THAT(refusal([&] { plot_fields("leak_rate", result.runs); }), HasSubstr("two names with a comma"));
  EXPECT_THAT(refusal([&] { plot_fields("run,leak_rate", result.runs); }), HasSubstr("run is no number"));
  EXPECT_THAT(refusal([&] { plot_fields("lek_rate,seed", result.runs); }), HasSubstr("did you mean \"leak_rate\""));
}

TEST_F(Runs, ViewsHoldCommandsThatLook) {
  EXPECT_FALSE(save_view(*store_, "nightly", {"report", "d", "--where", "tag = nightly"}));
  const auto before = save_view(*store_, "nightly", {"show", "d"});
  ASSERT_TRUE(before);
  EXPECT_THAT(before->words, ElementsAre("report", "d", "--where", "tag = nightly"));
  EXPECT_THAT(find_view(*store_, "nightly").words, ElementsAre("show", "d"));
  EXPECT_THAT(refusal([&] { find_view(*store_, "nigtly"); }), HasSubstr("did you mean \"nightly\"?"));
  for (const char* command : {"purge", "sql", "export", "", "view"}) {
    SCOPED_TRACE(command);
    EXPECT_THAT(refusal([&] { save_view(*store_, "x", {command, "d"}); }), HasSubstr("a view"));
  }
  EXPECT_THAT(refusal([&] { save_view(*store_, "x", {"raport"}); }), HasSubstr("did you mean \"report\"?"));
  EXPECT_EQ(refusal([&] { save_view(*store_, "a b", {"report"}); }), "this is no name of a view");
  EXPECT_THAT(refusal([&] { save_view(*store_, "list", {"report"}); }), HasSubstr("is a command"));
  EXPECT_EQ(remove_view(*store_, "nightly").name, "nightly");
  EXPECT_THAT(saved_views(*store_), IsEmpty());
}

TEST_F(Runs, PurgingTakesViewsThatNameWhatGoes) {
  const auto save = [&](const std::string& name, const std::vector<std::string>& words) {
    save_view(*store_, name, words);
  };
  save("all", {"report", "d"});
  save("one", {"leaks", "d/half"});
  save("asked", {"report", "d", "--where", "run=half or tag = x"});
  save("halfway", {"report", "d", "--where", "tag = half-done"});
  save("past", {"history"});
  const auto kept = [&] {
    std::vector<std::string> names;
    for (const SavedView& view : saved_views(*store_)) names.push_back(view.name);
    return names;
  };
  tag(*store_, {{"d", "half"}, {"v2"}, {}, "a note"});
  EXPECT_THAT(ingest::purge_rows(*store_, {ingest::PurgeKind::kRun, "d", "half"}).views, ElementsAre("asked", "one"));
  EXPECT_THAT(kept(), ElementsAre("all", "halfway", "past"));
  EXPECT_EQ(count("run_tag") + count("run_note"), 0);
  ingest::purge_rows(*store_, {ingest::PurgeKind::kDataset, "d", ""});
  EXPECT_THAT(kept(), ElementsAre("past"));
}

TEST(Lines, AreSplitAsAShellDoes) {
  EXPECT_THAT(split_line("report clinic --where 'tag = nightly'"),
              ElementsAre("report", "clinic", "--where", "tag = nightly"));
  EXPECT_THAT(split_line(R"(  a"b c"d  e\ f '' "\"" '\')"), ElementsAre("ab cd", "e f", "", "\"", "\\"));
  EXPECT_THAT(split_line(" \n"), IsEmpty());
  EXPECT_EQ(refusal([] { split_line("a 'b"); }), "a quote (') is not closed");
}

}  // namespace
}  // namespace residue::verbs
