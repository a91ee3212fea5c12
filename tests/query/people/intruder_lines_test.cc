// Rates of people and of the machine on one axis.
#include "query/people/intruder_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace residue::query {
namespace {

const IntruderLine& line(const std::vector<IntruderLine>& lines, std::string_view who, std::string_view of) {
  return *std::ranges::find_if(lines, [&](const IntruderLine& one) { return one.who == who && one.of == of; });
}

TEST(IntruderLines, HaveNoHitsOfWhatHasNoValue) {
  IntruderReport report;
  report.targets = 160;
  report.failed_targets = 4;
  report.person = {4, 4, {}, {}, {}};
  report.machine_all_person.n = 164;
  auto lines = lines_of(report);
  EXPECT_EQ(line(lines, "people", "attempts").hits(), 4) << "counted";
  EXPECT_FALSE(line(lines, "people", "all, estimated").hits());
  EXPECT_FALSE(line(lines, "machine", "all").hits()) << "not evaluated";
  report.person_of_all = 0.5;
  report.machine_all_person.value = 0.25;
  lines = lines_of(report);
  EXPECT_EQ(line(lines, "people", "all, estimated").hits(), 82);
  EXPECT_EQ(line(lines, "machine", "all").hits(), 41);
}

TEST(IntruderLines, CountTargetsAndAttemptsApart) {
  IntruderReport report;
  report.targets = 145;
  report.attempts = 180;
  report.attempted = 45;
  report.annotators.resize(4);
  EXPECT_EQ(attempts_words(report), "180 attempts on 45 of 145 targets by 4 annotators");
  report.attempts = report.attempted = 1;
  report.annotators.resize(1);
  EXPECT_EQ(attempts_words(report), "1 attempt on 1 of 145 targets by 1 annotator");
}

}  // namespace
}  // namespace residue::query
