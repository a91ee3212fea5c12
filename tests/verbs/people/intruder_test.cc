// The intruder test: who is drawn, what can be found, what an answer is worth. Hand-made attempts with known outcomes.
#include "verbs/people/intruder.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "numbers/stats/bootstrap.h"
#include "tests/verbs/people/intruder_store.h"
#include "verbs/keep/remove.h"

namespace residue::verbs {
namespace {

TEST_F(Intruder, DrawsEveryTargetOnceInAnOrderOfTheSeedAlone) {
  std::vector<std::string> first, second;
  for (const std::string who : {"ann", "bo"}) {
    std::vector<std::string> drawn;
    while (true) {
      const Test test = open();  // as another process would
      const auto target = next_target(*store_, *test, who);
      if (!target) break;
      EXPECT_FALSE(target->again);
      EXPECT_EQ(target->answered, drawn.size());
      EXPECT_EQ(target->left, 39 - drawn.size());
      EXPECT_EQ(target->facts.size(), 2U);
      const auto again = next_target(*store_, *test, who);
      EXPECT_TRUE(again->again);
      EXPECT_EQ(again->target, target->target);
      drawn.push_back(key_of(test, target->target));
      answer(test, who, target->target, std::nullopt, 50);
    }
    EXPECT_EQ(drawn.size(), 39U) << "all but n02, whose text failed";
    EXPECT_EQ(std::set<std::string>(drawn.begin(), drawn.end()).size(), drawn.size());
    EXPECT_EQ(std::ranges::count(drawn, "n02"), 0);
    if (first.empty()) first = drawn;
    EXPECT_EQ(drawn, first);
  }
  EXPECT_EQ(
      ask("SELECT count(*) FROM (SELECT record_id FROM intruder_attempt GROUP BY record_id HAVING min(present) <> "
          "max(present))"),
      "0\n")
      << "a target is absent for everybody, or for nobody";
  const auto keys = [](const Test& test) {
    std::vector<std::string> all;
    for (const auto& target : test->targets)
      all.push_back(test->record(target.record).key + (target.absent ? "-" : "+"));
    return all;
  };
  const std::vector<std::string> before = keys(open());
  EXPECT_NE(keys(open(25, 43)), before);
  reopen(true);
  evaluate();
  EXPECT_EQ(keys(open()), before) << "another store, the same draw";
  std::size_t absent = 0;
  for (const std::string& one : before) absent += one.back() == '-' ? 1 : 0;
  EXPECT_GE(absent, 4U);
  EXPECT_LE(absent, 16U);
}

TEST_F(Intruder, FindsWhoIsThereAndNobodyWhoIsAbsent) {
  const Test test = open(50);
  std::size_t there = 0, absent = 0;
  while (const auto target = next_target(*store_, *test, "ann")) {
    const std::string key = key_of(test, target->target);
    const std::string own = text_code(test, target->target, key);
    const auto hits = search_release(
        *store_, *test, {.annotator = "ann", .target = target->target, .text = kept(std::stoi(key.substr(1)))});
    ASSERT_FALSE(hits.empty());
    std::set<std::string> codes;
    for (const ReleasedHit& hit : hits) {
      EXPECT_NE(hit.code, key);
      EXPECT_TRUE(codes.insert(hit.code).second);
      EXPECT_EQ(hit.rank, codes.size());
    }
    if (present("ann", key)) {
      ++there;
      EXPECT_EQ(hits.front().code, own);
      EXPECT_EQ(read_release(*store_, *test, "ann", target->target, own), kept(std::stoi(key.substr(1))));
    } else {
      ++absent;
      EXPECT_FALSE(codes.contains(own));
      EXPECT_EQ(refused([&] { read_release(*store_, *test, "ann", target->target, own); }),
                refused([&] { read_release(*store_, *test, "ann", target->target, "0123456789"); }));
      EXPECT_EQ(refused([&] { answer(test, "ann", target->target, own, 50); }).substr(0, 2), "3 ");
    }
    answer(test, "ann", target->target, std::nullopt, 50);
  }
  EXPECT_GT(there, 5U);
  EXPECT_GT(absent, 5U);
}

// n00 and n01 are of one person: where one is absent, the other is.
TEST_F(Intruder, LeavesOutEverybodyWhomTheAbsentAttackLeavesOut) {
  const Test test = open();
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < test->dataset().records.size(); ++i) places[test->record(i).key] = i;
  const auto id = [&](const std::string& key) { return CandidateId{test->record(places[key]).id.value}; };
  EXPECT_EQ(test->left_out(places["n00"]), (std::vector<CandidateId>{id("n00"), id("n01")}));
  EXPECT_EQ(test->left_out(places["n05"]), (std::vector<CandidateId>{id("n05")}));
}

TEST_F(Intruder, GivesATextAnotherCodeForEachTarget) {
  const Test test = open();
  std::set<std::string> codes;
  for (const auto& target : test->targets) {
    const std::string code = test->target_code(target.record);
    EXPECT_EQ(code.size(), 10U);
    EXPECT_TRUE(codes.insert(code).second);
    for (const CandidateId candidate : test->release.candidates.ids) {
      const std::string text = test->text_code(target.record, candidate);
      EXPECT_TRUE(codes.insert(text).second);
      EXPECT_EQ(test->text_of(target.record, text), candidate);
    }
    EXPECT_EQ(test->target_of(code), target.record);
  }
}

// Everybody whose number is divisible by 4 is found, by 4 with remainder 1 taken for somebody else, all others not
// found.
TEST_F(Intruder, CountsWhatAHandAndSqlCount) {
  const Test test = open(30);
  int right = 0, wrong = 0, none = 0, rightly = 0, falsely = 0, attempts = 0;
  while (const auto target = next_target(*store_, *test, "ann")) {
    const std::string key = key_of(test, target->target);
    const int i = std::stoi(key.substr(1));
    const bool there = present("ann", key);
    std::optional<std::string> choice;
    if (i % 4 == 0 && there) choice = text_code(test, target->target, key);
    if (i % 4 == 1) choice = text_code(test, target->target, this->key((i + 7) % kRecords));
    answer(test, "ann", target->target, choice, choice ? 90 - i : 20, 10 + i);
    ++attempts;
    right += choice && i % 4 == 0;
    wrong += there && i % 4 == 1;
    none += there && !choice;
    falsely += !there && choice;
    rightly += !there && !choice;
  }
  const query::IntruderReport found = report();
  EXPECT_EQ(found.attempts, static_cast<std::uint64_t>(attempts));
  EXPECT_EQ(found.right, static_cast<std::uint64_t>(right));
  EXPECT_EQ(found.wrong, static_cast<std::uint64_t>(wrong));
  EXPECT_EQ(found.none, static_cast<std::uint64_t>(none));
  EXPECT_EQ(found.false_claims, static_cast<std::uint64_t>(falsely));
  EXPECT_EQ(found.rightly_none, static_cast<std::uint64_t>(rightly));
  EXPECT_EQ(found.present, static_cast<std::uint64_t>(right + wrong + none));
  EXPECT_EQ(found.absent, static_cast<std::uint64_t>(rightly + falsely));
  EXPECT_EQ(found.failed_targets, 1U);
  EXPECT_EQ(found.targets, 39U);
  // The same by SQL alone.
  const auto number = [&](const std::string& where) {
    return std::stoull(ask("SELECT count(*) FROM intruder_attempt a WHERE a.answered_at IS NOT NULL AND " + where));
  };
  EXPECT_EQ(found.right, number("present AND chosen_id = record_id"));
  EXPECT_EQ(found.wrong, number("present AND chosen_id <> record_id"));
  EXPECT_EQ(found.none, number("present AND chosen_id IS NULL"));
  EXPECT_EQ(found.false_claims, number("NOT present AND chosen_id IS NOT NULL"));
  for (const query::SureStep& step : found.sure) {
    EXPECT_EQ(step.claims, number("chosen_id IS NOT NULL AND sure >= " + std::to_string(step.sure)));
    EXPECT_EQ(step.precision.hits,
              number("present AND chosen_id = record_id AND sure >= " + std::to_string(step.sure)));
    EXPECT_EQ(step.precision.value.has_value(), step.claims >= query::kFewestAttempts);
    EXPECT_EQ(step.recall.n, found.present);
  }
  // No two targets but n00 and n01 are of one person; these may both be there.
  ASSERT_TRUE(found.own.value);
  EXPECT_DOUBLE_EQ(*found.own.value, static_cast<double>(right) / static_cast<double>(found.present));
  if (found.persons == found.attempts) {
    EXPECT_DOUBLE_EQ(*found.own.low, numbers::wilson_interval(right, right + wrong + none).low);
  }
  EXPECT_LE(*found.own.low, *found.own.value);
  EXPECT_GE(*found.own.high, *found.own.value);
  EXPECT_DOUBLE_EQ(*found.person_of_all, (1 + 39 * *found.person.value) / 40);
  // The machine on the same targets.
  const char* const linked =
      "SELECT count(*), sum(l.linked_id = l.record_id) FROM intruder_attempt a JOIN link l ON l.run_id = a.run_id AND "
      "l.record_id = a.record_id JOIN protocol p ON p.id = l.protocol_id AND p.name = a.protocol WHERE a.present";
  EXPECT_EQ(ask(linked),
            std::to_string(found.machine_own.n) + "|" + std::to_string(std::llround(found.machine_own.hits)) + "\n");
  EXPECT_EQ(ask("SELECT m.value FROM metric m JOIN metric_definition f ON f.id = m.metric JOIN evaluation e ON e.id = "
                "m.evaluation_id JOIN run u ON u.id = e.run_id JOIN protocol p ON p.id = e.protocol_id WHERE f.name = "
                "'linkage_rate' AND u.name = 'r' AND m.slice = '' AND p.name = '" +
                found.protocol + "' AND m.value = " + std::to_string(*found.machine_all_own.value))
                .empty(),
            false);
  EXPECT_EQ(found.machine_all_own.n, 40U);
  EXPECT_NEAR(*found.difference, *found.person.value - *found.machine_person.value, 1e-12);
  EXPECT_LE(*found.difference_low, *found.difference);
  EXPECT_EQ(found.machine_false_claim.n, found.absent);
  ASSERT_EQ(found.annotators.size(), 1U);
  EXPECT_EQ(found.annotators[0].attempts, found.attempts);
  EXPECT_EQ(report("nobody").attempts, 0U);
  EXPECT_FALSE(report("nobody").own.value);
}

TEST_F(Intruder, CountsAnotherRecordOfTheSamePersonAsFound) {
  const Test test = open(0);
  while (const auto target = next_target(*store_, *test, "ann")) {
    const bool first = key_of(test, target->target) == "n00";
    answer(test, "ann", target->target, first ? std::optional(text_code(test, target->target, "n01")) : std::nullopt,
           50);
  }
  const query::IntruderReport found = report();
  EXPECT_EQ(found.right, 1U);
  EXPECT_EQ(found.own.hits, 0);
  EXPECT_EQ(found.person.hits, 1);
  EXPECT_EQ(found.persons, 38U) << "n00 and n01 are resampled together";
}

TEST_F(Intruder, SaysTooFewOfFewAttempts) {
  const Test test = open(0);
  for (std::uint64_t i = 0; i < query::kFewestAttempts; ++i) {
    const query::IntruderReport found = report();
    EXPECT_FALSE(found.person.value || found.person.low || found.difference || found.person_of_all) << i;
    EXPECT_EQ(found.person.n, i);
    answer(test, "ann", next_target(*store_, *test, "ann")->target, std::nullopt, 50);
  }
  const query::IntruderReport found = report();
  ASSERT_TRUE(found.person.value);
  EXPECT_EQ(*found.person.value, 0);
  EXPECT_GT(*found.person.high, 0.1) << "ten who are not found say little";
}

TEST_F(Intruder, IsFailedWhereTheTextFailedSinceAndOutdatedWhereItChanged) {
  const Test test = open(0);
  std::map<std::string, std::string> codes;
  while (const auto target = next_target(*store_, *test, "ann")) {
    const std::string key = key_of(test, target->target);
    answer(test, "ann", target->target, text_code(test, target->target, key == "n07" ? "n05" : key), 50);
  }
  EXPECT_EQ(report().right, 38U);
  EXPECT_EQ(report().wrong, 1U);
  add_run("r", {2, 3}, 5);  // n03 fails, n05 has another text: what was found, and what was taken for n07
  const query::IntruderReport found = report();
  EXPECT_TRUE(found.stale);
  EXPECT_EQ(found.failed, 1U);
  EXPECT_EQ(found.outdated, 1U) << "the target n05; that n07 was taken for it stays";
  EXPECT_EQ(found.right, 36U);
  EXPECT_EQ(found.wrong, 1U);
  EXPECT_EQ(found.named_changed, 1U);
  EXPECT_EQ(found.attempts, 38U);
  EXPECT_EQ(found.person.hits, 37) << "a failure is no privacy";
  ASSERT_TRUE(found.person_of_all);
  EXPECT_DOUBLE_EQ(*found.person_of_all, (2 + 38 * 36.0 / 37) / 40) << "36 of 37 texts that are there; two failed";
  EXPECT_EQ(found.failed_targets, 2U);
}

// Of 39 answers every second one is wrong, and each names another's text. Texts change: of targets that were found and
// of others alike. What is lost must be as often right as wrong, whoever was named.
TEST_F(Intruder, LosesNoAnswerBecauseAnotherTextWasNamed) {
  const Test test = open(0);
  while (const auto target = next_target(*store_, *test, "ann")) {
    const int i = std::stoi(key_of(test, target->target).substr(1));
    const int other = i % 2 == 0 ? i : i == 39 ? 37 : i + 2;
    answer(test, "ann", target->target, text_code(test, target->target, key(other)), 50);
  }
  const query::IntruderReport before = report();
  EXPECT_EQ(before.right, 19U) << "the even ones, but n02 has no text";
  EXPECT_EQ(before.wrong, 20U);
  for (int i = 3; i < kRecords; i += 2) {
    add_run("r", {2}, i);
    const query::IntruderReport found = report();
    EXPECT_EQ(found.outdated, 1U) << "the attempt on the target alone, not who was taken for it";
    EXPECT_EQ(found.named_changed, i == 37 ? 2U : 1U) << i;
    EXPECT_EQ(found.right, before.right) << i;
    EXPECT_EQ(found.wrong, before.wrong - 1) << i;
  }
}

TEST_F(Intruder, JudgesTheTextThatWasNamedWhateverItsRecordHasByNow) {
  std::vector<std::string> texts;
  for (int i = 0; i < kRecords; ++i) texts.push_back(kept(i));
  texts[11] = texts[10];
  add_texts(texts);
  const Test test = open(0);
  for (int n = 0; n < 39; ++n) {
    const std::string target = next_target(*store_, *test, "ann")->target, key = key_of(test, target);
    answer(test, "ann", target,
           key == "n10"   ? std::optional(text_code(test, target, "n11"))
           : key == "n12" ? std::optional(text_code(test, target, "n13"))
                          : std::nullopt,
           50);
  }
  EXPECT_EQ(report().shared, 1U) << "n10 and n11 have one text";
  EXPECT_EQ(report().wrong, 1U);
  EXPECT_EQ(report().person.hits, 0.5);
  texts[11] = kept(11);
  texts[13] = texts[12];  // who was given the facts of n12 had named another text
  add_texts(texts);
  const query::IntruderReport found = report();
  EXPECT_EQ(found.shared, 1U);
  EXPECT_EQ(found.wrong, 1U);
  EXPECT_EQ(found.person.hits, 0.5);
  EXPECT_EQ(found.named_changed, 2U);
  RemoveOptions gone;
  gone.target = {"d", "n11"};
  gone.record = true;
  remove(*store_, gone, Removal::What::kRecord);
  EXPECT_EQ(report().shared, 1U) << "it was n10's text, word for word";
  EXPECT_EQ(report().person.hits, 0.5);
}

TEST_F(Intruder, TakesADrawBackWhereTheTextsChangedBeforeTheAnswer) {
  Test test = open();
  const auto target = next_target(*store_, *test, "ann");
  add_run("r", {2}, 9);
  EXPECT_EQ(refused([&] { answer(test, "ann", target->target, std::nullopt, 50); }).substr(0, 3), "75 ");
  EXPECT_EQ(refused([&] { next_target(*store_, *test, "ann"); }).substr(0, 3), "75 ");
  EXPECT_EQ(refused([&] {
              search_release(*store_, *test, {.annotator = "ann", .target = target->target, .text = "home"});
            }).substr(0, 3),
            "75 ");
  test = open();
  EXPECT_TRUE(test->stale);
  EXPECT_EQ(refused([&] { answer(test, "ann", target->target, std::nullopt, 50); }).substr(0, 2), "6 ");
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt"), "0\n");
  EXPECT_EQ(refused([&] { answer(test, "ann", target->target, std::nullopt, 50); }).substr(0, 2), "3 ");
  const auto again = next_target(*store_, *test, "ann");
  EXPECT_EQ(again->target, target->target);
  EXPECT_FALSE(again->again);
}

TEST_F(Intruder, ForgetsTheAttemptsOnWhoIsRemoved) {
  const Test test = open(0);
  std::string n03, n04;
  while (const auto target = next_target(*store_, *test, "ann")) {
    const std::string key = key_of(test, target->target);
    if (key == "n03") n03 = target->target;
    answer(test, "ann", target->target,
           key == "n04" ? std::optional(text_code(test, target->target, "n03")) : std::nullopt, 50);
    if (key == "n04") n04 = target->target;
  }
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt"), "39\n");
  RemoveOptions gone;
  gone.target = {"d", "n03"};
  gone.record = true;
  remove(*store_, gone, Removal::What::kRecord);
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt"), "38\n") << "without n03";
  EXPECT_EQ(report().outdated, 0U);
  EXPECT_EQ(report().wrong, 1U) << "what named it stays, and is wrong";
  EXPECT_EQ(report().named_changed, 1U);
  EXPECT_EQ(report().none, 37U);
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt a LEFT JOIN record r ON r.id = a.record_id WHERE r.id IS NULL"),
            "0\n");
  EXPECT_EQ(refused([&] { tell_outcome(*store_, *test, "ann", n03); }).substr(0, 3), "75 ");
  EXPECT_EQ(refused([&] { tell_outcome(*store_, *open(0), "ann", n03); }).substr(0, 2), "3 ");
  EXPECT_EQ(answer(open(0), "ann", n04, std::nullopt, 50), Kept::kChanged) << "somebody was named, nobody is now";
  EXPECT_EQ(report().none, 38U);
  gone = {};
  gone.target = {"d", "r"};
  remove(*store_, gone, Removal::What::kRun);
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt"), "0\n");
}

