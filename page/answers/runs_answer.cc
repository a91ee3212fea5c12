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

Json value_json(const query::MetricValue& value) {
  return {{"value", value.value},
          {"low", value.low},
          {"high", value.high},
          {"n", value.n},
          {"failed", value.failed},
          {"missing", value.missing},
          {"coverage", value.coverage},
          {"if_leaked", value.if_leaked},
          {"if_private", value.if_private}};
}

// Of the run's texts, as its numbers count them; the view counts them anew, from all texts, where these are old.
Json failed_of(const query::ReportRun& run) {
  std::optional<double> most;
  for (const auto& [id, metric] : run.metrics) most = std::max(most.value_or(0), metric.all.failed);
  return most;
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

Json run_json(const Viewer& viewer, const query::ReportRun& run, const verbs::RunFacts& facts) {
  Json metrics = Json::object();
  for (const auto& [id, metric] : run.metrics) {
    Json& one = metrics[query::definition(id).name] = value_json(metric.all);
    if (!metric.bins.empty()) {
      Json& bins = one["bins"] = Json::array();
      for (const query::MetricValue& bin : metric.bins) {
        bins.push_back(static_cast<std::int64_t>(bin.value.value_or(0)));
      }
    }
    if (metric.stale) one["stale"] = true;
    if (!metric.model.empty()) one["model"] = metric.model;
    if (!metric.others.empty()) one["others"] = metric.others;
    if (metric.all.seeds) one["seeds"] = *metric.all.seeds;
    if (!metric.reason.empty()) one["reason"] = metric.reason;
  }
  Json json = {{"run", run.run},           {"kind", facts.kind},
               {"control", run.control},   {"sanitizer", run.sanitizer},
               {"params", run.params},     {"seed", facts.seed},
               {"group", run.group},       {"tags", facts.tags},
               {"made", made_json(facts)}, {"created_at", facts.created_at},
               {"records", run.records},   {"variants", run.control ? 0 : run.records},
               {"failed", failed_of(run)}, {"evaluated", run.evaluated},
               {"stale", run.stale},       {"metrics", std::move(metrics)}};
  // The owner's own words may quote what they are about: they are read where originals are (run_note in levels).
  if (viewer.originals()) json["note"] = facts.note;
  return json;
}

// The rows that the numbers are of, or, of several seeds, are the means of.
std::string sql_of(const query::Report& report) {
  std::string protocols;
  for (const query::ProtocolSpec& seed : query::with_seeds(report.spec, report.seeds)) {
    protocols += (protocols.empty() ? "" : ", ") + sql_string(seed.name());
  }
  return "SELECT run, protocol, model, metric, value, low, high, n, failed, missing FROM metrics WHERE dataset = " +
         sql_string(report.dataset) + " AND slice = '' AND (protocol IS NULL OR protocol IN (" + protocols +
         ") AND sample = " + std::to_string(report.sample) +
         ") AND (judge IS NULL OR judge = " + sql_string(report.judge) + ") ORDER BY run, metric, protocol;";
}

std::vector<std::string> headlines(const std::vector<const query::ReportRun*>& runs) {
  std::vector<std::string> names;
  std::vector<query::MetricId> wanted = query::default_metrics();
  wanted.insert(wanted.end(), std::begin(kMore), std::end(kMore));
  for (const query::MetricId id : wanted) {
    if (std::ranges::any_of(runs, [&](const auto* run) { return run->metrics.contains(id); })) {
      names.emplace_back(query::definition(id).name);
    }
  }
  return names;
}

query::ReportOptions asked_for(const Wanted& wanted) {
  query::ReportOptions options;
  options.dataset = wanted.needed("dataset");
  options.protocols = wanted.text("protocol");
  options.seeds = wanted.seeds();
  options.sample = wanted.sample();
  if (const std::string judge = wanted.text("judge"); !judge.empty()) options.judge = judge;
  return options;
}

}  // namespace

Reply answer_runs(const Viewer& viewer, const Wanted& wanted) {
  const auto store = open_to_read(viewer);
  verbs::ReportOptions options;
  options.what = asked_for(wanted);
  options.what.remarks = wanted.text("notes") != "no";
  if (const std::string model = wanted.text("model"); !model.empty()) options.what.model = model;
  const query::Report report = verbs::report(*store, options).reports.front();
  verbs::ListOptions listing{
      .what = options.what, .where = wanted.text("where"), .sort = wanted.text("sort"), .group = {}, .columns = {}};
  if (!listing.sort.empty() && wanted.text("desc") == "1") listing.sort += ":desc";
  const verbs::RunList list = verbs::list_runs(*store, listing, report);
  std::vector<std::string> notes = report.doubts;
  for (const std::string& line : verbs::words_of(list.chosen)) notes.push_back(line);
  Json runs = Json::array();
  std::vector<verbs::RunFacts> facts;
  std::vector<const query::ReportRun*> shown;
  std::size_t controls = 0;  // a condition leaves them in
  for (const verbs::ListedRun& listed : list.runs) {
    const auto found = std::ranges::find(report.runs, listed.facts.run, &query::ReportRun::run);
    if (found == report.runs.end()) continue;
    runs.push_back(run_json(viewer, *found, listed.facts));
    facts.push_back(listed.facts);
    shown.push_back(&*found);
    if (found->control) ++controls;
  }
  return {.body = Json({{"dataset", report.dataset},
                        {"protocol", report.spec.name()},
                        {"protocols", report.protocol},
                        {"seeds", report.seeds},
                        {"sample", report.sample},
                        {"judge", report.judge},
                        {"validation", report.validation},
                        {"answerers", report.answerers},
                        {"columns", headlines(shown)},
                        {"params", verbs::differing_params(facts)},
                        {"runs", std::move(runs)},
                        {"total", list.chosen.of + controls},
                        {"shown", shown.size()},
                        {"notes", notes},
                        {"sql", sql_of(report)}})
                      .dump()};
}

Reply answer_notes(const Viewer& viewer, const Wanted& wanted) {
  const auto store = open_to_read(viewer);
  return {.body = Json({{"notes", query::load_report(*store, asked_for(wanted)).doubts}}).dump()};
}

}  // namespace residue::page
