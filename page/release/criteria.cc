// Singling out, linkability, inference: each number with its control, and beside the threshold that people named.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"

namespace residue::page {
namespace {

using query::MetricValue;
using verbs::CriterionRow;

const MetricValue& told(const CriterionRow& row) { return row.net && row.net->value ? *row.net : *row.attack; }

void criterion_row(Html& html, const CriterionRow& row) {
  const MetricValue& value = told(row);
  // The names by which the script finds the numbers of the columns.
  html.open("tr", {{"data-control", row.control_metric}, {"data-net", row.net_metric}});
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

// A number beside the threshold that people named: never a verdict, and not below by luck.
std::string beside_threshold(const CriterionRow& row, const query::Report& report, const ReleaseContext& context) {
  const bool risk = row.metric == "mean_risk" || row.metric == "max_risk";
  if (!risk || !context.threshold || !row.attack->value) return {};
  const MetricValue& value = *row.attack;
  const std::string threshold =
      fmt::format("the threshold {}{}", as_given(*context.threshold),
                  context.threshold_source.empty() ? "" : " (" + context.threshold_source + ")");
  if (row.stale) return fmt::format("{} is old: it is not held against {}.", row.metric, threshold);
  const bool known = value.low && value.high;
  const std::string of = known ? fmt::format("95 % interval [{}, {}]", number_beside(value.low, *context.threshold),
                                             number_beside(value.high, *context.threshold))
                               : "no interval known";
  const bool above = (known ? *value.low : *value.value) > *context.threshold;
  const bool below = known && *value.high < *context.threshold;
  std::string out =
      fmt::format("{} {} ({}) against {}: ", row.metric, number_beside(value.value, *context.threshold), of, threshold);
  if (above) {
    out += known ? "above, the lower end too" : "above";
  } else if (below) {
    out += "below, the upper end too";
  } else {
    out += known ? "not decided, the interval contains it" : "not decided, its interval is not known";
  }
  out += ", given an attacker who knows what this one knows";
  if (report.missing == query::MissingPolicy::kDrop && value.failed + value.missing > 0) {
    out += ". Failed and missing records are left out of it";
  }
  if (report.sample != 0) out += fmt::format(". It is of a sample of {} records", report.sample);
  return out + ".";
}

}  // namespace

void write_criteria(Html& html, const verbs::Release& release, const PageOptions& options) {
  const query::Report& report = release.report();
  open_section(html, "criteria", "Singling out, linkability, inference");
  html.element("p", fmt::format("Given an attacker who knows what {} says. attack: what he learns. control: what he "
                                "learns of a person who is not in the release. net: what the release adds.",
                                report.protocol));
  sample_note(html, report);
  for (const verbs::RunCriteria& run : release.criteria.runs) {
    const bool old = std::ranges::any_of(run.rows, &CriterionRow::stale);
    html.element("h3", run.run + std::string(old ? kOldMark : ""));
    if (run.rows.empty()) {
      html.element("p", "Nothing was computed.", {{"class", "warning"}});
      continue;
    }
    open_table(html, run.run + ": each number with its control",
               {"criterion", "metric", "attack", "control", "net", "95 % interval", "worst person (so many)", "n",
                "failed", "missing", "coverage"},
               2);
    for (const CriterionRow& row : run.rows) criterion_row(html, row);
    close_table(html);
    const auto of = std::ranges::find(report.runs, run.run, &query::ReportRun::run);
    const bool control = of != report.runs.end() && of->control;
    for (const CriterionRow& row : run.rows) {
      if (row.net && row.net->value && *row.net->value < 0) {
        html.element("p", row.metric + ": no gain, the control learns more than the attack.");
      }
      if (control) continue;
      if (const std::string words = beside_threshold(row, report, options.context); !words.empty()) {
        html.element("p", words);
      }
    }
  }
  html.element("p",
               "The interval is that of the net, where there is one, else of the attack. worst person: the number for "
               "the person of whom it is worst, and for how many it is as bad. The control of a gain is its value by "
               "chance: what the second best text gives away and the third does not.");
  html.close("section");
}

}  // namespace residue::page
