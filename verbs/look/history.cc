#include "verbs/look/history.h"

#include <algorithm>

#include "query/inputs/protocol.h"
#include "query/metric/metrics.h"

namespace residue::verbs {
namespace {

bool is_control(const query::HistoryRow& row) {
  return !row.protocol.empty() && query::parse_protocol(row.protocol).linker->control();
}

Absence absence(storage::Store& store, const std::string& metric, const std::string& dataset) {
  if (!query::evaluated(store, dataset)) return Absence::kNothingEvaluated;
  const bool parts = query::definition(*query::find_metric(metric)).cuts == query::Cuts::kOnly;
  return parts ? Absence::kPartsOnly : Absence::kNotComputed;
}

}  // namespace

HistoryResult history(storage::Store& store, const HistoryOptions& options) {
  HistoryResult result;
  result.rows = query::load_history(store, options.dataset, options.metrics);
  for (const std::string& metric : options.metrics) {
    const auto has = [&](const query::HistoryRow& row) { return row.metric == metric; };
    if (std::ranges::none_of(result.rows, has)) result.absent[metric] = absence(store, metric, options.dataset);
  }
  result.runs = run_facts(store.db(), options.dataset);
  RunNumbers numbers(store, {});
  result.chosen = choose(options.where, result.runs, numbers);
  if (!options.where.empty()) {
    require_some(result.chosen, options.dataset);
    std::erase_if(result.rows, [&](const query::HistoryRow& row) { return !result.chosen.has(row.dataset, row.run); });
  }
  if (options.monthly) result.rows = query::last_of_months(result.rows);
  if (!options.controls) result.hidden = std::erase_if(result.rows, is_control);
  return result;
}

}  // namespace residue::verbs
