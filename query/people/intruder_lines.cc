#include "query/people/intruder_lines.h"

#include <fmt/format.h>

namespace residue::query {
namespace {

// Of a population: nobody counted its hits.
IntruderLine whole(std::string_view who, std::string_view what, std::string_view of, IntruderRate rate, bool outcome) {
  const bool known = rate.value.has_value();
  if (known) rate.hits = *rate.value * static_cast<double>(rate.n);
  return {who, what, of, rate, known, outcome};
}

IntruderRate chance_of(double value, const IntruderReport& report) {
  IntruderRate rate;
  rate.n = report.targets;
  if (rate.n > 0) rate.value = value;
  return rate;
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::vector<IntruderLine> lines_of(const IntruderReport& report) {
  IntruderRate all;
  all.value = report.person_of_all;
  all.low = report.person_of_all_low;
  all.high = report.person_of_all_high;
  all.n = report.targets + report.failed_targets;
  std::vector<IntruderLine> lines = {
      {"people", "person", "attempts", report.person},
      {"machine", "person", "attempts", report.machine_person},
      {"people", "own record", "attempts", report.own},
      {"machine", "own record", "attempts", report.machine_own},
      whole("people", "person", "all, estimated", all, true),
      whole("machine", "person", "all", report.machine_all_person, false),
      whole("machine", "own record", "all", report.machine_all_own, false),
      whole("chance", "person", "targets", chance_of(report.chance.person, report), false),
      whole("chance", "own record", "targets", chance_of(report.chance.own, report), false),
      {"people", "false claim", "absent", report.false_claim},
      {"machine", "false claim", "absent", report.machine_false_claim}};
  if (report.after_look > 0) {
    lines.push_back({"people", "person", "blind", report.person_blind});
    lines.push_back({"people", "person", "after a look", report.person_after_look});
  }
  return lines;
}

std::string attempts_words(const IntruderReport& report) {
  return fmt::format("{} on {} of {} by {}", counted(report.attempts, "attempt"), report.attempted,
                     counted(report.targets, "target"), counted(report.annotators.size(), "annotator"));
}

}  // namespace residue::query
