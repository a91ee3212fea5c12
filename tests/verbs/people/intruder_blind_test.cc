// Outcomes are held back while somebody looks; who read them is kept, and what came after is told apart.
#include "tests/verbs/people/intruder_store.h"

namespace residue::verbs {
namespace {

class Blind : public Intruder {
 protected:
  // How far people are, without asking for more.
  query::IntruderReport glance(std::optional<std::string> who = std::nullopt) {
    return intruder_report(*store_, {"d", "r", "", std::move(who)});
  }
  query::IntruderReport look(const std::string& reader) {
    return intruder_report(*store_, {"d", "r", "", std::nullopt, true, reader});
  }
  // The next target of an annotator, answered with its own text.
  std::string find_one(const Test& test, const std::string& who) {
    const std::string target = next_target(*store_, *test, who)->target;
    answer(test, who, target, text_code(test, target, key_of(test, target)), 90, 10);
    return target;
  }
  std::string blind() {
    return ask("SELECT coalesce(blind, '-') FROM intruder_attempt WHERE answered_at IS NOT NULL ORDER BY id");
  }
};

TEST_F(Blind, SaysHowFarPeopleAreAndNotHowItCameOut) {
  const Test test = open(0);
  find_one(test, "ann");
  const std::string second = next_target(*store_, *test, "ann")->target;
  answer(test, "ann", second, std::nullopt, 90);
  next_target(*store_, *test, "bo");
  for (const auto& found : {glance(), glance("ann"), glance("bo")}) {
    EXPECT_TRUE(found.held);
    EXPECT_EQ(found.right + found.wrong + found.none + found.failed + found.shared + found.present + found.absent, 0U);
    EXPECT_EQ(found.person.n + found.own.n + found.machine_person.n + found.false_claim.n + found.person_blind.n, 0U);
    EXPECT_EQ(found.person.hits + found.own.hits + found.machine_person.hits, 0);
    EXPECT_TRUE(found.sure.empty() && found.machine_sure.empty());
    for (const auto& one : found.annotators) EXPECT_EQ(one.right + one.wrong + one.none + one.rightly_none, 0U);
    EXPECT_EQ(found.targets, 39U);
    EXPECT_EQ(found.machine_all_own.n, 40U) << "of the whole run, not of the attempts";
  }
  EXPECT_EQ(glance().attempts, 2U);
  EXPECT_EQ(glance().blind, 2U);
  EXPECT_EQ(glance().open, 1U);
  EXPECT_EQ(glance("ann").annotators[0].attempts, 2U);
  EXPECT_EQ(*glance().median_seconds, 10);
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_look"), "0\n") << "nobody asked";
  const query::IntruderReport found = look("carl");
  EXPECT_FALSE(found.held);
  EXPECT_EQ(found.right, 1U);
  EXPECT_EQ(found.none, 1U);
  EXPECT_EQ(found.readers, std::vector<std::string>{"carl"});
  EXPECT_TRUE(glance().held) << "every look is asked for";
}

TEST_F(Blind, IsToldApartFromWhatCameAfterALook) {
  const Test test = open(0);
  const std::string first = find_one(test, "ann"), second = find_one(test, "ann");
  EXPECT_EQ(blind(), "1\n1\n");
  look("ann");
  find_one(test, "ann");
  find_one(test, "bo");
  EXPECT_EQ(blind(), "1\n1\n0\n1\n") << "bo has not looked";
  EXPECT_EQ(answer(test, "ann", first, text_code(test, first, key_of(test, first)), 90), Kept::kSame);
  EXPECT_EQ(blind(), "1\n1\n0\n1\n") << "it was said before";
  EXPECT_EQ(answer(test, "ann", second, std::nullopt, 90), Kept::kChanged);
  EXPECT_EQ(blind(), "1\n0\n0\n1\n") << "who looks and answers anew learns what was right";
  query::IntruderReport found = look("ann");
  EXPECT_EQ(found.attempts, 4U);
  EXPECT_EQ(found.blind, 2U);
  EXPECT_EQ(found.after_look, 2U);
  EXPECT_EQ(found.person_blind.n, 2U);
  EXPECT_EQ(found.person_blind.hits, 2);
  EXPECT_EQ(found.person_after_look.n, 2U);
  EXPECT_EQ(found.person_after_look.hits, 1);
  EXPECT_EQ(found.annotators[0].after_look, 2U);
  EXPECT_EQ(found.annotators[1].blind, 1U);
  look("");
  find_one(test, "bo");
  find_one(test, "new");
  EXPECT_EQ(blind(), "1\n0\n0\n1\n0\n0\n") << "nobody knows who looked: it may have been anybody";
  EXPECT_EQ(ask("SELECT reader FROM intruder_look ORDER BY 1"), "\nann\n");
  EXPECT_EQ(refused([&] { look("\n"); }).substr(0, 2), "2 ");
}

TEST_F(Blind, IsNotWhoWasToldOneOutcome) {
  const Test test = open(0);
  const std::string first = find_one(test, "ann");
  find_one(test, "ann");
  EXPECT_EQ(tell_outcome(*store_, *test, "ann", first), "right");
  find_one(test, "ann");
  find_one(test, "bo");
  EXPECT_EQ(blind(), "1\n1\n0\n1\n");
}

TEST_F(Blind, IsNeverAgainWhatWasNotOnce) {
  const Test test = open(0);
  const std::string first = find_one(test, "ann");
  {
    const auto batch = store_->write();
    batch->db().run("UPDATE intruder_attempt SET blind = 0");  // as of an attempt that was brought in
    batch->commit();
  }
  answer(test, "ann", first, std::nullopt, 5);
  EXPECT_EQ(blind(), "0\n");
}

TEST_F(Blind, IsOfOneTestAlone) {
  const Test test = open(0);
  find_one(test, "ann");
  look("");
  add_run("other", {});
  evaluate();
  const Test other = open(0, 42, "other");
  const std::string target = next_target(*store_, *other, "ann")->target;
  answer(other, "ann", target, std::nullopt, 5);
  EXPECT_EQ(blind(), "1\n1\n");
}

TEST_F(Blind, IsUnknownOfAnswersOfBeforeItWasKept) {
  const Test test = open(0);
  const std::string first = find_one(test, "ann"), second = find_one(test, "ann");
  {
    const auto batch = store_->write();
    batch->db().run("UPDATE intruder_attempt SET blind = NULL");
    batch->commit();
  }
  answer(test, "ann", first, std::nullopt, 5);
  EXPECT_EQ(blind(), "-\n-\n");
  query::IntruderReport found = glance();
  EXPECT_EQ(found.attempts, 2U);
  EXPECT_EQ(found.blind + found.after_look, 0U);
  look("ann");
  answer(test, "ann", second, std::nullopt, 5);
  EXPECT_EQ(blind(), "-\n0\n");
}

TEST_F(Blind, AFinishedTestHasNothingToHoldBack) {
  EXPECT_FALSE(glance().held) << "nobody has begun";
  const Test test = open(0);
  for (int i = 0; i < 39; ++i) {
    if (i > 0) {
      EXPECT_TRUE(glance().held) << i;
    }
    find_one(test, "ann");
  }
  EXPECT_FALSE(next_target(*store_, *test, "ann"));
  EXPECT_FALSE(glance().held);
  EXPECT_EQ(glance().right, 39U);
  look("");
  EXPECT_EQ(ask("SELECT count(*) FROM intruder_look"), "0\n") << "it changes nothing any more";
  next_target(*store_, *test, "bo");
  EXPECT_TRUE(glance().held) << "bo has begun";
  EXPECT_TRUE(glance("ann").held) << "what ann found says what bo will";
}

}  // namespace
}  // namespace residue::verbs
