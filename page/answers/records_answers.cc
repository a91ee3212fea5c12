// Lists of records and claims: what each record adds to a metric, what leaked, what matches words, parts of a metric.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "page/answers/answers.h"
#include "page/answers/rows.h"
#include "page/answers/score_columns.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/metric/metrics.h"
#include "query/report/report.h"
#include "query/report/report_values.h"

namespace residue::page {
namespace {

// The order of a list of records, for ScoreColumns and in SQL.
struct Sorting {
  ScoreColumns::Order order;
  bool descending;
  std::string words;
};

Sorting sorting_of(const Wanted& wanted) {
  using Order = ScoreColumns::Order;
  const bool descending = wanted.text("desc") == "1";
  const std::string direction = descending ? " DESC" : "", by = wanted.text("sort");
  if (by == "record") return {Order::kRecord, descending, "record" + direction};
  if (by == "weight") return {Order::kWeight, descending, "weight" + direction + ", record"};
  if (!by.empty() && by != "value") throw Error(Code::kUsage, "sort is value, weight or record", "change sort");
  return {Order::kValue, descending, "value IS NULL, value" + direction + ", record"};
}

const query::MetricDefinition& metric_of(const Wanted& wanted) {
  const auto id = query::find_metric(wanted.needed("metric"));
  if (!id) throw Error(Code::kNotFound, "there is no metric of this name", "/api/metrics lists them");
  return query::definition(*id);
}

// A file has no banner above it: each of its rows says whether its run changed since it was evaluated, or since this
// metric was computed, which `eval` may leave as it was. `run`: in SQL.
std::string stale_column(const Viewer& viewer, const query::Lens& lens, query::MetricId metric, const std::string& run) {
  std::string stale;
  for (const query::ReportRun& one : report_of(viewer, lens).runs) {
    if (one.stale || query::is_stale(one, metric)) stale += (stale.empty() ? "" : ", ") + sql_string(one.run);
  }
  return fmt::format(", iif({} IN ({}), 'yes', 'no') AS stale", run, stale);
}

// Whose answers a metric of a task is of, or whose vectors: whom `report` shows, or who is asked for. Null where nobody
// answers for it.
Json model_of(const Viewer& viewer, const Wanted& wanted, const query::Lens& lens,
              const query::MetricDefinition& metric) {
  if (metric.tier != query::Tier::kTask && metric.tier != query::Tier::kCorpus && metric.tier != query::Tier::kVector)
    return {};
  if (const std::string model = wanted.text("model"); !model.empty()) return model;
  const std::string run = wanted.text("run");
  for (const query::ReportRun& one : report_of(viewer, lens).runs) {
    const auto found = one.metrics.find(metric.id);
    if (found == one.metrics.end() || (!run.empty() && one.run != run) || found->second.model.empty()) continue;
    return found->second.model == query::kNoEmbedder ? Json() : Json(found->second.model);
  }
  return {};
}

// The rows of a metric in `scores` and `metrics`: those of a lens, as far as the metric needs attack and judge, and of
// one model, where there may be several.
struct MetricRows {
  std::string where;
  Json about;
};

MetricRows metric_rows(const Viewer& viewer, const Wanted& wanted, const query::MetricDefinition& metric) {
  const query::Lens lens = lens_of(viewer, wanted);
  if (const std::string run = wanted.text("run"); !run.empty()) require_evaluated(viewer, lens, run);
  MetricRows rows{fmt::format("metric = {}", sql_string(metric.name)), lens_json(lens)};
  switch (metric.tier) {
    case query::Tier::kLink:
    case query::Tier::kJudge:
      rows.where += " AND " + rows_of(lens, metric.tier == query::Tier::kJudge);
      break;
    case query::Tier::kVector:
    case query::Tier::kOutside:
      rows.where += fmt::format(
          " AND dataset = {} AND (protocol IS NULL OR (protocol = {} AND sample = {})) AND (judge IS NULL OR judge = "
          "{})",
          sql_string(lens.dataset_name), sql_string(lens.spec.name()), lens.sample, sql_string(lens.judge_name));
      break;
    default:
      rows.where += fmt::format(" AND dataset = {} AND protocol IS NULL", sql_string(lens.dataset_name));
  }
  const Json model = model_of(viewer, wanted, lens, metric);
  if (model.is_string()) rows.where += " AND model = " + sql_string(model.get<std::string>());
  rows.about["model"] = model;
  return rows;
}

}  // namespace

Reply answer_records(const Viewer& viewer, const Wanted& wanted) {
  const query::MetricDefinition& metric = metric_of(wanted);
  const std::string run = wanted.needed("run"), slice = wanted.text("slice");
  const Sorting sorting = sorting_of(wanted);
  const MetricRows of = metric_rows(viewer, wanted, metric);
  const std::string where =
      fmt::format("{} AND run = {} AND slice = {}", of.where, sql_string(run), sql_string(slice));
  const bool attacked = metric.tier == query::Tier::kLink;
  TableQuery query{.columns = std::string(ScoreColumns::kSelected),
                         .from = attacked ? attacked_scores(lens_of(viewer, wanted), run, where) : "scores",
                         .where = attacked ? "1" : where,
                         .order = sorting.words,
                         .counted = {"state", "outcome"}};
  if (wanted.csv()) {
    query.columns += stale_column(viewer, lens_of(viewer, wanted), metric.id, sql_string(run));
    return table(viewer, wanted, query, std::string(metric.name));
  }
  const std::string every = fmt::format("SELECT {} FROM {} WHERE {}", query.columns, query.from, query.where);
  const Kept::Bytes bytes = kept_or(viewer, every, [&] { return ScoreColumns::bytes_of(viewer, every); });
  const ScoreColumns scores(*bytes);
  std::vector<bool> shown;
  query::SqlRows combinations;
  const auto counts = scores.counts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& [state, outcome] = scores.kinds()[i];
    combinations.push_back({state, outcome, counts[i]});
    shown.push_back(is_wanted(query, wanted, combinations.back()));
  }
  const Part part = part_of(wanted);
  Rows page;
  for (const std::uint32_t at : scores.sorted(sorting.order, sorting.descending, shown, part.offset, part.limit)) {
    page.rows.push_back(scores.row(at));
  }
  Json answer = {{"columns", Json::array({"record", "state", "outcome", "value", "weight"})},
                 {"rows", page.cells()},
                 {"offset", part.offset},
                 {"sql", statement_of(query, wanted) + ";"}};
  answer.update(of.about);
  add_counts(answer, query, wanted, combinations);
  return {.body = answer.dump()};
}

