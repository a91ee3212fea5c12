#include "verbs/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/error.h"
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

// The runs that were named stay; of those added, the ones that meet the condition.
Chosen keep_chosen(storage::Store& store, const std::string& where, const std::vector<RunFacts>& runs,
                   query::ComparableOptions& named, std::size_t kept) {
  query::ReportOptions numbers;
  numbers.protocols = named.protocol;
  numbers.judge = named.judge;
  numbers.seeds = named.seeds;
  RunNumbers of(store, numbers);
  Chosen chosen = choose(where, runs, of);
  if (where.empty()) return chosen;
  require_some(chosen, named.dataset);
  const auto first = named.runs.begin() + static_cast<std::ptrdiff_t>(kept);
  named.runs.erase(
      std::remove_if(first, named.runs.end(), [&](const std::string& run) { return !chosen.has(named.dataset, run); }),
      named.runs.end());
  if (named.runs.size() < 2) {
    throw Error(Code::kUsage,
                fmt::format("--where leaves one run over, {}: there is nothing to compare it with", named.runs.front()),
                fmt::format("residue compare {} --baseline none --where ...", named.dataset));
  }
  return chosen;
}

}  // namespace

CompareResult compare(storage::Store& store, const CompareOptions& options) {
  const query::Frontier axes = query::frontier_metrics(options.axes.privacy, options.axes.utility);
  query::CompareOptions what = options.what;
  if (!options.where.empty() && !options.all_runs) {
    throw Error(Code::kUsage, "--where chooses among all runs of a dataset, and here runs are named",
                fmt::format("residue compare {} --where ..., or name the runs", what.runs.dataset));
  }
  const std::size_t named = what.runs.runs.size();
  if (options.all_runs) add_all_runs(store.db(), what.runs);
  CompareResult result;
  result.runs = run_facts(store.db(), what.runs.dataset);
  result.chosen = keep_chosen(store, options.where, result.runs, what.runs, named);
  result.compared = query::compare_runs(store, what);
  const query::Lens& lens = result.compared.what.lens;
  query::ReportOptions others;
  others.dataset = what.runs.dataset;
  others.protocols = lens.spec.name();
  others.judge = lens.judge_name;
  others.seeds = result.compared.what.seeds;
  others.missing = what.missing;
  others.remarks = false;
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
