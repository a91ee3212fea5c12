// intruder show: how often people and the machine find somebody in a release.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/people/intruder.h"

namespace residue::cli {
namespace {

using query::IntruderRate;
using query::IntruderReport;

struct Options {
  std::string target, protocol;
  std::optional<std::string> annotator;
};

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const IntruderRate& rate) {
  return {{"value", json_of(rate.value)},
          {"low", json_of(rate.low)},
          {"high", json_of(rate.high)},
          {"hits", rate.hits},
          {"n", rate.n}};
}

Json json_of(const std::vector<query::SureStep>& steps) {
  Json rows = Json::array();
  for (const query::SureStep& step : steps) {
    rows.push_back({{"sure", step.sure},
                    {"claims", step.claims},
                    {"precision", json_of(step.precision)},
                    {"recall", json_of(step.recall)}});
  }
  return rows;
}

Json json_of(const IntruderReport& report) {
  Json annotators = Json::array();
  for (const IntruderReport::Annotator& one : report.annotators) {
    annotators.push_back({{"annotator", one.name},
                          {"attempts", one.attempts},
                          {"right", one.right},
                          {"wrong", one.wrong},
                          {"none", one.none},
                          {"rightly_none", one.rightly_none},
                          {"open", one.open},
                          {"told", one.told},
                          {"median_seconds", json_of(one.median_seconds)},
                          {"median_searches", json_of(one.median_searches)}});
  }
  return {
      {"dataset", report.dataset},
      {"run", report.run},
      {"protocol", report.protocol},
      {"sample", report.sample},
      {"stale", report.stale},
      {"targets", report.targets},
      {"failed_targets", report.failed_targets},
      {"attempts", report.attempts},
      {"open", report.open},
      {"outdated", report.outdated},
      {"told", report.told},
      {"persons", report.persons},
      {"fewest", query::kFewestAttempts},
      {"present",
       {{"n", report.present},
        {"right", report.right},
        {"shared", report.shared},
        {"wrong", report.wrong},
        {"none", report.none},
        {"failed", report.failed}}},
      {"absent", {{"n", report.absent}, {"false_claims", report.false_claims}, {"rightly_none", report.rightly_none}}},
      {"people",
       {{"person", json_of(report.person)},
        {"own", json_of(report.own)},
        {"false_claim", json_of(report.false_claim)},
        {"person_of_all",
         {{"value", json_of(report.person_of_all)},
          {"low", json_of(report.person_of_all_low)},
          {"high", json_of(report.person_of_all_high)}}},
        {"sure", json_of(report.sure)}}},
      {"machine",
       {{"person", json_of(report.machine_person)},
        {"own", json_of(report.machine_own)},
        {"false_claim", json_of(report.machine_false_claim)},
        {"linkage_rate_person", json_of(report.machine_all_person)},
        {"linkage_rate", json_of(report.machine_all_own)},
        {"sure", json_of(report.machine_sure)}}},
      {"difference",
       {{"value", json_of(report.difference)},
        {"low", json_of(report.difference_low)},
        {"high", json_of(report.difference_high)}}},
      {"annotators", std::move(annotators)},
      {"median_seconds", json_of(report.median_seconds)}};
}

struct Line {
  const char* who;
  const char* what;
  const char* of;
  IntruderRate rate;
};

std::vector<Line> lines_of(const IntruderReport& report) {
  IntruderRate all;
  all.value = report.person_of_all;
  all.low = report.person_of_all_low;
  all.high = report.person_of_all_high;
  all.n = report.targets + report.failed_targets;
  if (all.value) all.hits = *all.value * static_cast<double>(all.n);
  return {{"people", "person", "attempts", report.person},
          {"machine", "person", "attempts", report.machine_person},
          {"people", "own record", "attempts", report.own},
          {"machine", "own record", "attempts", report.machine_own},
          {"people", "person", "all, estimated", all},
          {"machine", "person", "all", report.machine_all_person},
          {"machine", "own record", "all", report.machine_all_own},
          {"people", "false claim", "absent", report.false_claim},
          {"machine", "false claim", "absent", report.machine_false_claim}};
}

Json rows_of(const IntruderReport& report) {
  Json rows = Json::array();
  for (const Line& line : lines_of(report)) {
    Json row = {{"who", line.who}, {"what", line.what}, {"of", line.of}};
    for (auto& [name, value] : json_of(line.rate).items()) row[name] = value;
    rows.push_back(std::move(row));
  }
  return rows;
}

// A text that several persons were released with is found in part.
Cell count(double hits) { return hits == std::floor(hits) ? Cell(static_cast<std::int64_t>(hits)) : Cell(hits); }

Table rates(const IntruderReport& report) {
  Table table;
  table.columns = {{"who", Type::kText, "", true},     {"what", Type::kText, "found", true},
                   {"of", Type::kText, "among", true}, {"hits", Type::kReal, ""},
                   {"n", Type::kInteger, ""},          {"value", Type::kPercent, "rate"},
                   {"low", Type::kPercent, ""},        {"high", Type::kPercent, ""}};
  for (const Line& line : lines_of(report)) {
    table.rows.push_back({Cell(std::string(line.who)), Cell(std::string(line.what)), Cell(std::string(line.of)),
                          count(line.rate.hits), cell(line.rate.n), cell(line.rate.value), cell(line.rate.low),
                          cell(line.rate.high)});
  }
  return table;
}

Table sure(const IntruderReport& report) {
  Table table;
  table.columns = {{"sure", Type::kInteger, "sure from", true},
                   {"claims", Type::kInteger, ""},
                   {"precision", Type::kPercent, ""},
                   {"precision_low", Type::kPercent, "low"},
                   {"precision_high", Type::kPercent, "high"},
                   {"recall", Type::kPercent, ""},
                   {"machine_claims", Type::kInteger, "machine"},
                   {"machine_precision", Type::kPercent, "precision"},
                   {"machine_recall", Type::kPercent, "recall"}};
  for (std::size_t i = 0; i < report.sure.size(); ++i) {
    const query::SureStep &people = report.sure[i], &machine = report.machine_sure[i];
    table.rows.push_back({Cell(std::int64_t{people.sure}), cell(people.claims), cell(people.precision.value),
                          cell(people.precision.low), cell(people.precision.high), cell(people.recall.value),
                          cell(machine.claims), cell(machine.precision.value), cell(machine.recall.value)});
  }
  return table;
}

void print_notes(Context& context, const IntruderReport& report) {
  context.out.note(fmt::format(
      "{} of {} targets attempted by {} annotators: {} present ({} right, {} shared, {} wrong, {} none, {} failed), {} "
      "absent ({} false claims, {} rightly none)",
      report.attempts, report.targets, report.annotators.size(), report.present, report.right, report.shared,
      report.wrong, report.none, report.failed, report.absent, report.false_claims, report.rightly_none));
  if (report.present < query::kFewestAttempts) {
    context.out.note(fmt::format("too few: a rate needs {} attempts", query::kFewestAttempts));
  } else if (report.difference) {
    context.out.note(fmt::format("people minus machine, persons found of the same targets: {} [{}, {}]",
                                 percent_text(*report.difference), percent_text(*report.difference_low),
                                 percent_text(*report.difference_high)));
  }
  if (report.failed_targets > 0) {
    context.out.note(
        fmt::format("{} attacked records have no text because it failed: nobody was asked to find them, "
                    "and among all they count as found",
                    report.failed_targets));
  }
  if (report.outdated > 0) {
    context.out.note(fmt::format("{} attempts are about earlier texts or facts: they count nowhere", report.outdated));
  }
  if (report.open > 0) context.out.note(fmt::format("{} targets were drawn and not answered", report.open));
  if (report.told > 0) context.out.note(fmt::format("{} outcomes were told to their annotators", report.told));
  if (report.stale) context.out.note("stale: the machine's links are of earlier contents; residue eval");
}

int show(Context& context, const Options& options) {
  const storage::Target run = run_target(options.target, "an intruder test is on one run", "write {}/RUN");
  const auto store = open_store(context, true);
  const IntruderReport report =
      verbs::intruder_report(*store, {run.dataset, *run.run, options.protocol, options.annotator});
  context.out.shaped([&] { return json_of(report); }, [&] { return rows_of(report); },
                     [&] {
                       context.out.table(rates(report));
                       if (context.globals.format != Format::kTable && context.globals.format != Format::kMarkdown)
                         return;
                       context.out.write("\n");
                       context.out.table(sure(report));
                     });
  context.out.flush();
  print_notes(context, report);
  return 0;
}

}  // namespace

