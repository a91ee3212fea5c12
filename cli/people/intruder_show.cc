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
#include "cli/people/intruder_json.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/people/intruder_lines.h"
#include "query/people/intruder_strata.h"
#include "verbs/people/intruder.h"

namespace residue::cli {
namespace {

using query::IntruderLine;
using query::IntruderReport;

struct Options {
  std::string target, protocol, reader;
  std::optional<std::string> annotator;
  bool outcomes = false;
};

Json rows_of(const IntruderReport& report) {
  Json rows = Json::array();
  for (const IntruderLine& line : query::lines_of(report)) {
    Json row = {{"who", line.who}, {"what", line.what}, {"of", line.of}};
    const bool held = report.held && line.outcome;
    Json rate = rate_json(line.rate);
    if (!line.hits()) rate["hits"] = nullptr;
    for (auto& [name, value] : rate.items()) row[name] = held ? Json(nullptr) : value;
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
  for (const IntruderLine& line : query::lines_of(report)) {
    const bool held = report.held && line.outcome;
    table.rows.push_back({Cell(std::string(line.who)), Cell(std::string(line.what)), Cell(std::string(line.of)),
                          held || !line.hits() ? Cell() : count(*line.hits()), held ? Cell() : cell(line.rate.n),
                          cell(line.rate.value), cell(line.rate.low), cell(line.rate.high)});
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

Table progress(const IntruderReport& report) {
  Table table;
  table.columns = {{"annotator", Type::kText, "", true},
                   {"attempts", Type::kInteger, ""},
                   {"open", Type::kInteger, ""},
                   {"told", Type::kInteger, ""},
                   {"blind", Type::kInteger, ""},
                   {"after_look", Type::kInteger, "after a look"},
                   {"median_seconds", Type::kReal, "median s"}};
  for (const IntruderReport::Annotator& one : report.annotators) {
    table.rows.push_back({Cell(one.name), cell(one.attempts), cell(one.open), cell(one.told), cell(one.blind),
                          cell(one.after_look), cell(one.median_seconds)});
  }
  return table;
}

Table strata(const IntruderReport& report) {
  Table table;
  table.columns = {{"stratum", Type::kText, "", true},      {"targets", Type::kInteger, ""},
                   {"attempts", Type::kInteger, ""},        {"present", Type::kInteger, ""},
                   {"person", Type::kReal, "people found"}, {"machine_person", Type::kReal, "machine found"}};
  for (const IntruderReport::Stratum& one : report.strata) {
    if (report.held) {
      table.rows.push_back({Cell(one.name), cell(one.targets), Cell(), Cell(), Cell(), Cell()});
    } else {
      table.rows.push_back({Cell(one.name), cell(one.targets), cell(one.attempts), cell(one.present), count(one.person),
                            count(one.machine_person)});
    }
  }
  return table;
}

void note_looks(Context& context, const IntruderReport& report) {
  if (report.held) {
    context.out.note("held back: how attempts came out, until everybody who began has answered for all targets");
    context.out.note("--outcomes shows it now, and that is stored: later answers count as after a look");
  }
  if (!report.readers.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : report.readers) names.push_back(name.empty() ? "somebody without a name" : name);
    context.out.note(fmt::format(
        "outcomes were read while the test went on, by {}: {} attempts are blind, {} came after "
        "a look, of {} nobody said",
        fmt::join(names, ", "), report.blind, report.after_look, report.attempts - report.blind - report.after_look));
  }
}

void note_counts(Context& context, const IntruderReport& report) {
  if (report.held) {
    context.out.note(query::attempts_words(report));
    return;
  }
  context.out.note(
      fmt::format("{}: {} present ({} right, {} shared, {} wrong, {} none, {} failed), {} absent ({} false claims, {} "
                  "rightly none)",
                  query::attempts_words(report), report.present, report.right, report.shared, report.wrong, report.none,
                  report.failed, report.absent, report.false_claims, report.rightly_none));
  if (report.present < query::kFewestAttempts) {
    context.out.note(fmt::format("too few: a rate needs {} attempts", query::kFewestAttempts));
  } else if (report.difference) {
    context.out.note(fmt::format("people minus machine, persons found of the same targets: {} [{}, {}]",
                                 percent_text(*report.difference), percent_text(*report.difference_low),
                                 percent_text(*report.difference_high)));
  }
  if (!report.unweighted.empty()) {
    context.out.note(fmt::format("no share of the population is given: {}; hits and n are counts", report.unweighted));
  } else if (!report.strata.empty()) {
    context.out.note(
        fmt::format("targets were drawn by strata ({}): rates weigh each stratum by its targets, hits and n are counts",
                    query::name_of(report.by)));
  }
}

void print_notes(Context& context, const IntruderReport& report) {
  note_counts(context, report);
  note_looks(context, report);
  if (report.failed_targets > 0) {
    context.out.note(
        fmt::format("{} attacked records have no text because it failed: nobody was asked to find them, "
                    "and among all they count as found",
                    report.failed_targets));
  }
  if (report.outdated > 0) {
    context.out.note(fmt::format("{} attempts are about earlier facts or texts of their targets: they count nowhere",
                                 report.outdated));
  }
  if (report.named_changed > 0) {
    context.out.note(
        fmt::format("{} attempts named a record whose text is another one by now, or that is gone: they "
                    "count as they were given",
                    report.named_changed));
  }
  if (report.open > 0) context.out.note(fmt::format("{} targets were drawn and not answered", report.open));
  if (report.told > 0) context.out.note(fmt::format("{} outcomes were told to their annotators", report.told));
  if (report.stale) context.out.note("stale: the machine's links are of earlier contents; residue eval");
}

int show(Context& context, const Options& options) {
  const storage::Target run = run_target(options.target, "an intruder test is on one run", "write {}/RUN");
  const auto store = open_store(context, !options.outcomes);
  const IntruderReport report = verbs::intruder_report(
      *store, {run.dataset, *run.run, options.protocol, options.annotator, options.outcomes, options.reader});
  context.out.shaped([&] { return intruder_json(report); }, [&] { return rows_of(report); },
                     [&] {
                       context.out.table(rates(report));
                       if (context.globals.format != Format::kTable && context.globals.format != Format::kMarkdown)
                         return;
                       context.out.write("\n");
                       context.out.table(report.held ? progress(report) : sure(report));
                       if (report.strata.empty()) return;
                       context.out.write("\n");
                       context.out.table(strata(report));
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
      .usage = "DATASET/RUN [--protocol P] [--annotator NAME] [--outcomes [--reader NAME]]",
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
          "open_recall). Intervals are 95 %, over persons. Of fewer than 10 attempts or claims no rate is given.\n"
          "  chance       of all targets, when a released text is named at random\n"
          "\n"
          "How attempts came out is held back while somebody who began has targets left: whoever reads a total after "
          "each answer learns whether it was right. --outcomes shows it all the same. That is stored, and answers from "
          "then on count as after a look: those of NAME with --reader NAME, else everybody's.\n"
          "Where targets were drawn by strata, rates are weighed by the targets of each stratum, hits and n are "
          "counts, and a table has each stratum.",
      .examples = {{"residue intruder show clinic/scrub", "how far people are; outcomes, once all have finished"},
                   {"residue intruder show clinic/scrub --outcomes", "both tables, now"},
                   {"residue intruder show clinic/scrub --format json", "all numbers, as one object"}},
      .paged = true,
      .setup = [](Syntax& syntax) -> Run {
        auto options = std::make_shared<Options>();
        syntax.add("RUN", options->target, "DATASET/RUN").required();
        syntax.add("--protocol", options->protocol, "attacker; default: the last evaluated").configured("protocol");
        syntax.add("--annotator", options->annotator, "only this one's attempts");
        syntax.flag("--outcomes", options->outcomes, "how attempts came out, even before everybody has finished");
        syntax.add("--reader", options->reader, "the annotator who reads them; default: anybody").needs("--outcomes");
        return [options](Context& context) { return show(context, *options); };
      }};
}

}  // namespace residue::cli
