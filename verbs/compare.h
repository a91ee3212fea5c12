// `compare`: what changed between runs, record by record, and which runs are worth choosing.
#pragma once

#include <string>
#include <vector>

#include "query/compare/compare.h"
#include "query/compare/frontier.h"
#include "verbs/gating.h"

namespace residue::verbs {

// The axes on which no run may be better than one on the frontier: names of metrics.
struct FrontierAxes {
  std::string privacy = "semantic_distance", utility = "rougeL_f";
};

struct CompareOptions {
  query::CompareOptions what;  // the first run is the baseline
  bool all_runs = false;       // behind those named: all other runs of the dataset but the controls
  FrontierAxes axes;
  Gates gates;
};

struct CompareResult {
  query::Compared compared;
  query::Frontier frontier;  // of all runs of the dataset under the same attacker and judge
  std::vector<query::GateResult> gates;
};

// Throws as query::compare_runs and check_gates; Error{usage} for an axis that is no metric with a direction.
CompareResult compare(storage::Store& store, const CompareOptions& options);

struct FrontierResult {
  query::Report report;  // whose numbers these are
  query::Frontier frontier;
};

// The frontier alone. Throws as query::load_report, and as above.
FrontierResult frontier(storage::Store& store, const query::ReportOptions& what, const FrontierAxes& axes);

}  // namespace residue::verbs