Command intruder_show_command() {
  return {
      .name = "intruder show",
      .group = Group::kLook,
      .summary = "how often people find somebody in a release, beside the machine",
      .usage = "DATASET/RUN [--protocol P] [--annotator NAME]",
      .details =
          "  person       a text of the target's person was named, or of an equal original; a text that several "
          "persons "
          "were released with counts as this person's share (as linkage_rate_person)\n"
          "  own record   the target's own text was named (as linkage_rate)\n"
          "  false claim  a text was named for an absent target\n"
          "  attempts     of present targets that people attempted; the machine's row is of the same ones\n"
          "  all          of all attacked records; people's rate among them is an estimate: texts that failed count "
          "as found\n"
          "\n"
          "The second table has the claims of at least so much confidence: people's own, and the machine's (as "
          "open_recall). Intervals are 95 %, over persons. Of fewer than 10 attempts or claims no rate is given.",
      .examples = {{"residue intruder show clinic/scrub", "both tables"},
                   {"residue intruder show clinic/scrub --format json", "all numbers, as one object"}},
      .paged = true,
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("RUN", options->target, "DATASET/RUN").required();
        syntax.add("--protocol", options->protocol, "attacker; default: the last evaluated").configured("protocol");
        syntax.add("--annotator", options->annotator, "only this one's attempts");
        return [options](Context& context) { return show(context, *options); };
      }};
}

}  // namespace residue::cli
