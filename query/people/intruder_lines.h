// Human and machine on one axis: the rates of an intruder test in the order in which a table has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/people/intruder_report.h"

namespace residue::query {

struct IntruderLine {
  std::string_view who;   // "people", "machine", "chance"
  std::string_view what;  // "person", "own record", "false claim"
  std::string_view of;    // "attempts", "all, estimated", "all", "targets", "absent", "blind", "after a look"
  IntruderRate rate;
  bool counted = true;  // rate.hits was counted, or follows from a value; false: there is no such number
  bool outcome = true;  // held back while the test goes on

  [[nodiscard]] std::optional<double> hits() const { return counted ? std::optional(rate.hits) : std::nullopt; }
};

std::vector<IntruderLine> lines_of(const IntruderReport& report);

// "4 attempts on 3 of 145 targets by 2 annotators".
std::string attempts_words(const IntruderReport& report);

}  // namespace residue::query
