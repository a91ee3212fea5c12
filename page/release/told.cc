// The numbers: gates, coverage, the three criteria, what was not tested.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

using query::MetricValue;
using verbs::CriterionRow;
using verbs::NotTested;

void list(Html& html, const std::vector<NotTested>& all) {
  html.open("ul");
  for (const NotTested& one : all) {
    html.open("li");
    html.element("b", one.what);
    html.text(": " + one.why + (one.command.empty() ? "" : ". To test it: "));
    if (!one.command.empty()) html.element("code", one.command);
    html.close("li");
  }
  html.close("ul");
}

const MetricValue& told(const CriterionRow& row) { return row.net && row.net->value ? *row.net : *row.attack; }

void criterion_row(Html& html, const CriterionRow& row) {
  const MetricValue& value = told(row);
  html.open("tr");
  html.element("th", std::string(row.criterion), {{"scope", "row"}});
  html.element("td", row.metric);
  number_cell(html, row.attack->value, number(row.attack->value));
  number_cell(html, row.control ? row.control->value : std::nullopt, row.control ? number(row.control->value) : "–");
  number_cell(html, row.net ? row.net->value : std::nullopt, row.net ? number(row.net->value) : "–");
  html.element("td", interval(value.low, value.high), {{"class", "number"}});
  number_cell(html, row.worst,
              row.worst ? fmt::format("{} ({} of {})", number(row.worst), row.worst_persons, row.persons) : "–");
  html.element("td", count(row.attack->n), {{"class", "number"}});
  html.element("td", count(row.attack->failed), {{"class", "number"}});
  html.element("td", count(row.attack->missing), {{"class", "number"}});
  html.element("td", percent(row.attack->coverage), {{"class", "number"}});
  html.close("tr");
}

// A number beside the threshold that people named: never a verdict.
std::string beside_threshold(const CriterionRow& row, const ReleaseContext& context) {
  const bool risk = row.metric == "mean_risk" || row.metric == "max_risk";
  if (!risk || !context.threshold || !row.attack->value) return {};
  return fmt::format("{} is {} {} the threshold {}{}, given an attacker who knows what this one knows.", row.metric,
                     number(row.attack->value), *row.attack->value > *context.threshold ? "above" : "not above",
                     number(context.threshold),
                     context.threshold_source.empty() ? "" : " (" + context.threshold_source + ")");
}

std::string state_words(const query::GateResult& gate) {
  if (!gate.failed) return "passed";
  return gate.uncovered ? "FAILED: too few records" : "FAILED";
}

}  // namespace

void write_not_tested(Html& html, const verbs::Release& release) {
  open_section(html, "not-tested", "What was not tested");
  html.element("p", "No number on this page is about what stands here.");
  list(html, release.criteria.never);
  // What is the same of several runs stands once.
  std::vector<std::pair<std::vector<NotTested>, std::vector<std::string>>> lists;
  for (const verbs::ReleasedRun& run : release.runs) {
    const auto of = std::ranges::find(release.criteria.runs, run.card.run, &verbs::RunCriteria::run);
    const bool control = run.card.kind != "aligned" && run.card.kind != "synthetic";
    if (control || of == release.criteria.runs.end() || of->not_tested.empty()) continue;
    const auto known = std::ranges::find(lists, of->not_tested, &decltype(lists)::value_type::first);
    (known == lists.end() ? lists.emplace_back(of->not_tested, std::vector<std::string>()) : *known)
        .second.push_back(of->run);
  }
  for (const auto& [all, runs] : lists) {
    html.element("h3", fmt::format("{}", fmt::join(runs, ", ")));
    list(html, all);
  }
  for (const query::ReportRun& run : release.report().runs) {
    if (run.evaluated && !run.stale) continue;
    html.element("p",
                 run.evaluated ? fmt::format("{} changed since it was evaluated: its numbers are old.", run.run)
                               : fmt::format("{} was not evaluated under this attacker by this judge.", run.run),
                 {{"class", "warning"}});
  }
  html.close("section");
}

void write_gates(Html& html, const verbs::Release& release) {
  open_section(html, "gates", "Gates");
  if (release.result.gates.empty()) {
    html.element("p", "No gate was asked for. With --fail-if a gate is held against every run.");
    html.close("section");
    return;
  }
  open_table(html, "A gate names what must not be", {"gate", "run", "attacker", "value", "limit", "coverage", "result"},
             3);
  for (const query::GateResult& gate : release.result.gates) {
    html.open("tr", {{"class", gate.failed ? "failed" : "passed"}});
    html.element("th", gate.gate, {{"scope", "row"}});
    html.element("td", gate.run);
    html.element("td", gate.protocol);
    number_cell(html, gate.value, number(gate.value));
    number_cell(html, gate.limit, number(gate.limit));
    html.element("td", percent(gate.coverage), {{"class", "number"}});
    html.element("td", state_words(gate) + (gate.reason.empty() ? "" : ". " + gate.reason));
    html.close("tr");
  }
  close_table(html);
  html.close("section");
}

