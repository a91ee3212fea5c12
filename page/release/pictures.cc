// What is drawn as well: each picture with the table that it is made of.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "page/release/words.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

using query::MetricId;
using query::MetricValue;

std::string of_frontier(const query::FrontierRun& run) {
  if (run.control) return "control";
  if (run.stale) return "old";
  if (!run.compared()) return "not compared";
  if (run.on_frontier()) return "on the frontier";
  std::string names;
  for (const std::string& name : run.dominated_by) names += (names.empty() ? "" : ", ") + name;
  return "beaten by " + names;
}

void value_cells(Html& html, const std::optional<MetricValue>& value) {
  const bool there = value && value->value;
  number_cell(html, there ? value->value : std::nullopt, there ? number(value->value) : "–");
  html.element("td", there ? interval(value->low, value->high) : "", {{"class", "number"}});
}

}  // namespace

void write_trade(Html& html, const verbs::Release& release) {
  const query::Frontier& frontier = release.frontier;
  const std::string privacy(query::definition(frontier.privacy).name);
  const std::string utility(query::definition(frontier.utility).name);
  open_section(html, "trade", "Privacy against usefulness");
  chart_place(html, "trade-chart", privacy + " against " + utility + ", a mark with its intervals for each run");
  open_table(html, "A run is beaten where another is as private and as useful, and better in one",
             {"run", "place", privacy, "95 % interval", utility, "95 % interval"}, 2);
  for (const query::FrontierRun& run : frontier.runs) {
    html.open("tr");
    html.element("th", run.run, {{"scope", "row"}});
    html.element("td", of_frontier(run));
    value_cells(html, run.privacy);
    value_cells(html, run.utility);
    html.close("tr");
  }
  close_table(html);
  html.close("section");
}

void write_distances(Html& html, const verbs::Release& release) {
  open_section(html, "distances", "How much is learned of each record");
  chart_place(html, "distances-chart", "records by semantic_distance in ten ranges, for each run");
  std::vector<std::string> columns = {"run"};
  for (int bin = 0; bin < 10; ++bin) columns.push_back(fmt::format("{:.1f}–{:.1f}", bin / 10.0, (bin + 1) / 10.0));
  open_table(html, "Records by semantic_distance: 0 where all is learned, and where the text failed or is missing", columns, 1);
  for (const query::ReportRun& run : release.report().runs) {
    const query::ReportMetric* metric = query::metric_of(run, MetricId::kDistanceHistogram);
    if (metric == nullptr) continue;
    html.open("tr");
    html.element("th", run.run, {{"scope", "row"}});
    for (const double records : query::bin_counts(*metric)) number_cell(html, records, count(records));
    html.close("tr");
  }
  close_table(html);
  html.close("section");
}

void write_categories(Html& html, const verbs::Release& release) {
  const query::Report& report = release.report();
  std::set<std::string> names;
  for (const query::ReportRun& run : report.runs) {
    if (const auto* metric = query::metric_of(run, MetricId::kLeakByCategory)) {
      for (const auto& [name, value] : metric->cuts) names.insert(name);
    }
  }
  open_section(html, "categories", "What leaks, by what it is about");
  if (names.empty()) {
    html.element("p", "Nobody said what the claims are about: residue categorize does.");
    html.close("section");
    return;
  }
  chart_place(html, "categories-chart", "leak rate by category and run");
  std::vector<std::string> columns = {"run"};
  columns.insert(columns.end(), names.begin(), names.end());
  open_table(html, fmt::format("Share of the claims that leak; categories by {}", report.categorizer), columns, 1);
  for (const query::ReportRun& run : report.runs) {
    const auto* metric = query::metric_of(run, MetricId::kLeakByCategory);
    if (metric == nullptr) continue;
    html.open("tr");
    html.element("th", run.run, {{"scope", "row"}});
    for (const std::string& name : names) {
      const auto cut = metric->cuts.find(name);
      const bool there = cut != metric->cuts.end() && cut->second.value;
      html.element("td", there ? number(cut->second.value) : "–",
                   {{"class", "number"},
                    {"data-value", there ? fmt::format("{}", *cut->second.value) : std::string()},
                    {"title", there ? fmt::format("{} {}", behind(cut->second, "claims"),
                                                  interval(cut->second.low, cut->second.high))
                                    : std::string()}});
    }
    html.close("tr");
  }
  close_table(html);
  html.close("section");
}

void write_attackers(Html& html, const verbs::Release& release) {
  open_section(html, "attackers", "Other attackers");
  chart_place(html, "attackers-chart", "linkage rate by attacker and run");
  open_table(html, "Every attacker that this judge rated",
             {"attacker", "run", "linkage_rate", "95 % interval", "semantic_distance", "95 % interval", "leak_rate",
              "95 % interval"},
             2);
  for (const query::Report& report : release.attacks) {
    for (const query::ReportRun& run : report.runs) {
      if (!run.evaluated) continue;
      html.open("tr");
      html.element("th", attacker_words(report), {{"scope", "row"}});
      html.element("td", run.run + std::string(run.stale ? kOldMark : ""));
      for (const MetricId id : {MetricId::kLinkageRate, MetricId::kSemanticDistance, MetricId::kLeakRate}) {
        const query::ReportMetric* metric = query::metric_of(run, id);
        value_cells(html, metric == nullptr ? std::nullopt : std::optional(metric->all));
      }
      html.close("tr");
    }
  }
  close_table(html);
  html.close("section");
}

}  // namespace residue::page