TEST_F(Intruder, TellsNothingUnaskedAndKeepsThatItTold) {
  const Test test = open(0);
  const std::string target = next_target(*store_, *test, "ann")->target;
  const std::string key = key_of(test, target);
  EXPECT_EQ(refused([&] { tell_outcome(*store_, *test, "ann", target); }).substr(0, 2), "6 ");
  EXPECT_EQ(answer(test, "ann", target, std::nullopt, 30, 5), Kept::kNew);
  EXPECT_EQ(answer(test, "ann", target, std::nullopt, 30, 9), Kept::kSame);
  EXPECT_EQ(ask("SELECT ms FROM intruder_attempt"), "5000\n") << "the first time is how long it took";
  EXPECT_EQ(answer(test, "ann", target, text_code(test, target, key), 80), Kept::kChanged);
  EXPECT_EQ(tell_outcome(*store_, *test, "ann", target), "right");
  EXPECT_EQ(refused([&] { answer(test, "ann", target, std::nullopt, 80); }).substr(0, 2), "6 ");
  EXPECT_EQ(answer(test, "ann", target, text_code(test, target, key), 80), Kept::kSame);
  EXPECT_EQ(report().told, 1U);
  EXPECT_EQ(refused([&] { tell_outcome(*store_, *test, "bo", target); }).substr(0, 2), "3 ");
}

