// A report that is held back tells no outcome, however it is printed.
#include "cli/people/intruder_json.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::cli {
namespace {

// Every outcome is a number that begins with 777, every other one with 333.
query::IntruderReport report() {
  query::IntruderReport all;
  const query::IntruderRate rate{7771, 7772, 0.7773, 0.7774, 0.7775};
  all.attempts = 3331;
  all.blind = 3332;
  all.after_look = 3333;
  all.targets = 3334;
  all.machine_all_person = {3335, 3336, 0.3337, 0.3338, 0.3339};
  all.present = all.right = all.shared = all.wrong = all.none = all.failed = 7776;
  all.absent = all.false_claims = all.rightly_none = 7777;
  all.person = all.own = all.machine_person = all.machine_own = all.person_blind = all.person_after_look = rate;
  all.false_claim = all.machine_false_claim = rate;
  all.difference = all.difference_low = all.difference_high = 0.7778;
  all.person_of_all = all.person_of_all_low = all.person_of_all_high = 0.7779;
  all.sure = all.machine_sure = {{777, 7770, rate, rate}};
  all.unweighted = "777 of them";
  all.strata = {{"machine:found", 33310, 7771, 7772, 7773, 7774}};
  query::IntruderReport::Annotator one;
  one.name = "ann";
  one.attempts = 33311;
  one.right = one.wrong = one.none = one.rightly_none = 77710;
  all.annotators = {one};
  return all;
}

std::size_t times(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(IntruderJson, HasEveryNumber) {
  const std::string whole = intruder_json(report()).dump();
  EXPECT_GE(times("777", whole), 80U) << whole;
  EXPECT_EQ(intruder_json(report()).at("held_back").dump(), "false");
}

TEST(IntruderJson, HoldsBackEveryOutcomeAndNothingElse) {
  const std::string held = intruder_json(query::held_back(report())).dump();
  EXPECT_EQ(times("777", held), 0U) << held;
  for (const char* kept : {"3331", "3332", "3333", "3334", "3335", "0.3337", "33310", "33311"}) {
    EXPECT_NE(held.find(kept), std::string::npos) << kept;
  }
  const Json json = *Json::parse(held);
  EXPECT_TRUE(json["people"].is_null() && json["present"].is_null() && json["machine"]["person"].is_null());
  EXPECT_TRUE(json["annotators"][0]["right"].is_null() && json["strata"]["rows"][0]["attempts"].is_null())
      << "null, not 0: nobody says that none was right";
}

}  // namespace
}  // namespace residue::cli
