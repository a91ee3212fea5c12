// How far the numbers reach: what was not tested, gates, coverage.
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
#include "query/gates/gates.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

using query::MetricValue;
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

std::string state_words(const query::GateResult& gate) {
  if (!gate.failed) return "passed";
  if (gate.reason.empty()) return gate.uncovered ? "FAILED: too few records" : "FAILED";
  return gate.uncovered ? "FAILED: too few records (" + gate.reason + ")" : "FAILED. " + gate.reason;
}

std::string share(double of) { return fmt::format("{:g} %", 100 * of); }

// Empty where no gate passes with fewer records than by default.
std::string allowed_words(const query::MinCoverage& least) {
  const double usual = query::MinCoverage().all;
  std::vector<std::string> allowed;
  if (least.all < usual) allowed.push_back(share(least.all));
  for (const auto& [metric, of] : least.metrics) {
    if (of < usual) allowed.push_back(fmt::format("{} for {}", share(of), query::definition(metric).name));
  }
  if (allowed.empty()) return {};
  return fmt::format(
      "A gate passes only with {} of the records behind its number. For this page FEWER WERE ALLOWED "
      "(--min-coverage): {}.",
      share(usual), fmt::join(allowed, ", "));
}

std::string value_words(const query::Gate& gate, const std::optional<double>& value) {
  const bool counts = gate.field == "n" || gate.field == "failed" || gate.field == "missing";
  return counts && value ? count(*value) : number_beside(value, gate.limit);
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
                 run.evaluated ? fmt::format("{} {}: its numbers are old.", run.run, kOld)
                               : fmt::format("{} was not evaluated under this attacker by this judge.", run.run),
                 {{"class", "warning"}});
  }
  html.close("section");
}

void write_gates(Html& html, const verbs::Release& release, const query::MinCoverage& least) {
  open_section(html, "gates", "Gates");
  sample_note(html, release.report());
  if (release.result.gates.empty()) {
    html.element("p", "No gate was asked for. With --fail-if a gate is held against every run.");
    html.close("section");
    return;
  }
  if (const std::string words = allowed_words(least); !words.empty()) {
    html.element("p", words, {{"class", "warning"}});
  }
  if (release.report().missing == query::MissingPolicy::kDrop) {
    html.element("p", "Failed and missing records are LEFT OUT of these values, as was asked for (--missing drop).",
                 {{"class", "warning"}});
  }
  open_table(html, "A gate names what must not be",
             {"gate", "run", "attacker", "value", "limit", "coverage", "least coverage", "result"}, 3);
  for (const query::GateResult& gate : release.result.gates) {
    html.open("tr", {{"class", gate.failed ? "failed" : "passed"}});
    html.element("th", gate.gate, {{"scope", "row"}});
    html.element("td", gate.run);
    html.element("td", gate.protocol);
    const query::Gate asked = query::parse_gate(gate.gate);
    number_cell(html, gate.value, value_words(asked, gate.value));
    number_cell(html, gate.limit, as_given(gate.limit));
    html.element("td", percent(gate.coverage), {{"class", "number"}});
    html.element("td", query::exempt_from_coverage(asked) ? "–" : share(least.of(asked.metric)), {{"class", "number"}});
    html.element("td", state_words(gate));
    html.close("tr");
  }
  close_table(html);
  html.close("section");
}

void write_coverage(Html& html, const verbs::Release& release) {
  open_section(html, "coverage", "Coverage");
  const query::Report& report = release.report();
  sample_note(html, report);
  open_table(html, "How many records the main number is of",
             {"run", "texts of the run", "with a value", "failed", "missing", "not applicable", "coverage",
              "if all missing leaked", "if none did"},
             1);
  for (const query::ReportRun& run : report.runs) {
    const query::ReportMetric* metric = query::metric_of(run, query::MetricId::kSemanticDistance);
    html.open("tr");
    html.element("th", run.run + std::string(run.stale ? kOldMark : ""), {{"scope", "row"}});
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

}  // namespace residue::page
