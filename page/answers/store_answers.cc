// What there is: datasets, metrics, attackers and judges, the state of runs, questions to begin with.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "query/metric/metrics.h"
#include "query/report/status.h"
#include "query/sql/advice/contract.h"
#include "query/sql/advice/questions.h"

namespace residue::page {

Reply answer_store(const Viewer& viewer, const Wanted& /*wanted*/) {
  const Rows datasets = rows(viewer, "SELECT dataset, records, control_of FROM datasets ORDER BY 1");
  return {.body = Json({{"version", viewer.version},
                        {"level", std::string(name_of(viewer.level))},
                        {"datasets", datasets.objects()}})
                      .dump()};
}

Reply answer_metrics(const Viewer& /*viewer*/, const Wanted& /*wanted*/) {
  Json all = Json::array();
  for (const query::MetricDefinition& metric : query::metric_definitions()) {
    all.push_back({{"metric", metric.name},
                   {"direction", metric.direction},
                   {"higher_is_private", metric.higher_is_private},
                   {"source", metric.source}});
  }
  return {.body = Json({{"metrics", std::move(all)}}).dump()};
}

Reply answer_lenses(const Viewer& viewer, const Wanted& wanted) {
  const std::string dataset = wanted.needed("dataset");
  const Rows found = rows(
      viewer, "SELECT protocol, sample, judge, count(DISTINCT run) AS runs FROM metrics WHERE dataset = " +
                  sql_string(dataset) +
                  " AND protocol IS NOT NULL AND judge IS NOT NULL AND slice = '' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3");
  Json lenses = found.objects();
  Json last;  // null: no evaluation has come to its end; runs that are done have their numbers all the same
  if (!lenses.empty()) {
    try {
      const query::Lens lens = lens_of(viewer, wanted);
      last = lens_json(lens);
      last["seeds"] = query::seed_lenses(open_to_read(viewer)->db(), lens, std::nullopt).size();
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound || !wanted.text("protocol").empty()) throw;
    }
  }
  const bool ended = !last.is_null();
  return {.body = Json({{"lenses", std::move(lenses)}, {"last", std::move(last)}, {"ended", ended}}).dump()};
}

Reply answer_status(const Viewer& viewer, const Wanted& wanted) {
  const auto store = open_to_read(viewer);
  const std::string dataset = wanted.text("dataset");
  const query::Status status = query::read_status(*store, dataset.empty() ? std::nullopt : std::optional(dataset));
  std::map<std::string, std::map<std::string, TextCounts>> texts;  // by dataset, by run
  Json runs = Json::array(), incomplete = Json::array();
  for (const query::RunStatus& run : status.runs) {
    Json evaluations = Json::array();
    bool current = true;
    for (const auto& one : run.evaluations) {
      if (one.superseded) continue;
      current = current && one.current;
      evaluations.push_back(
          {{"protocol", one.protocol}, {"judge", one.judge}, {"sample", one.sample}, {"current", one.current}});
    }
    const auto of = texts.try_emplace(run.dataset).first;
    if (of->second.empty()) of->second = text_counts(viewer, *store, run.dataset);
    const TextCounts& counts = of->second[run.run];
    runs.push_back({{"dataset", run.dataset},
                    {"run", run.run},
                    {"control", run.control},
                    {"variants", run.variants},
                    {"failed", run.failed},
                    {"lacking", counts.lacking},
                    {"running", run.running},
                    {"current", current && !run.evaluations.empty()},
                    {"evaluations", std::move(evaluations)}});
  }
  for (const query::IncompleteInput& input : status.incomplete) {
    incomplete.push_back({{"target", input.target}, {"lines", input.lines}});
  }
  const std::string where = dataset.empty() ? std::string() : " WHERE dataset = " + sql_string(dataset);
  return {.body = Json({{"runs", std::move(runs)},
                        {"incomplete", std::move(incomplete)},
                        {"notes", status.outdated},
                        {"sql", "-- which evaluations are current: residue status\nSELECT dataset, run, variants AS "
                                "texts, failed FROM runs" +
                                    where + " ORDER BY dataset, run;"}})
                      .dump()};
}

namespace {

// What the questions are asked about: what the page is open at, else the newest run that keeps its records. Nothing
// where there is no such run.
std::optional<query::AskedAbout> asked_about(const Viewer& viewer, const Wanted& wanted) {
  query::AskedAbout about;
  about.dataset = wanted.text("dataset");
  about.run = wanted.text("run");
  about.record = wanted.text("record");
  if (about.dataset.empty()) return std::nullopt;
  const std::string of = " WHERE dataset = " + sql_string(about.dataset);
  const auto first = [&](std::string& name, const std::string& sql) {
    if (!name.empty()) return true;
    const Rows found = rows(viewer, sql, 1);
    if (found.rows.empty() || found.first(0).is_null()) return false;
    name = found.first(0).get<std::string>();
    return true;
  };
  if (!first(about.run, "SELECT run FROM runs" + of + " AND kind = 'aligned' ORDER BY created_at DESC, run")) {
    return std::nullopt;
  }
  if (!first(about.record, "SELECT min(record) FROM records" + of)) return std::nullopt;
  try {
    const query::Lens lens = lens_of(viewer, wanted);
    about.lens = query::AskedLens{.protocol = lens.spec.name(), .sample = lens.sample, .judge = lens.judge_name};
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;  // nothing was evaluated: there are questions without an attacker
  }
  return about;
}

}  // namespace

Reply answer_questions(const Viewer& viewer, const Wanted& wanted) {
  const std::optional<query::AskedAbout> about = asked_about(viewer, wanted);
  Json questions = Json::array(), views = Json::array();
  for (const query::Question& one : query::questions()) {
    questions.push_back({{"what", one.words},
                         {"sql", about ? query::statement_about(one.statement, *about) : std::string(one.statement)},
                         {"level", name_of(one.level)}});
  }
  for (const query::ViewPromise& view : query::view_promises()) {
    Json columns = Json::array();
    for (const query::ViewColumn& column : view.columns) {
      columns.push_back({{"name", column.name}, {"type", column.type}, {"means", column.about}});
    }
    views.push_back({{"view", view.name}, {"about", view.about}, {"columns", std::move(columns)}});
  }
  Json of;
  if (about) {
    of = {{"dataset", about->dataset}, {"run", about->run}, {"record", about->record}};
    if (about->lens) {
      of["protocol"] = about->lens->protocol;
      of["sample"] = about->lens->sample;
      of["judge"] = about->lens->judge;
    }
  }
  return {
      .body =
          Json({{"about", std::move(of)}, {"questions", std::move(questions)}, {"views", std::move(views)}}).dump()};
}

}  // namespace residue::page
