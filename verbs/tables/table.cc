#include "verbs/tables/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "base/error.h"
#include "verbs/tables/attack_figures.h"
#include "verbs/tables/references.h"

namespace residue::verbs {
namespace {

bool is_lone(const std::string& table) { return !table.empty() && find_table(table).kind == TableKind::kLone; }

std::vector<query::TaskAccuracy> right_answers(storage::Store& store, const std::string& dataset) {
  std::vector<query::TaskAccuracy> lines = query::load_task_accuracy(store, dataset);
  if (!lines.empty()) return lines;
  throw Error(Code::kNotFound, fmt::format("there are no answers to the tasks of {}", dataset),
              fmt::format("residue ingest answers {} FILE", dataset));
}

LoneNumbers lone_numbers(storage::Store& store, const std::string& table, const query::ReportOptions& what,
                         double absent_share) {
  const std::string& dataset = what.dataset;
  if (table == "task") return right_answers(store, dataset);
  if (table == "corrected") return query::load_corrected(store, dataset, what.protocols, what.judge, what.missing);
  if (table == "noise") return query::load_noise(store, dataset, what.protocols, what.judge, what.seeds, what.missing);
  if (table == "copies") return query::load_copies(store, dataset);
  if (table == "spans") return query::load_span_confusion(store, dataset);
  if (table == "abstention") {
    return query::load_abstention(store, {dataset, what.protocols, what.judge, what.seeds, what.missing});
  }
  if (table == "open-world") {
    return query::load_open_claims(store,
                                   {dataset, what.protocols, what.judge, what.seeds, what.missing, absent_share});
  }
  throw Error(Code::kInternal, fmt::format("the table {} has no numbers", table));
}

}  // namespace

void check(const TableOptions& options) {
  const bool lone = is_lone(options.table);
  if (options.published && (options.table.empty() || (lone && options.table != "agreement"))) {
    throw Error(Code::kUsage, "--reference works only with a paper's table",
                fmt::format("--table NAME, one of those with figures: {}", fmt::join(tables_with_figures(), ", ")));
  }
  if (options.absent_share != 0.5 && options.table != "open-world") {
    throw Error(Code::kUsage, "--absent-share works only with the table open-world", "--table open-world");
  }
  if (!options.where.empty() && lone) {
    throw Error(Code::kUsage, "--where: this table is not of the runs of a report",
                "leave out --table " + options.table);
  }
  if (!options.gates.gates.empty() && lone) {
    throw Error(Code::kUsage, "--fail-if: this table has no metrics of runs to compare",
                "leave out --table " + options.table);
  }
}

TableResult table(storage::Store& store, const TableOptions& options) {
  check(options);
  const std::string& name = options.table;
  TableResult result;
  result.kind = find_table(name).kind;
  result.what = options.what;
  query::ReportOptions& what = result.what;
  if (name == "agreement") {
    const storage::Lock held = store.hold_texts();
    result.lone =
        agreement(store, what.dataset.empty() ? std::nullopt : std::optional(what.dataset), options.published);
    return result;
  }
  if (what.dataset.empty()) what.dataset = only_dataset(store);
  if (result.kind == TableKind::kLone) {
    const storage::Lock held = store.hold_texts();
    result.absent_share = options.absent_share;
    result.lone = lone_numbers(store, name, what, options.absent_share);
    return result;
  }
  if (what.protocols.empty() && is_attack_table(name)) what.protocols = "all";
  // Values of several judges never stand in one table.
  const bool one_judge = result.kind != TableKind::kLong && needs_judge(name);
  result.report = report(store, {.what = what,
                                 .one_judge = one_judge,
                                 .less_precise_half = options.less_precise_half,
                                 .gates = options.gates,
                                 .where = options.where});
  if (name == "criteria") {
    for (const query::Report& one : result.report.reports) result.criteria.push_back(criteria_of(store, one));
  }
  return result;
}

}  // namespace residue::verbs
