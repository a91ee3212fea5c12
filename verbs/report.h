// `report`: what the sanitizers left behind, run by run.
#pragma once

#include <string>
#include <vector>

#include "query/report/report.h"
#include "verbs/gating.h"
#include "verbs/runs/choose.h"

namespace residue::verbs {

struct ReportOptions {
  query::ReportOptions what;       // `dataset` empty: the only one of the store
  bool one_judge = false;          // values of several judges never stand beside each other: of the last one only
  bool less_precise_half = false;  // guesses of attributes that are right but less precise count one half
  Gates gates;
  std::string where = {};  // a condition on runs (verbs/runs/condition.h): those that do not meet it are left out
};

struct ReportResult {
  std::vector<query::Report> reports;  // one for each attacker; at least one
  std::vector<std::string> left_out;   // with `one_judge`: attackers that this judge did not rate
  std::vector<query::GateResult> gates;
  std::vector<RunFacts> runs;              // of the dataset, those left out included
  std::vector<Chosen> chosen;              // of each report
  std::vector<std::string> shared_models;  // where the model that judges made what it judges: one line each
};

// Gates are held against the runs that meet the condition. Throws as choose_runs; as query::load_reports or, with
// `one_judge`, load_comparison; as check_gates; and as only_dataset.
ReportResult report(storage::Store& store, const ReportOptions& options);

// The name of the store's dataset. Throws Error{not found} where it has none, Error{usage} where it has several.
std::string only_dataset(storage::Store& store);

}  // namespace residue::verbs