TEST_F(Intruder, RefusesWhatIsNoAnswerAndWhoMayNotRead) {
  const Test test = open();
  const std::string target = next_target(*store_, *test, "ann")->target;
  for (const std::int64_t sure : {-1, 101, 1'000'000}) {
    EXPECT_EQ(refused([&] { answer(test, "ann", target, std::nullopt, sure); }).substr(0, 2), "6 ");
  }
  for (const double seconds : {-0.5, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(refused([&] { answer(test, "ann", target, std::nullopt, 5, seconds); }).substr(0, 2), "6 ");
  }
  for (const std::string& choice : std::vector<std::string>{"", "n00", "none", "0123456789", std::string(5000, 'a')}) {
    EXPECT_EQ(refused([&] { answer(test, "ann", target, choice, 5); }).substr(0, 2), "3 ");
  }
  EXPECT_EQ(refused([&] { answer(test, "bo", target, std::nullopt, 5); }).substr(0, 2), "3 ") << "given to ann";
  EXPECT_EQ(refused([&] { answer(test, "", target, std::nullopt, 5); }).substr(0, 2), "2 ");
  EXPECT_EQ(refused([&] { next_target(*store_, *test, "\n"); }).substr(0, 2), "2 ");
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_attempt WHERE answered_at IS NOT NULL"), "0\n");
  EXPECT_EQ(refused([&] { open(91); }).substr(0, 2), "2 ");
  add_synthetic();
  EXPECT_NE(refused([&] { open(25, 42, "s"); }).find("synthetic"), std::string::npos);
  EXPECT_NE(refused([&] { open(25, 42, "remove-all"); }).find("no texts"), std::string::npos);
  EXPECT_EQ(refused([&] { open(25, 42, "none"); }).substr(0, 2), "3 ") << "originals";
  IntruderOptions options;
  options.dataset = "d";
  options.run = "r";
  EXPECT_EQ(refused([&] { open_intruder(*store_, options); }).substr(0, 2), "2 ");
  options.level = query::ReadLevel::kOriginals;
  options.run = "none";
  EXPECT_EQ(open_intruder(*store_, options)->targets.size(), 40U);
  options.run = "elsewhere";
  EXPECT_EQ(refused([&] { open_intruder(*store_, options); }).substr(0, 2), "3 ");
}

TEST_F(Intruder, KeepsTwoAnnotatorsApart) {
  const Test test = open(0), other = open(0);
  const std::string target = next_target(*store_, *test, "ann")->target;
  EXPECT_EQ(next_target(*store_, *other, "bo")->target, target);
  answer(other, "bo", target, std::nullopt, 10);
  EXPECT_TRUE(next_target(*store_, *test, "ann")->again) << "ann has not answered";
  answer(test, "ann", target, text_code(test, target, key_of(test, target)), 90);
  EXPECT_EQ(ask("SELECT annotator, chosen_id IS NULL, sure FROM intruder_attempt ORDER BY annotator"),
            "ann|0|90\nbo|1|10\n");
  EXPECT_EQ(report().attempts, 2U);
  EXPECT_EQ(report().persons, 1U);
  EXPECT_EQ(report("bo").attempts, 1U);
}

}  // namespace
}  // namespace residue::verbs
