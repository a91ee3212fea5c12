// Targets drawn by strata: who comes when, what is stored of it, and what the attempts say of all targets.
#include "query/people/intruder_strata.h"

#include <algorithm>
#include <map>
#include <set>

#include "query/people/intruder_chance.h"
#include "tests/verbs/people/intruder_store.h"

namespace residue::verbs {
namespace {

using query::StrataBy;

class Strata : public Intruder {
 protected:
  // Records n00 to n29 are of label a, n30 to n35 of b, and nobody said what the rest is.
  Strata() { run_sql("UPDATE record SET label = CASE WHEN key < 'n30' THEN 'a' WHEN key < 'n36' THEN 'b' END"); }
  void run_sql(const char* sql) {
    const auto batch = store_->write();
    batch->db().run(sql);
    batch->commit();
  }
  Test open_by(std::optional<StrataBy> by, std::uint32_t absent = 0) {
    return open_intruder(*store_, {.dataset = "d",
                                   .run = "r",
                                   .protocol = "",
                                   .seed = 42,
                                   .absent_percent = absent,
                                   .level = query::ReadLevel::kClaims,
                                   .strata = by});
  }
  static std::string label(const std::string& key) {
    return key < "n30" ? "label:a" : key < "n36" ? "label:b" : "label";
  }
  static std::vector<std::string> order(const Test& test) {
    std::vector<std::string> keys;
    for (const auto& target : test->targets) keys.push_back(test->record(target.record).key);
    return keys;
  }
};

TEST_F(Strata, ComeInRoundsAndWithinEachInTheOrderOfTheDraw) {
  const Test alike = open_by(StrataBy::kNothing), by_label = open_by(StrataBy::kLabel);
  const std::vector<std::string> all = order(alike), strata = order(by_label);
  EXPECT_NE(all, strata);
  std::map<std::string, std::vector<std::string>> before, after;
  for (const std::string& key : all) before[label(key)].push_back(key);
  for (const std::string& key : strata) after[label(key)].push_back(key);
  EXPECT_EQ(before, after) << "within a stratum it is the same simple random order";
  ASSERT_EQ(before.size(), 3U);
  EXPECT_EQ(before["label"].size(), 4U);
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < 12; ++i) ++seen[label(strata[i])];
  for (const auto& [name, count] : seen) EXPECT_EQ(count, 4U) << name;
  // The order of a round is that of the draw: it says nothing of the stratum.
  std::set<std::string> firsts;
  for (std::size_t round = 0; round < 4; ++round) {
    const auto place = [&](std::size_t i) { return std::ranges::find(all, strata[3 * round + i]); };
    EXPECT_TRUE(place(0) < place(1) && place(1) < place(2)) << round;
    firsts.insert(label(strata[3 * round]));
  }
  for (const auto& target : by_label->targets) {
    EXPECT_EQ(target.stratum, label(by_label->record(target.record).key));
  }
  const auto by_nothing = open_by(StrataBy::kNothing, 50);
  for (const auto& target : by_nothing->targets) EXPECT_TRUE(target.stratum.empty());
}

TEST_F(Strata, AreStoredAndGoneOnWithAndNotMixed) {
  const Test test = open_by(StrataBy::kLabel);
  for (int i = 0; i < 3; ++i) answer(test, "ann", next_target(*store_, *test, "ann")->target, std::nullopt, 5);
  EXPECT_EQ(ask("SELECT stratum, count(*) FROM intruder_attempt GROUP BY 1 ORDER BY 1"),
            "label|1\nlabel:a|1\nlabel:b|1\n");
  EXPECT_EQ(order(open_by(std::nullopt)), order(test)) << "as the test was begun";
  EXPECT_NE(refused([&] { open_by(StrataBy::kMachine); }).find("drawn by the strata label"), std::string::npos);
  const Test alike = open_by(StrataBy::kNothing);
  answer(alike, "bo", next_target(*store_, *alike, "bo")->target, std::nullopt, 5);
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt WHERE stratum IS NULL"), "1\n");
  EXPECT_EQ(open_by(std::nullopt)->by, StrataBy::kLabel);
  EXPECT_TRUE(report().unweighted.empty()) << "within each stratum both are simple random samples";
}

TEST_F(Strata, BegunByTwoAtOnceAreNotMixed) {
  const Test by_label = open_by(StrataBy::kLabel), by_machine = open_by(StrataBy::kMachine);
  next_target(*store_, *by_label, "ann");
  EXPECT_EQ(refused([&] { next_target(*store_, *by_machine, "bo"); }).substr(0, 3), "75 ");
  run_sql("UPDATE intruder_attempt SET stratum = 'machine:found'");
  answer(by_label, "ann", next_target(*store_, *by_label, "ann")->target, std::nullopt, 5);
  EXPECT_EQ(report().strata.size(), 2U);
  run_sql(
      "INSERT INTO intruder_attempt (run_id, protocol, sample, record_id, annotator, present, drawn_at, drawn, "
      "stratum) "
      "SELECT run_id, protocol, sample, record_id, 'bo', 1, 0, 0, 'label:a' FROM intruder_attempt");
  EXPECT_EQ(open_by(std::nullopt)->by, StrataBy::kNothing);
  EXPECT_NE(report().unweighted.find("several kinds"), std::string::npos);
}

// Every target of a is found by people and none of the rest, whose targets are drawn as often as those of a.
TEST_F(Strata, AreWeighedByTheirTargets) {
  const Test test = open_by(StrataBy::kLabel);
  std::map<std::string, int> tried;
  for (int i = 0; i < 12; ++i) {
    const std::string target = next_target(*store_, *test, "ann")->target, key = key_of(test, target);
    ++tried[label(key)];
    answer(test, "ann", target, label(key) == "label:a" ? std::optional(text_code(test, target, key)) : std::nullopt,
           90);
  }
  ASSERT_EQ(tried, (std::map<std::string, int>{{"label", 4}, {"label:a", 4}, {"label:b", 4}}));
  const query::IntruderReport found = report();
  EXPECT_EQ(found.by, StrataBy::kLabel);
  EXPECT_EQ(found.unweighted, "");
  EXPECT_EQ(found.person.hits, 4) << "as counted";
  EXPECT_EQ(found.person.n, 12U);
  EXPECT_DOUBLE_EQ(*found.person.value, 29.0 / 39) << "29 of 39 targets are of a: n02 has no text";
  EXPECT_LT(*found.person.low, 29.0 / 39);
  EXPECT_GT(*found.person.high, 29.0 / 39);
  EXPECT_DOUBLE_EQ(*found.person_of_all, (1 + 39 * *found.person.value) / 40);
  EXPECT_NEAR(*found.difference, *found.person.value - *found.machine_person.value, 1e-12);
  ASSERT_EQ(found.strata.size(), 3U);
  EXPECT_EQ(found.strata[0].name, "label");
  EXPECT_EQ(found.strata[1].name, "label:a");
  EXPECT_EQ(found.strata[1].targets, 29U);
  EXPECT_EQ(found.strata[1].attempts, 4U);
  EXPECT_EQ(found.strata[1].present, 4U);
  EXPECT_EQ(found.strata[1].person, 4);
  EXPECT_EQ(found.strata[2].targets, 6U);
  EXPECT_EQ(found.strata[2].person, 0);
  for (const query::SureStep& step : found.sure) {
    EXPECT_EQ(step.recall.n, 12U);
    EXPECT_EQ(step.recall.hits, step.sure <= 90 ? 4 : 0);
    EXPECT_DOUBLE_EQ(*step.recall.value, step.sure <= 90 ? 29.0 / 39 : 0);
    EXPECT_EQ(step.claims, step.sure <= 90 ? 4U : 0U);
  }
}

TEST_F(Strata, OfTheMachineAreWhomItFoundAndWhomItDidNot) {
  run_sql(
      "UPDATE link SET linked_id = iif(record_id IN (SELECT id FROM record WHERE key BETWEEN 'n10' AND 'n15'), NULL, "
      "record_id)");
  const Test test = open_by(StrataBy::kMachine);
  std::map<std::string, int> targets;
  for (const auto& target : test->targets) ++targets[target.stratum];
  EXPECT_EQ(targets, (std::map<std::string, int>{{"machine:found", 33}, {"machine:not found", 6}}));
  for (int i = 0; i < 12; ++i) {
    const std::string target = next_target(*store_, *test, "ann")->target;
    answer(test, "ann", target, std::nullopt, 90);
  }
  const query::IntruderReport found = report();
  EXPECT_EQ(found.machine_person.hits, 6);
  EXPECT_DOUBLE_EQ(*found.machine_person.value, 33.0 / 39) << "what the machine found of all, which is known";
  EXPECT_EQ(*found.person.value, 0);
  // Links of another evaluation are other strata.
  run_sql("UPDATE link SET linked_id = record_id WHERE record_id IN (SELECT id FROM record WHERE key = 'n10')");
  const query::IntruderReport moved = report();
  EXPECT_NE(moved.unweighted.find("1 attempts were drawn when their targets were of another stratum"),
            std::string::npos)
      << moved.unweighted;
  EXPECT_FALSE(moved.person.value);
  EXPECT_EQ(moved.person.n, 12U);
}

TEST_F(Strata, SayNothingOfAllTargetsBeforeEachWasTried) {
  const Test test = open_by(StrataBy::kLabel);
  answer(test, "ann", next_target(*store_, *test, "ann")->target, std::nullopt, 5);
  EXPECT_NE(report().unweighted.find("nobody attempted a target of the stratum"), std::string::npos);
}

TEST_F(Strata, ChanceIsThatOfNamingAnyText) {
  const storage::Lock held = store_->hold_texts();
  const query::IntruderChance chance = query::intruder_chance(*open(0));
  EXPECT_EQ(chance.texts, 39U);
  EXPECT_DOUBLE_EQ(chance.own, 1.0 / 39);
  EXPECT_NEAR(chance.person, (37 * 1 + 2 * 2) / 39.0 / 39.0, 1e-12) << "n00 and n01 are of one person";
}

TEST_F(Strata, ChanceCountsSharedTextsInPart) {
  std::vector<ingest::VariantRow> rows;
  for (int i = 0; i < kRecords; ++i) {
    ingest::VariantRow row;
    row.key = key(i);
    row.text = kept(i == 7 ? 5 : i);
    rows.push_back(row);
  }
  RunOptions run;
  run.dataset = "d";
  run.run = "shared";
  run.rows = rows;
  ingest_run(*store_, run);
  evaluate();
  const Test test = open(0, 42, "shared");
  const storage::Lock held = store_->hold_texts();
  const query::IntruderChance chance = query::intruder_chance(*test);
  EXPECT_NEAR(chance.person, (36 * 1 + 2 * 2 + 2 * 1.5) / 40.0 / 40.0, 1e-12) << "n05 and n07 have one text";
}

}  // namespace
}  // namespace residue::verbs
