// Holds gates, for every verb with `--fail-if`: finds the runs and attackers that they are about.
#pragma once

#include <string>
#include <vector>

#include "query/compare/compare.h"
#include "query/gates/gates.h"
#include "query/prepare/eval_options.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::verbs {

struct Gates {
  std::vector<query::Gate> gates;  // none: nothing is held against anything
  query::MinCoverage min_coverage;
};

// Against all runs of these reports but the controls, those that were not evaluated included. Throws Error{usage} where
// that is none, or all are of control linkers, and as check_gates.
std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates,
                                    const std::vector<query::Report>& reports);

// Against the runs that were compared, but for the controls. Throws as check_gates.
std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates, const query::Compared& compared);

// Against the runs that were evaluated, but for the controls. Throws as hold() of reports.
std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates,
                                    const std::vector<query::Target>& targets, const query::EvalOptions& evaluated,
                                    bool drop_missing);

}  // namespace residue::verbs