Reply answer_leaks(const Viewer& viewer, const Wanted& wanted) {
  const query::Lens lens = lens_of(viewer, wanted);
  require_evaluated(viewer, lens, wanted.needed("run"));
  const std::string run = wanted.needed("run"), record = wanted.text("record");
  std::string where = rows_of(lens, true) + " AND run = " + sql_string(run);
  if (!record.empty()) where += " AND record = " + sql_string(record);
  std::string columns = "record, n, rating, outcome, category";
  if (viewer.claims()) columns += ", text(claim_text) AS claim";
  if (wanted.csv()) {
    if (viewer.originals() || run != "none") columns += ", text(linked_text) AS linked";
    columns += stale_column(viewer, lens, query::MetricId::kLeakRate, "run");
  }
  return table(viewer, wanted,
               {.columns = columns,
                .from = "leaks",
                .where = where,
                .order = "",  // as they are found, record by record: sorting would read them all
                .counted = {"rating", "outcome", "category"},
                .lists = {"category"},
                .about = lens_json(lens)},
               "leaks");
}

Reply answer_slices(const Viewer& viewer, const Wanted& wanted) {
  const query::MetricDefinition& metric = metric_of(wanted);
  MetricRows of = metric_rows(viewer, wanted, metric);
  std::string columns = "run, slice, value, low, high, n, failed, missing, model";
  if (wanted.csv()) columns += stale_column(viewer, lens_of(viewer, wanted), metric.id, "run");
  return table(viewer, wanted,
               {.columns = std::move(columns),
                .from = "metrics",
                .where = std::move(of.where),
                .order = "run, slice",
                .about = std::move(of.about)},
               std::string(metric.name));
}

Reply answer_search(const Viewer& viewer, const Wanted& wanted) {
  const std::string dataset = wanted.needed("dataset"), words = wanted.needed("q"), where = wanted.text("in");
  const auto k = wanted.number("k", 20, 100);
  if (where.empty() || where == "released") {
    const std::string run = wanted.needed("run");
    if (run == "none" && !viewer.originals()) {
      throw Error(Code::kUsage, "the run none has the originals", "residue serve --originals");
    }
    const std::string from = fmt::format(
        "bm25({}, {}, {}) b LEFT JOIN variants v ON v.dataset = {} AND v.run = {} AND coalesce(v.record, v.key) = "
        "b.record",
        sql_string(dataset + "/" + run), sql_string(words), k, sql_string(dataset), sql_string(run));
    return table(viewer, wanted,
                 {.columns = "b.rank AS rank, b.record AS record, b.score AS score, text(v.variant_text) AS text",
                  .from = from,
                  .where = "1",
                  .order = "b.rank"},
                 "found");
  }
  if (where != "claims" && where != "originals") {
    throw Error(Code::kUsage, "in is released, claims or originals", "change in");
  }
  if (where == "claims" ? !viewer.claims() : !viewer.originals()) {
    throw Error(Code::kUsage, fmt::format("{} are not read at the level {}", where, name_of(viewer.level)),
                fmt::format("residue serve --{}", where));
  }
  // Every word in any order, in any case: a search over all rows, within the time of a statement.
  const std::string text = where == "claims" ? "text(claim_text)" : "text(record_text)";
  std::string all;
  std::size_t begin = 0, count = 0;
  while (begin < words.size() && count < 8) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (end > begin) {
      all += fmt::format(" AND instr(lower({}), lower({})) > 0", text, sql_string(words.substr(begin, end - begin)));
      ++count;
    }
    begin = end + 1;
  }
  return table(viewer, wanted,
               {.columns = where == "claims" ? "record, n, category, text(claim_text) AS text"
                                             : "record, text(record_text) AS text",
                .from = where == "claims" ? "claims" : "records",
                .where = fmt::format("dataset = {}{}", sql_string(dataset), all),
                .order = where == "claims" ? "record, n" : "record"},
               "found");
}

}  // namespace residue::page
