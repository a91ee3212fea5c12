// Two runs, record by record: differences with intervals and tests, and on which records the attack ended otherwise.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "base/json.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "query/metric/metrics.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/lookup.h"
#include "verbs/compare.h"

namespace residue::page {
namespace {

Json delta_json(const query::MetricDelta& delta) {
  const query::MetricDefinition& metric = query::definition(delta.metric);
  const auto& interval = delta.delta.interval;
  return {{"metric", metric.name},
          {"slice", delta.cut},
          {"direction", metric.direction},
          {"higher_is_private", metric.higher_is_private},
          {"baseline", delta.delta.a},
          {"run", delta.delta.b},
          {"difference", delta.delta.difference},
          {"low", interval ? Json(interval->low) : Json()},
          {"high", interval ? Json(interval->high) : Json()},
          {"p", delta.test ? Json(delta.test->p) : Json()},
          {"corrected_p", delta.corrected_p},
          {"differing", delta.test ? Json(delta.test->differing) : Json()},
          {"dominance", delta.dominance},
          {"n", delta.records},
          {"units", delta.units},
          {"left_out", delta.left_out},
          {"failed_baseline", delta.lost_baseline.failed},
          {"missing_baseline", delta.lost_baseline.missing},
          {"failed", delta.lost.failed},
          {"missing", delta.lost.missing}};
}

// As verbs::compare() refuses old numbers, without its numbers.
void require_current(storage::Db& db, const query::Lens& lens, const std::string& run) {
  const RunId id = storage::find_run(db, lens.dataset_name, run);
  for (const auto& [tier, judge] :
       {std::pair(query::Tier::kLink, JudgeId{}), std::pair(query::Tier::kJudge, lens.judge)}) {
    const auto found = query::current_evaluation(db, id, tier, lens.protocol, judge);
    if (!found || found->changed.empty()) continue;
    throw Error(Code::kUsage, fmt::format("numbers of {}/{} are stale: {}", lens.dataset_name, run, found->changed),
                fmt::format("residue eval {}/{}", lens.dataset_name, run));
  }
}

// The rows of both runs: no statement makes intervals and tests of pairs.
std::string metrics_sql(const query::Lens& lens, std::uint32_t seeds, const std::string& baseline,
                        const std::string& run, const std::vector<query::MetricDelta>& deltas) {
  std::vector<std::string> names, protocols;
  for (const query::ProtocolSpec& seed : query::with_seeds(lens.spec, seeds)) {
    protocols.push_back(sql_string(seed.name()));
  }
  for (const query::MetricDelta& delta : deltas) names.push_back(sql_string(query::definition(delta.metric).name));
  return fmt::format(
      "-- the values of each run, for each seed; differences, intervals and tests: residue compare\n"
      "SELECT metric, run, protocol, model, value, low, high, n, failed, missing FROM metrics WHERE dataset = {} AND "
      "run IN ({}, {}) AND slice = '' AND metric IN ({}) AND (protocol IS NULL OR (protocol IN ({}) AND sample = {})) "
      "AND (judge IS NULL OR judge = {}) ORDER BY metric, run, protocol;",
      sql_string(lens.dataset_name), sql_string(baseline), sql_string(run), fmt::join(names, ", "),
      fmt::join(protocols, ", "), lens.sample, sql_string(lens.judge_name));
}

// A record that failed counts as leaked, and no claim of it is listed.
std::string claims_sql(const query::Lens& lens, const std::string& baseline, const std::string& run) {
  const auto only_in = [&](const std::string& one, const std::string& other) {
    const auto leaks = [&](const std::string& of) {
      return fmt::format("(SELECT record, n, run, rating, category FROM leaks WHERE {} AND run = {})",
                         rows_of(lens, true), sql_string(of));
    };
    return fmt::format(
        "SELECT a.record, a.n, a.run AS leaks_only_in, a.rating, a.category FROM {} a LEFT JOIN {} b ON b.record = "
        "a.record AND b.n = a.n LEFT JOIN (SELECT record FROM scores WHERE {} AND run = {} AND metric = 'leak_rate' "
        "AND slice = '' AND state <> 'value') lost ON lost.record = a.record WHERE b.n IS NULL AND lost.record IS NULL",
        leaks(one), leaks(other), rows_of(lens, true), sql_string(other));
  };
  return fmt::format("{} UNION ALL {} ORDER BY 1, 2;", only_in(baseline, run), only_in(run, baseline));
}

}  // namespace

Reply answer_compare(const Viewer& viewer, const Wanted& wanted) {
  const std::string dataset = wanted.needed("dataset"), baseline = wanted.needed("baseline"),
                    run = wanted.needed("run");
  const query::Lens lens = lens_of(viewer, wanted);
  require_evaluated(viewer, lens, baseline);
  require_evaluated(viewer, lens, run);
  const auto outcomes_of = [&](const std::string& of) {
    return fmt::format("SELECT record, CASE state WHEN 'value' THEN outcome ELSE state END AS outcome FROM {}",
                       attacked_scores(lens, of,
                                       fmt::format("{} AND run = {} AND metric = 'linkage_rate' AND slice = ''",
                                                   rows_of(lens, false), sql_string(of))));
  };
  const std::string outcomes = fmt::format(
      "(SELECT a.record AS record, a.outcome AS before, b.outcome AS after FROM ({}) a JOIN "
      "({}) b ON b.record = a.record WHERE a.outcome IS NOT b.outcome)",
      outcomes_of(baseline), outcomes_of(run));
  const Reply flips = table(viewer, wanted,
                            {.columns = "record, before, after",
                             .from = outcomes,
                             .where = "1",
                             .order = "before = 'right', record",
                             .counted = {"before", "after"},
                             .about = lens_json(lens),
                             .combined = true},
                            "flips");
  const auto store = open_to_read(viewer);
  if (wanted.csv()) {
    for (const std::string& of : {baseline, run}) require_current(store->db(), lens, of);
    return flips;
  }
  verbs::CompareOptions options;
  options.what.flips = 100;  // of each kind; how many there are is said
  options.what.runs = {.dataset = dataset,
                       .runs = {baseline, run},
                       .protocol = lens.spec.name(),
                       .judge = lens.judge_name,
                       .seeds = wanted.seeds(),
                       .sample = lens.sample};
  const verbs::CompareResult result = verbs::compare(*store, options);
  const query::RunDelta& delta = result.compared.runs.front();
  Json metrics = Json::array(), parts = Json::array(), claims = Json::array();
  for (const auto& one : delta.metrics) metrics.push_back(delta_json(one));
  for (const auto& one : delta.parts) parts.push_back(delta_json(one));
  if (delta.flips) {
    for (const query::Flip& flip : delta.flips->flips) {
      claims.push_back({{"record", flip.record},
                        {"n", flip.n},
                        {"leaked", flip.leaked},
                        {"rating", flip.rating},
                        {"category", flip.categories}});
    }
  }
  Json answer = {{"dataset", dataset},
                 {"baseline", baseline},
                 {"run", run},
                 {"protocol", lens.spec.name()},
                 {"protocols", result.compared.protocol},
                 {"seeds", result.compared.what.seeds},
                 {"sample", lens.sample},
                 {"judge", lens.judge_name},
                 {"metrics", std::move(metrics)},
                 {"parts", std::move(parts)},
                 {"flips", Json::parse(flips.body).value_or(Json())},
                 {"claims", std::move(claims)},
                 {"metrics_sql", metrics_sql(lens, result.compared.what.seeds, baseline, run, delta.metrics)},
                 {"claims_sql", claims_sql(lens, baseline, run)}};
  if (delta.flips) {
    answer["became_leaked"] = delta.flips->became_leaked;
    answer["became_private"] = delta.flips->became_private;
    answer["leaked_in_both"] = delta.flips->leaked_in_both;
  }
  Json notes = Json::array({"corrected_p is p, corrected for all metrics compared (Holm), on common records alone"});
  if (result.compared.what.seeds > 1) {
    notes.push_back(fmt::format("differences are of {}; what flipped is of its first seed", result.compared.protocol));
  }
  answer["notes"] = std::move(notes);
  return {.body = answer.dump()};
}

}  // namespace residue::page
