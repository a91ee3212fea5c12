// `compare`: what changed between runs, record by record, and which runs are worth choosing.
#pragma once

#include <string>
#include <vector>

#include "query/compare/compare.h"
#include "query/compare/frontier.h"
#include "verbs/gating.h"
#include "verbs/runs/choose.h"

namespace residue::verbs {

// The axes on which no run may be better than one on the frontier: names of metrics.
struct FrontierAxes {
  std::string privacy = "semantic_distance", utility = "rougeL_f";
};

struct CompareOptions {
  query::CompareOptions what;  // the first run is the baseline
  bool all_runs = false;       // behind those named: all other runs of the dataset but the controls
  std::string where = {};      // of them only those that meet this condition (verbs/runs/condition.h)
  FrontierAxes axes;
  Gates gates;
};

struct CompareResult {
  query::Compared compared;
  query::Frontier frontier;  // of all runs of the dataset under the same attacker and judge
  std::vector<query::GateResult> gates;
  std::vector<RunFacts> runs;  // of the dataset, those left out included
  Chosen chosen;
};

// Throws as query::compare_runs, choose() and check_gates; Error{usage} for an axis that is no metric with a direction.
CompareResult compare(storage::Store& store, const CompareOptions& options);

struct FrontierResult {
  query::Report report;  // whose numbers these are
  query::Frontier frontier;
};

// The frontier alone. Throws as query::load_report, and as above.
FrontierResult frontier(storage::Store& store, const query::ReportOptions& what, const FrontierAxes& axes);

}  // namespace residue::verbs