void write_coverage(Html& html, const verbs::Release& release) {
  open_section(html, "coverage", "Coverage");
  const query::Report& report = release.report();
  open_table(html, "How many records the main number is of",
             {"run", "texts of the run", "with a value", "failed", "missing", "not applicable", "coverage",
              "if all missing leaked", "if none did"},
             1);
  for (const query::ReportRun& run : report.runs) {
    const query::ReportMetric* metric = query::metric_of(run, query::MetricId::kSemanticDistance);
    html.open("tr");
    html.element("th", run.run + (run.stale ? " (changed since)" : ""), {{"scope", "row"}});
    html.element("td", count(static_cast<double>(run.records)), {{"class", "number"}});
    if (metric == nullptr) {
      for (int i = 0; i < 7; ++i) html.element("td", "–", {{"class", "number"}});
    } else {
      const MetricValue& value = metric->all;
      for (const double number : {value.n, value.failed, value.missing, value.not_applicable}) {
        html.element("td", count(number), {{"class", "number"}});
      }
      html.element("td", percent(value.coverage), {{"class", "number"}});
      number_cell(html, value.if_leaked, number(value.if_leaked));
      number_cell(html, value.if_private, number(value.if_private));
    }
    html.close("tr");
  }
  close_table(html);
  html.element(
      "p", std::string("The main number is semantic_distance: 1 where an attacker learns nothing, 0 where he learns "
                       "all that he did not know. ") +
               (report.missing == query::MissingPolicy::kDrop
                    ? "Failed and missing records are LEFT OUT of values and intervals, as was asked for."
                    : "A failed or missing record counts as leaked, so that no failure looks like privacy."));
  html.close("section");
}

void write_criteria(Html& html, const verbs::Release& release, const PageOptions& options) {
  open_section(html, "criteria", "Singling out, linkability, inference");
  html.element("p", fmt::format("Given an attacker who knows what {} says. attack: what he learns. control: what he "
                                "learns of a person who is not in the release. net: what the release adds.",
                                release.report().protocol));
  for (const verbs::RunCriteria& run : release.criteria.runs) {
    const bool old = std::ranges::any_of(run.rows, &CriterionRow::stale);
    html.element("h3", run.run + (old ? " (changed since it was evaluated)" : ""));
    if (run.rows.empty()) {
      html.element("p", "Nothing was computed.", {{"class", "warning"}});
      continue;
    }
    open_table(html, run.run,
               {"criterion", "metric", "attack", "control", "net", "95 % interval", "worst person (so many)", "n",
                "failed", "missing", "coverage"},
               2);
    for (const CriterionRow& row : run.rows) criterion_row(html, row);
    close_table(html);
    for (const CriterionRow& row : run.rows) {
      if (row.net && row.net->value && *row.net->value < 0) {
        html.element("p", row.metric + ": no gain, the control learns more than the attack.");
      }
      if (const std::string words = beside_threshold(row, options.context); !words.empty()) html.element("p", words);
    }
  }
  html.element("p",
               "The interval is that of the net, where there is one, else of the attack. worst person: the number for "
               "the person of whom it is worst, and for how many it is as bad. The control of a gain is its value by "
               "chance: what the second best text gives away and the third does not.");
  html.close("section");
}

void write_worst(Html& html, const verbs::Release& release) {
  open_section(html, "worst", "The records of which most is learned");
  for (const verbs::ReleasedRun& run : release.runs) {
    if (run.worst.empty()) continue;
    const bool keys = !run.worst.front().key.empty(), texts = !run.worst.front().claim.empty();
    html.element("h3", fmt::format("{}: {} leaked claims of {} records", run.card.run,
                                   count(static_cast<double>(run.leaks)), count(static_cast<double>(run.exposed))));
    std::vector<std::string> columns = {keys ? "record" : "place", "the worst is", "who was found"};
    if (texts) columns.insert(columns.end(), {"a claim that leaked", "the text that says so"});
    const std::size_t words = columns.size();
    columns.emplace_back("leaked claims");
    open_table(html, run.card.run, columns, words);
    std::size_t place = 0;
    for (const verbs::ExposedRecord& record : run.worst) {
      html.open("tr");
      ++place;
      html.element("th", keys ? record.key : std::to_string(place), {{"scope", "row"}});
      html.element("td", record.in_full ? "said in full" : "said alike");
      html.element("td", record.right ? "the person's own text" : "another text");
      if (texts) {
        html.element("td", record.claim);
        html.element("td", record.text);
      }
      html.element("td", count(static_cast<double>(record.leaks)), {{"class", "number"}});
      html.close("tr");
    }
    close_table(html);
    if (!keys) html.element("p", "Without --with-keys the page names no record.");
  }
  html.close("section");
}

void write_proof(Html& html, const verbs::Release& release) {
  open_section(html, "proof", "The numbers, and their proof");
  html.element("p",
               "Every number here is made of what single records contribute. Where scripts may run, the page computes "
               "this table again from the contributions that it carries, and says whether the arithmetic agrees. The "
               "other parts of the page are not part of that proof: residue verify-report compares all of it with the "
               "store.",
               {{"id", "proof-words"}});
  html.element("p", "", {{"id", "proof-result"}, {"role", "status"}});
  const query::Report& report = release.report();
  open_table(html, "Numbers of every run",
             {"run", "metric", "value", "low", "high", "n", "failed", "missing", "if leaked", "if private"}, 2);
  for (const query::ReportRun& run : report.runs) {
    for (const query::MetricId id : verbs::proven_metrics()) {
      const query::ReportMetric* metric = query::metric_of(run, id);
      if (metric == nullptr) continue;
      const MetricValue& value = metric->all;
      const std::string name(query::definition(id).name);
      html.open("tr", {{"data-run", run.run}, {"data-metric", name}});
      html.element("th", run.run, {{"scope", "row"}});
      html.element("td", name);
      number_cell(html, value.value, number(value.value));
      number_cell(html, value.low, number(value.low));
      number_cell(html, value.high, number(value.high));
      for (const double of : {value.n, value.failed, value.missing}) number_cell(html, of, count(of));
      number_cell(html, value.if_leaked, number(value.if_leaked));
      number_cell(html, value.if_private, number(value.if_private));
      html.close("tr");
    }
  }
  close_table(html);
  html.close("section");
}

}  // namespace residue::page
