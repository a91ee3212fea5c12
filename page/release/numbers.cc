// The table of which each number can be computed again. page_rows.cc reads its rows in exactly this form.
#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

using query::MetricId;
using query::MetricValue;

std::set<std::pair<std::string, MetricId>> with_contributions(const verbs::Proof& proof) {
  std::set<std::pair<std::string, MetricId>> all;
  for (const verbs::RunProof& run : proof.runs) {
    for (const verbs::ProvenTier& tier : run.tiers) {
      for (const verbs::ProvenMetric& metric : tier.metrics) all.emplace(run.run, metric.metric);
    }
  }
  return all;
}

void number_row(Html& html, const std::string& run, MetricId metric, const MetricValue& value, bool here,
                std::uint32_t seeds) {
  const std::string name(query::definition(metric).name);
  html.open("tr", {{"data-run", run}, {"data-metric", name}});
  html.element("th", run, {{"scope", "row"}});
  html.element("td", name);
  number_cell(html, value.value, number(value.value));
  number_cell(html, value.low, number(value.low));
  number_cell(html, value.high, number(value.high));
  for (const double of : {value.n, value.failed, value.missing}) number_cell(html, of, count(of));
  number_cell(html, value.if_leaked, number(value.if_leaked));
  number_cell(html, value.if_private, number(value.if_private));
  const std::string none = seeds > 1 ? fmt::format("not here: mean of {} seeds", seeds) : std::string("not here");
  html.element("td", here ? "here" : none, {{"class", here ? "plain" : "unproven"}});
  html.close("tr");
}

}  // namespace

void write_proof(Html& html, const verbs::Release& release) {
  const query::Report& report = release.report();
  open_section(html, "proof", "The numbers, and their proof");
  sample_note(html, report);
  const bool carried = !release.proof.runs.empty();
  html.element("p",
               carried
                   ? "Every number here is made of what single records contribute. Where scripts may run, the page "
                     "computes this table again from the contributions that it carries, and says whether the "
                     "arithmetic agrees. Where the same numbers stand under gates, coverage, criteria, usefulness and "
                     "other attackers, the script compares them too. Worst persons, parts, differences of runs, "
                     "distances, categories and charts are not part of that proof: residue verify-report compares all "
                     "of the page with the store."
                   : "Every number here is made of what single records contribute. This page was made without these "
                     "contributions (--no-proof): nothing here is proven. residue verify-report compares all of the "
                     "page with the store.",
               {{"id", "proof-words"}});
  if (carried && report.seeds > 1) {
    html.element("p",
                 fmt::format("Numbers of attacks are means of {} seeds, and NOT PROVEN here: the page carries no "
                             "contributions to them. A page of one seed (--seeds 1) does.",
                             report.seeds),
                 {{"class", "warning"}});
  }
  html.element("p", "", {{"id", "proof-result"}, {"role", "status"}});
  open_table(html, "Numbers of every run",
             {"run", "metric", "value", "low", "high", "n", "failed", "missing", "if leaked", "if private",
              "contributions"},
             2);
  const auto here = with_contributions(release.proof);
  for (const query::ReportRun& run : report.runs) {
    for (const MetricId id : verbs::proven_metrics()) {
      const query::ReportMetric* metric = query::metric_of(run, id);
      if (metric == nullptr) continue;
      number_row(html, run.run, id, metric->all, here.contains({run.run, id}), report.seeds);
    }
  }
  close_table(html);
  html.close("section");
}

}  // namespace residue::page
