#include "verbs/compare.h"

#include <algorithm>
#include <utility>

#include "query/inputs/snapshot.h"
#include "storage/catalog/lookup.h"

namespace residue::verbs {
namespace {

void add_all_runs(storage::Db& db, query::ComparableOptions& named) {
  for (const query::RunHead& run : query::list_runs(db, storage::find_dataset(db, named.dataset))) {
    if (run.control()) continue;
    if (std::find(named.runs.begin(), named.runs.end(), run.name) == named.runs.end()) named.runs.push_back(run.name);
  }
}

}  // namespace

CompareResult compare(storage::Store& store, const CompareOptions& options) {
  const query::Frontier axes = query::frontier_metrics(options.axes.privacy, options.axes.utility);
  query::CompareOptions what = options.what;
  if (options.all_runs) add_all_runs(store.db(), what.runs);
  CompareResult result;
  result.compared = query::compare_runs(store, what);
  const query::Lens& lens = result.compared.what.lens;
  query::ReportOptions others;
  others.dataset = what.runs.dataset;
  others.protocols = lens.spec.name();
  others.judge = lens.judge_name;
  others.seeds = result.compared.what.seeds;
  others.missing = what.missing;
  result.frontier = query::frontier_of(query::load_report(store, others), axes);
  result.gates = hold(store, options.gates, result.compared);
  return result;
}

FrontierResult frontier(storage::Store& store, const query::ReportOptions& what, const FrontierAxes& axes) {
  const query::Frontier metrics = query::frontier_metrics(axes.privacy, axes.utility);
  FrontierResult result;
  result.report = query::load_report(store, what);
  result.frontier = query::frontier_of(result.report, metrics);
  return result;
}

}  // namespace residue::verbs
