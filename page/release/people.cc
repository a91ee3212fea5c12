// What people said: who found whom in the release, beside the machine; how far they agree with the judge.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"
#include "query/people/intruder_lines.h"

namespace residue::page {
namespace {

using query::IntruderLine;
using query::IntruderReport;
using query::Worth;

void warn(Html& html, const std::string& words) { html.element("p", words, {{"class", "warning"}}); }

std::string with_interval(const std::optional<double>& value, const std::optional<double>& low,
                          const std::optional<double>& high) {
  return value ? fmt::format("{} {}", number(value), interval(low, high)) : "–";
}

// A rate; or why there is none.
std::string rate_words(const query::IntruderRate& rate) {
  if (rate.value) return number(rate.value);
  return rate.n < query::kFewestAttempts ? fmt::format("too few: {} of {}", rate.n, query::kFewestAttempts) : "–";
}

void rates_table(Html& html, const IntruderReport& report) {
  open_table(html, "Re-identification by people and by the machine, who looked for the same targets",
             {"who", "what was found", "among", "found", "n", "rate", "95 % interval"}, 3);
  for (const IntruderLine& line : query::lines_of(report)) {
    if (report.held && line.outcome) continue;
    html.open("tr");
    html.element("th", line.who, {{"scope", "row"}});
    html.element("td", line.what);
    html.element("td", line.of);
    html.element("td", line.hits() ? count(std::round(*line.hits() * 10) / 10) : "–", {{"class", "number"}});
    html.element("td", count(static_cast<double>(line.rate.n)), {{"class", "number"}});
    number_cell(html, line.rate.value, rate_words(line.rate));
    html.element("td", interval(line.rate.low, line.rate.high), {{"class", "number"}});
    html.close("tr");
  }
  close_table(html);
}

void sure_table(Html& html, const IntruderReport& report) {
  open_table(
      html, "Claims of people, and those of the machine of the same targets, by how sure they were",
      {"at least so sure", "people: claims", "right", "95 % interval", "machine: claims", "right", "95 % interval"}, 1);
  for (std::size_t i = 0; i < report.sure.size() && i < report.machine_sure.size(); ++i) {
    const query::SureStep &people = report.sure[i], &machine = report.machine_sure[i];
    if (people.sure % 50 != 0) continue;
    html.open("tr");
    html.element("th", fmt::format("{} %", people.sure), {{"scope", "row"}});
    for (const query::SureStep* const step : {&people, &machine}) {
      html.element("td", count(static_cast<double>(step->claims)), {{"class", "number"}});
      number_cell(html, step->precision.value, rate_words(step->precision));
      html.element("td", interval(step->precision.low, step->precision.high), {{"class", "number"}});
    }
    html.close("tr");
  }
  close_table(html);
}

void test_notes(Html& html, const IntruderReport& report) {
  std::string told = query::attempts_words(report);
  told += fmt::format(", {} blind", report.blind);
  if (report.after_look > 0) told += fmt::format(", {} after outcomes were shown", report.after_look);
  if (report.median_seconds)
    told += fmt::format("; half of the attempts took at most {:.0f} s", *report.median_seconds);
  if (!report.held)
    told += fmt::format("; {} of targets that are there, {} of absent ones", report.present, report.absent);
  html.element("p", told + ".");
  if (report.held) {
    warn(html,
         "Held back: the test goes on, and who reads how attempts came out looks otherwise from then on. What people "
         "found is not on this page. residue intruder show DATASET/RUN --outcomes ends that: it is stored, and a page "
         "that is made afterwards has it.");
  } else if (report.present < query::kFewestAttempts) {
    warn(html, fmt::format("Too few: {} of {} attempts on targets that are there. No rate of people is given.",
                           report.present, query::kFewestAttempts));
  }
  if (!report.readers.empty()) {
    html.element("p", "Outcomes were read while the test went on. What was answered before and after are told apart.");
  }
  if (!report.unweighted.empty()) warn(html, fmt::format("No rate of all targets is given: {}.", report.unweighted));
  if (report.stale) warn(html, "The machine's links are of earlier contents: its rates here are old.");
  if (report.outdated > 0) {
    html.element("p",
                 fmt::format("{} more attempts are about earlier facts or texts, and count nowhere.", report.outdated));
  }
}

void test_part(Html& html, const std::string& run, const verbs::ReleasedTest& test) {
  html.element("h3", fmt::format("{}: people were told what {} knows{}", run, test.protocol,
                                 test.sample != 0 ? fmt::format(", of a sample of {} records", test.sample) : ""));
  if (!test.report) {
    html.element("p",
                 "There are attempts, and the run is not attacked like this any more: nothing can be said of them.");
    return;
  }
  const IntruderReport& report = *test.report;
  test_notes(html, report);
  rates_table(html, report);
  if (report.difference) {
    html.element("p", fmt::format("People minus machine, persons found of the same targets: {}.",
                                  with_interval(report.difference, report.difference_low, report.difference_high)));
  }
  if (!report.held) sure_table(html, report);
}

std::string verdict_words(const query::Validation& validation) {
  const query::Agreement& found = validation.people.everyone;
  switch (validation.worth) {
    case Worth::kNobody:
      return "Nobody has held this judge against people's labels on these records. residue label makes such labels; "
             "residue judge calibrate tells what they say.";
    case Worth::kOtherVersion:
      return "Labels can be held against the judge as it is now, and these numbers are of an earlier version of it.";
    case Worth::kTooFew:
      return fmt::format("Too few: {} of {} labels. Nobody can say yet how far this judge agrees with people.",
                         found.pairs, query::kFewestLabels);
    case Worth::kPoor:
      return fmt::format(
          "It agrees poorly with people on these records: kappa below {}, or an interval that reaches 0. What it calls "
          "leaked or private may be neither.",
          query::kLeastKappa);
    case Worth::kHeld:
      return {};
  }
  return {};
}

void agreement_facts(Html& html, const query::Validation& validation) {
  const query::PeopleAgreement& people = validation.people;
  const query::Agreement& found = people.everyone;
  const auto said = [&](const std::optional<double>& value, const std::optional<numbers::Interval>& ends) {
    if (people.too_few) return fmt::format("too few: {} of {} labels", found.pairs, query::kFewestLabels);
    if (!value) return std::string("none: one side always says the same");
    return ends ? with_interval(value, ends->low, ends->high) : number(value);
  };
  open_facts(html, "The judge against people's labels of this dataset");
  fact(html, "labels",
       fmt::format("{}, of which the judge rated {}, on {} records", count(static_cast<double>(people.labels)),
                   count(static_cast<double>(found.pairs)), count(static_cast<double>(found.records))));
  fact(html, "blind", query::blind_words(people));
  if (people.not_samples > 0) {
    fact(html, "chosen as hard", fmt::format("{}: agreement on such pairs is lower", people.not_samples));
  }
  fact(html, "quadratic kappa", said(found.kappa, found.kappa_interval));
  fact(html, "Spearman's correlation", said(found.spearman, found.spearman_interval));
  close_facts(html);
}

void corrected_table(Html& html, const verbs::Release& release) {
  if (!release.corrected) {
    html.element("p", fmt::format("How many claims people would have found leaked is not known: that needs {} pairs "
                                  "that they and the judge rated.",
                                  query::kFewestCorrecting));
    return;
  }
  open_table(
      html,
      fmt::format("leak_rate as these people would have counted it{}",
                  release.report().seeds > 1 ? ", under the first seed" : ""),
      {"run", "by the judge", "corrected", "95 % interval", "records", "failed", "missing", "pairs rated by both"}, 1);
  for (const query::CorrectedRate& one : release.corrected->runs) {
    if (one.metric != query::MetricId::kLeakRate) continue;
    html.open("tr");
    html.element("th", one.run, {{"scope", "row"}});
    number_cell(html, one.observed, number(one.observed));
    number_cell(html, one.corrected, number(one.corrected));
    html.element("td", one.interval ? interval(one.interval->low, one.interval->high) : "", {{"class", "number"}});
    for (const std::uint64_t n : {one.records, one.failed, one.missing, release.corrected->labels}) {
      html.element("td", count(static_cast<double>(n)), {{"class", "number"}});
    }
    html.close("tr");
  }
  close_table(html);
  html.element("p",
               "Corrected for the errors that these labels show. Where a rate is missing, the judge tells leaked from "
               "private no better than chance; an interval from 0 to 1 says that nothing is known.");
}

}  // namespace

void write_intruder(Html& html, const verbs::Release& release) {
  open_section(html, "intruder", "People who looked for somebody");
  bool any = false;
  for (const verbs::ReleasedRun& run : release.runs) any = any || !run.tests.empty();
  if (!any) {
    html.element("p", "Nobody made an intruder test of these runs.");
    html.close("section");
    return;
  }
  html.element(
      "p",
      "A person was given what the attacker knows of somebody, searched the release, and named a text or none. "
      "The machine looked for the same targets.");
  chart_place(html, "intruder-chart", "persons found by people and by the machine, with intervals");
  for (const verbs::ReleasedRun& run : release.runs) {
    for (const verbs::ReleasedTest& test : run.tests) test_part(html, run.card.run, test);
  }
  html.close("section");
}

void write_judge(Html& html, const verbs::Release& release) {
  const query::Report& report = release.report();
  const query::Validation& validation = report.validation;
  open_section(html, "judge", "The judge, and what it is worth");
  html.element("p", fmt::format("{} ({}): {}.", report.judge, report.judge_version, validation.text),
               {{"class", validation.doubtful() ? "warning" : "plain"}});
  if (const std::string verdict = verdict_words(validation); !verdict.empty()) {
    html.element("p", verdict, {{"class", validation.people.labels > 0 ? "warning" : "plain"}});
  }
  if (validation.people.labels > 0) {
    agreement_facts(html, validation);
    corrected_table(html, release);
  }
  html.close("section");
}

}  // namespace residue::page
