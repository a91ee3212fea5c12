// The runs of a dataset beside each other: what made each, and its numbers by one attacker and one judge.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "query/compare/compare.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/metric/metrics.h"
#include "query/stored/suspected_texts.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"
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

Json run_json(const Viewer& viewer, const query::ReportRun& run, const verbs::RunFacts& facts,
              const TextCounts& texts) {
  Json metrics = Json::object();
  for (const auto& [id, metric] : run.metrics) {
    Json& one = metrics[query::definition(id).name] = value_json(metric.all);
    if (!metric.bins.empty()) {
      Json& bins = one["bins"] = Json::array();
      for (const query::MetricValue& bin : metric.bins) {
        bins.push_back(bin.value.value_or(0));
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
               {"records", run.records},   {"variants", texts.texts},
               {"failed", texts.failed},   {"lacking", texts.lacking},
               {"stale", run.stale},       {"evaluated", run.evaluated},
               {"metrics", std::move(metrics)}};
  // The owner's own words may quote what they are about: they are read where originals are (run_note in levels).
  if (viewer.originals()) json["note"] = facts.note;
  return json;
}

std::string sql_list(const auto& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + sql_string(word);
  return "(" + list + ")";
}

// The rows that the numbers of `metrics` in `runs` are of, or, of several seeds, are the means of.
std::string sql_of(const query::Report& report, const std::vector<const query::ReportRun*>& runs,
                   const std::vector<std::string>& metrics) {
  std::vector<std::string> protocols, names;
  for (const query::ProtocolSpec& seed : query::with_seeds(report.spec, report.seeds)) {
    protocols.push_back(seed.name());
  }
  std::set<std::string> models;  // others may have rows of the same metrics
  for (const query::ReportRun* run : runs) {
    names.push_back(run->run);
    for (const auto& [id, metric] : run->metrics) {
      const bool shown = std::ranges::find(metrics, query::definition(id).name) != metrics.end();
      if (shown && !metric.model.empty() && metric.model != query::kNoEmbedder) models.insert(metric.model);
    }
  }
  return "SELECT run, protocol, sample, judge, model, metric, value, low, high, n, failed, missing FROM metrics WHERE "
         "dataset = " +
         sql_string(report.dataset) + " AND run IN " + sql_list(names) + " AND metric IN " + sql_list(metrics) +
         " AND slice = '' AND (protocol IS NULL OR protocol IN " + sql_list(protocols) +
         " AND sample = " + std::to_string(report.sample) +
         ") AND (judge IS NULL OR judge = " + sql_string(report.judge) + ")" +
         (models.empty() ? "" : " AND (model IS NULL OR model IN " + sql_list(models) + ")") +
         " ORDER BY run, metric, protocol;";
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

// The metrics that a page shows: those that it names; parameters of runs, which it names as well, are no metrics.
std::vector<std::string> shown_metrics(const Wanted& wanted, const std::vector<std::string>& otherwise) {
  std::vector<std::string> metrics;
  std::istringstream names(wanted.text("columns"));
  for (std::string name; std::getline(names, name, ',');) {
    if (query::find_metric(name)) metrics.push_back(name);
  }
  return metrics.empty() ? otherwise : metrics;
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

std::string counted_texts(storage::Store& store, const std::string& dataset) {
  storage::Db& db = store.db();
  const storage::Lock held = store.hold_texts();
  const storage::ReadTransaction snapshot(db);
  const auto texts = store.facts().read();  // behind the snapshot: it has all that this one names
  storage::Statement records = db.prepare(storage::sql::kRecordCountOfDatasetByName);
  const std::int64_t all = records.bind(dataset).step() ? records.integer(0) : 0;
  storage::Statement runs = db.prepare(storage::sql::kRunsWithCountsOfOneOrAllDatasets);
  runs.bind(dataset);
  Json counted = Json::object();
  while (runs.step()) {
    const std::int64_t there = runs.integer(4);
    const bool aligned = runs.text(3) == "aligned";
    const auto suspected = aligned ? query::suspected_texts(db, *texts, runs.id<RunId>(0)).size() : 0;
    counted[std::string(runs.text(2))] = {{"texts", there},
                                          {"failed", runs.integer(5) + static_cast<std::int64_t>(suspected)},
                                          {"lacking", aligned ? Json(std::max<std::int64_t>(all - there, 0)) : Json()}};
  }
  return counted.dump();
}

}  // namespace

std::map<std::string, TextCounts> text_counts(const Viewer& viewer, storage::Store& store,
                                              const std::string& dataset) {
  const auto bytes = kept_or(viewer, "texts of the runs of " + dataset, [&] { return counted_texts(store, dataset); });
  std::map<std::string, TextCounts> counts;
  const Json counted = Json::parse(*bytes).value_or(Json::object());
  for (const auto& [run, one] : counted.items()) {
    const auto number = [&said = one](const char* name) { return said.at(name).get<std::uint64_t>(); };
    TextCounts& of = counts[run] = {.texts = number("texts"), .failed = number("failed"), .lacking = {}};
    if (!one.at("lacking").is_null()) of.lacking = number("lacking");
  }
  return counts;
}

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
  auto texts = text_counts(viewer, *store, report.dataset);
  Json runs = Json::array();
  std::vector<verbs::RunFacts> facts;
  std::vector<const query::ReportRun*> shown;
  std::size_t controls = 0;  // a condition leaves them in
  for (const verbs::ListedRun& listed : list.runs) {
    const auto found = std::ranges::find(report.runs, listed.facts.run, &query::ReportRun::run);
    if (found == report.runs.end()) continue;
    runs.push_back(run_json(viewer, *found, listed.facts, texts[listed.facts.run]));
    facts.push_back(listed.facts);
    shown.push_back(&*found);
    if (found->control) ++controls;
  }
  const std::vector<std::string> columns = headlines(shown);
  return {.body = Json({{"dataset", report.dataset},
                        {"protocol", report.spec.name()},
                        {"protocols", report.protocol},
                        {"seeds", report.seeds},
                        {"sample", report.sample},
                        {"judge", report.judge},
                        {"validation", report.validation.text},
                        {"answerers", report.answerers},
                        {"columns", columns},
                        {"params", verbs::differing_params(facts)},
                        {"runs", std::move(runs)},
                        {"total", list.chosen.of + controls},
                        {"shown", shown.size()},
                        {"notes", notes},
                        {"sql", sql_of(report, shown, shown_metrics(wanted, columns))}})
                      .dump()};
}

Reply answer_notes(const Viewer& viewer, const Wanted& wanted) {
  const auto store = open_to_read(viewer);
  return {.body = Json({{"notes", query::load_report(*store, asked_for(wanted)).doubts}}).dump()};
}

}  // namespace residue::page
