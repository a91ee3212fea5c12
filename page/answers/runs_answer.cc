// The runs of a dataset beside each other: what made each, and its numbers by one attacker and one judge.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "query/compare/compare.h"
#include "query/metric/metrics.h"
#include "verbs/report.h"
#include "verbs/runs/choose.h"
#include "verbs/runs/facts.h"

namespace residue::page {
namespace {

constexpr query::MetricId kMore[] = {query::MetricId::kMeanRisk};

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json value_json(const query::MetricValue& value) {
  return {{"value", number(value.value)},
          {"low", number(value.low)},
          {"high", number(value.high)},
          {"n", value.n},
          {"failed", value.failed},
          {"missing", value.missing},
          {"coverage", number(value.coverage)},
          {"if_leaked", number(value.if_leaked)},
          {"if_private", number(value.if_private)}};
}

// Of the run's texts, as its numbers count them; the view counts them anew, from all texts, where these are old.
Json failed_of(const query::ReportRun& run) {
  std::optional<double> most;
  for (const auto& [id, metric] : run.metrics) most = std::max(most.value_or(0), metric.all.failed);
  return number(most);
}

Json run_json(const query::ReportRun& run) {
  Json metrics = Json::object();
  for (const auto& [id, metric] : run.metrics) {
    Json& one = metrics[query::definition(id).name] = value_json(metric.all);
    if (!metric.bins.empty()) {
      Json& bins = one["bins"] = Json::array();
      for (const query::MetricValue& bin : metric.bins)
        bins.push_back(static_cast<std::int64_t>(bin.value.value_or(0)));
    }
    if (metric.stale) one["stale"] = true;
    if (!metric.reason.empty()) one["reason"] = metric.reason;
  }
  return {
      {"run", run.run},     {"control", run.control},       {"sanitizer", run.sanitizer}, {"params", run.params},
      {"group", run.group}, {"records", run.records},       {"failed", failed_of(run)},   {"evaluated", run.evaluated},
      {"stale", run.stale}, {"metrics", std::move(metrics)}};
}

// Parameters that are not the same in all runs that are no controls.
std::vector<std::string> differing(const std::vector<query::ReportRun>& runs) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> given;
  std::size_t all = 0;
  for (const auto& run : runs) {
    if (run.control) continue;
    ++all;
    for (const auto& [name, value] : run.params) {
      values[name].insert(value);
      ++given[name];
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, seen] : values) {
    if (seen.size() > 1 || given[name] < all) names.push_back(name);
  }
  return names;
}

// In the order of the list, which leaves out what a condition does.
void keep_listed(std::vector<query::ReportRun>& runs, const verbs::RunList& list) {
  std::map<std::string, query::ReportRun*, std::less<>> by_name;
  for (query::ReportRun& run : runs) by_name[run.run] = &run;
  std::vector<query::ReportRun> kept;
  for (const verbs::ListedRun& listed : list.runs) {
    if (const auto found = by_name.find(listed.facts.run); found != by_name.end()) {
      kept.push_back(std::move(*found->second));
    }
  }
  runs = std::move(kept);
}

Json made_json(const verbs::RunFacts& facts) {
  if (!facts.made) return {};
  return {{"version", facts.made->version},
          {"changed_at", facts.made->changed_at},
          {"ms", facts.made->ms},
          {"requests", facts.cost.requests},
          {"tokens_in", facts.cost.tokens_in},
          {"tokens_out", facts.cost.tokens_out},
          {"usd", facts.cost.usd}};
}

std::vector<std::string> headlines(const std::vector<query::ReportRun>& runs) {
  std::vector<std::string> names;
  std::vector<query::MetricId> wanted = query::default_metrics();
  wanted.insert(wanted.end(), std::begin(kMore), std::end(kMore));
  for (const query::MetricId id : wanted) {
    if (std::ranges::any_of(runs, [&](const auto& run) { return run.metrics.contains(id); })) {
      names.emplace_back(query::definition(id).name);
    }
  }
  return names;
}

}  // namespace

Reply answer_runs(const Viewer& viewer, const Wanted& wanted) {
  const std::string dataset = wanted.needed("dataset");
  const Rows made =
      rows(viewer, "SELECT run, kind, seed, variants, created_at FROM runs WHERE dataset = " + sql_string(dataset));
  std::map<std::string, Json, std::less<>> cards;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    Json one = Json::object();
    for (std::size_t column = 1; column < made.columns.size(); ++column)
      one[made.columns[column]] = json_of(made.rows[i][column]);
    cards[json_of(made.rows[i][0]).get<std::string>()] = std::move(one);
  }
  storage::OpenOptions how;
  how.read_only = true;
  storage::Store store(viewer.store, how);
  verbs::ReportOptions options;
  options.what.dataset = dataset;
  options.what.protocols = wanted.text("protocol");
  options.what.seeds = 1;
  if (const std::string judge = wanted.text("judge"); !judge.empty()) options.what.judge = judge;
  query::Report report = verbs::report(store, options).reports.front();
  if (wanted.number("sample", report.sample, 1U << 31U) != report.sample) {
    throw Error(Code::kUsage, "these numbers are of another sample of the records than the one evaluated last",
                "residue sql, view metrics, has those of every sample");
  }
  verbs::ListOptions listing{
      .what = options.what, .where = wanted.text("where"), .sort = wanted.text("sort"), .group = {}, .columns = {}};
  if (!listing.sort.empty() && wanted.text("desc") == "1") listing.sort += ":desc";
  const verbs::RunList list = verbs::list_runs(store, listing);
  std::map<std::string, const verbs::RunFacts*, std::less<>> facts;
  for (const verbs::ListedRun& run : list.runs) facts[run.facts.run] = &run.facts;
  keep_listed(report.runs, list);
  std::vector<std::string> notes = report.doubts;
  for (const std::string& line : verbs::words_of(list.chosen)) notes.push_back(line);
  Json runs = Json::array();
  for (const query::ReportRun& run : report.runs) {
    Json one = run_json(run);
    if (const auto card = cards.find(run.run); card != cards.end()) {
      for (const char* name : {"kind", "seed", "variants", "created_at"}) one[name] = card->second.at(name);
    }
    if (const auto known = facts.find(run.run); known != facts.end()) {
      one["tags"] = known->second->tags;
      // The owner's own words may quote what they are about: they are read where originals are (run_note in levels).
      if (viewer.originals()) one["note"] = known->second->note;
      one["made"] = made_json(*known->second);
    }
    runs.push_back(std::move(one));
  }
  const std::size_t shown = runs.size();
  return {
      .body =
          Json({{"dataset", report.dataset},
                {"protocol", report.spec.name()},
                {"sample", report.sample},
                {"judge", report.judge},
                {"validation", report.validation},
                {"columns", headlines(report.runs)},
                {"params", differing(report.runs)},
                {"runs", std::move(runs)},
                {"total", cards.size()},
                {"shown", shown},
                {"notes", notes},
                {"sql", "SELECT run, metric, value, low, high, n, failed, missing FROM metrics WHERE dataset = " +
                            sql_string(dataset) + " AND slice = '' AND (protocol IS NULL OR protocol = " +
                            sql_string(report.spec.name()) + " AND sample = " + std::to_string(report.sample) +
                            ") AND (judge IS NULL OR judge = " + sql_string(report.judge) + ") ORDER BY run, metric;"}})
              .dump()};
}

}  // namespace residue::page
