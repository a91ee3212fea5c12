#include "verbs/report.h"

#include <utility>

#include "base/error.h"
#include "query/agree/judge_warnings.h"
#include "query/metric/metrics.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::verbs {
namespace {

// The readings that count halves stand in the place of the others.
void read_with_halves(query::Report& report) {
  report.less_precise_half = true;
  for (auto* runs : {&report.runs, &report.oracle, &report.random}) {
    for (query::ReportRun& run : *runs) {
      for (auto& [metric, value] : run.metrics) {
        const auto found = run.metrics.find(query::half_for_less_precise(metric));
        if (found != run.metrics.end() && found->first != metric) value = found->second;
      }
    }
  }
}

}  // namespace

ReportResult report(storage::Store& store, const ReportOptions& options) {
  query::ReportOptions what = options.what;
  if (what.dataset.empty()) what.dataset = only_dataset(store);
  ReportResult result;
  if (options.one_judge) {
    query::Comparison compared = query::load_comparison(store, what);
    result.reports = std::move(compared.reports);
    result.left_out = std::move(compared.left_out);
  } else {
    result.reports = query::load_reports(store, what);
  }
  if (options.less_precise_half) {
    for (query::Report& one : result.reports) read_with_halves(one);
  }
  result.runs = run_facts(store.db(), what.dataset);
  for (query::Report& one : result.reports) result.chosen.push_back(choose_runs(one, options.where, result.runs));
  result.gates = hold(store, options.gates, result.reports);
  result.shared_models = query::shared_model_notes(store.db(), what.dataset, result.reports.front().judge);
  return result;
}

std::string only_dataset(storage::Store& store) {
  storage::Statement all = store.db().prepare(storage::sql::kDatasetNamesInOrder);
  std::vector<std::string> names;
  while (all.step()) names.emplace_back(all.text(0));
  if (names.size() == 1) return names.front();
  if (names.empty()) {
    throw Error(Code::kNotFound, "the store has no dataset", "residue ingest dataset NAME FILE makes one");
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw Error(Code::kUsage, "which dataset?", "name one of " + list);
}

}  // namespace residue::verbs
