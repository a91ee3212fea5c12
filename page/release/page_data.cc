// What the scripts of the page draw and compute from.
//
//   contributions ── each different one once, records name theirs ──> a table and its places, base64
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.h"
#include "page/html/document.h"
#include "page/release/page_facts.h"
#include "page/release/page_request.h"
#include "page/release/parts.h"
#include "page/release/release_page.h"
#include "query/people/intruder_lines.h"
#include "query/report/report_values.h"
#include "query/stored/stored_scores.h"
#include "text/characters/unicode.h"

namespace residue::page {
namespace {

using query::MetricId;
using query::MetricValue;

// As the tables have it: no name turns the order of letters in a chart.
std::string seen(std::string_view name) { return text::escape_controls(name); }

Json json_of(const std::optional<MetricValue>& value) {
  if (!value || !value->value) return Json();
  return {{"value", value->value}, {"low", value->low}, {"high", value->high}};
}

Json trade(const query::Frontier& frontier) {
  Json runs = Json::array();
  for (const query::FrontierRun& run : frontier.runs) {
    runs.push_back({{"run", seen(run.run)},
                    {"control", run.control},
                    {"frontier", run.on_frontier()},
                    {"privacy", json_of(run.privacy)},
                    {"utility", json_of(run.utility)}});
  }
  return {{"privacy", query::definition(frontier.privacy).name},
          {"utility", query::definition(frontier.utility).name},
          {"runs", std::move(runs)}};
}

Json distances(const query::Report& report) {
  Json runs = Json::array();
  for (const query::ReportRun& run : report.runs) {
    const query::ReportMetric* metric = query::metric_of(run, MetricId::kDistanceHistogram);
    if (metric == nullptr) continue;
    Json bins = Json::array();
    for (const double records : query::bin_counts(*metric)) bins.push_back(records);
    runs.push_back({{"run", seen(run.run)}, {"bins", std::move(bins)}});
  }
  return runs;
}

Json categories(const query::Report& report) {
  Json cells = Json::array();
  for (const query::ReportRun& run : report.runs) {
    const query::ReportMetric* metric = query::metric_of(run, MetricId::kLeakByCategory);
    if (metric == nullptr) continue;
    for (const auto& [name, value] : metric->cuts) {
      if (value.value) cells.push_back({{"run", seen(run.run)}, {"category", seen(name)}, {"value", value.value}});
    }
  }
  return cells;
}

Json attackers(const std::vector<query::Report>& reports) {
  Json cells = Json::array();
  for (const query::Report& report : reports) {
    for (const query::ReportRun& run : report.runs) {
      const query::ReportMetric* metric = query::metric_of(run, MetricId::kLinkageRate);
      if (metric == nullptr || !metric->all.value) continue;
      cells.push_back({{"attacker", seen(attacker_words(report))}, {"run", seen(run.run)}, {"of", json_of(metric->all)}});
    }
  }
  return cells;
}

// Persons found by people and by the machine: on the axis that linkage has.
Json intruder(const verbs::Release& release) {
  Json cells = Json::array();
  for (const verbs::ReleasedRun& run : release.runs) {
    for (const verbs::ReleasedTest& test : run.tests) {
      if (!test.report) continue;
      for (const query::IntruderLine& line : query::lines_of(*test.report)) {
        if (line.what != "person" || (test.report->held && line.outcome) || !line.rate.value) continue;
        cells.push_back({{"attacker", fmt::format("{}, {}: {}", line.who, line.of, seen(test.protocol))},
                         {"run", seen(run.card.run)},
                         {"of", {{"value", line.rate.value}, {"low", line.rate.low}, {"high", line.rate.high}}}});
      }
    }
  }
  return cells;
}

std::string_view kind_name(query::Kind kind) {
  switch (kind) {
    case query::Kind::kMean:
      return "mean";
    case query::Kind::kShare:
      return "share";
    case query::Kind::kPooled:
      return "pooled";
    case query::Kind::kNet:
      return "net";
    case query::Kind::kGain:
      return "gain";
    default:
      return "";
  }
}

Json definitions() {
  Json all = Json::object();
  for (const MetricId id : verbs::proven_metrics()) {
    const query::MetricDefinition& metric = query::definition(id);
    Json one = {{"kind", kind_name(metric.kind)},
                {"low", metric.low},
                {"high", metric.high},
                {"higherIsPrivate", metric.higher_is_private},
                {"optional", query::optional_for_records(metric)},
                {"parts", metric.parts}};
    if (const auto whole = query::whole_of(id)) one["whole"] = query::definition(*whole).name;
    all[std::string(metric.name)] = std::move(one);
  }
  return all;
}

template <class Number>
void append(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xff);
}

Json contributions(const verbs::ProvenMetric& metric) {
  using Key = std::tuple<int, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Key, std::size_t> places;
  const auto key = [](const query::Contribution& c) { return Key{static_cast<int>(c.state), c.num, c.den, c.best}; };
  for (const query::Contribution& c : metric.contributions) places.emplace(key(c), 0);
  Json table = Json::array();
  for (auto& [of, place] : places) {
    place = table.size();
    table.push_back({std::get<0>(of), std::get<1>(of), std::get<2>(of), std::get<3>(of)});
  }
  const bool wide = places.size() > 256;
  std::string bytes;
  for (const query::Contribution& c : metric.contributions) {
    const std::size_t place = places.at(key(c));
    wide ? append(bytes, static_cast<std::uint32_t>(place)) : append(bytes, static_cast<std::uint8_t>(place));
  }
  return {{"metric", query::definition(metric.metric).name},
          {"table", std::move(table)},
          {"wide", wide},
          {"at", base64(bytes)}};
}

Json proof(const verbs::Release& release) {
  std::map<std::vector<std::uint64_t>, std::size_t> lists;  // of units: tiers of all runs share them
  Json units = Json::array(), runs = Json::array();
  for (const verbs::RunProof& run : release.proof.runs) {
    Json tiers = Json::array();
    for (const verbs::ProvenTier& tier : run.tiers) {
      const auto [list, fresh] = lists.emplace(tier.units, units.size());
      if (fresh) {
        std::string bytes;
        for (const std::uint64_t unit : tier.units) append(bytes, unit);
        units.push_back(base64(bytes));
      }
      Json metrics = Json::array();
      for (const verbs::ProvenMetric& metric : tier.metrics) metrics.push_back(contributions(metric));
      tiers.push_back({{"units", list->second}, {"metrics", std::move(metrics)}});
    }
    runs.push_back({{"run", run.run}, {"tiers", std::move(tiers)}});
  }
  return {{"attacker", attacker_words(release.report())},
          {"independent", release.proof.independent},
          {"drop", release.report().missing == query::MissingPolicy::kDrop},
          {"metrics", definitions()},
          {"units", std::move(units)},
          {"runs", std::move(runs)}};
}

}  // namespace

std::string page_data(const verbs::Release& release, const PageRequest& request) {
  Json data = {{"request", to_json(request)},
               {"gates", gates_of(release, request.gates)},
               {"trade", trade(release.frontier)},
               {"distances", distances(release.report())},
               {"categories", categories(release.report())},
               {"attackers", attackers(release.attacks)},
               {"intruder", intruder(release)}};
  if (!release.proof.runs.empty()) data["proof"] = proof(release);
  if (packable(request)) data["facts"] = facts_of(release, request.options.made_ms);
  return data.dump();
}

}  // namespace residue::page
