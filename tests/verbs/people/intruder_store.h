// A store whose run was attacked, and hands of people who look for its records.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/verbs/people/people_store.h"
#include "verbs/people/intruder.h"

namespace residue::verbs {

class Intruder : public PeopleStore {
 protected:
  Intruder() { evaluate(); }

  using Test = std::unique_ptr<query::IntruderTest>;

  Test open(std::uint32_t absent = 25, std::uint64_t seed = 42, const std::string& run = "r") {
    return open_intruder(*store_, {.dataset = "d",
                                   .run = run,
                                   .protocol = "",
                                   .seed = seed,
                                   .absent_percent = absent,
                                   .level = query::ReadLevel::kClaims});
  }
  Kept answer(const Test& test, const std::string& who, const std::string& target,
              const std::optional<std::string>& choice, std::int64_t sure,
              std::optional<double> seconds = std::nullopt) {
    IntruderAnswer given;
    given.annotator = who;
    given.target = target;
    given.choice = choice;
    given.sure = sure;
    given.seconds = seconds;
    return answer_target(*store_, *test, given);
  }
  static std::size_t place(const Test& test, const std::string& code) { return *test->target_of(code); }
  static std::string key_of(const Test& test, const std::string& code) { return test->record(place(test, code)).key; }
  // The code of a record's released text, for a target.
  std::string text_code(const Test& test, const std::string& target, const std::string& record) {
    for (const query::RecordView& one : test->dataset().records) {
      if (one.key == record) return test->text_code(place(test, target), CandidateId{one.id.value});
    }
    return "none";
  }
  bool present(const std::string& who, const std::string& record) {
    return ask("SELECT a.present FROM intruder_attempt a JOIN record r ON r.id = a.record_id WHERE r.key = '" + record +
               "' AND a.annotator = '" + who + "'") == "1\n";
  }
  // What is not blind is the business of intruder_blind_test.cc.
  query::IntruderReport report(std::optional<std::string> who = std::nullopt) {
    return intruder_report(*store_, {"d", "r", "", std::move(who), true, "reader"});
  }
};

}  // namespace residue::verbs
