// Which of a dataset's runs are looked at, in which order, with which columns: for tables, pages and programs.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/report/report.h"
#include "storage/store.h"
#include "verbs/runs/condition.h"
#include "verbs/runs/facts.h"
#include "verbs/runs/fields.h"

namespace residue::verbs {

// What a condition left over. The controls are no runs of anybody's: they are neither counted nor left out.
struct Chosen {
  std::string where;              // the condition; empty: there was none
  std::vector<std::string> runs;  // that meet it, as RUN, or DATASET/RUN where the runs are of several datasets
  std::size_t of = 0;             // of how many
  std::map<std::string, std::vector<std::string>> lacking;  // by field: runs left out because they do not have it
  std::set<std::pair<std::string, std::string>> met;        // dataset and name of `runs`

  [[nodiscard]] bool any_condition() const { return !where.empty(); }
  [[nodiscard]] bool has(const std::string& dataset, const std::string& run) const {
    return met.contains({dataset, run});
  }
};

// The numbers of runs under one attacker and judge: a dataset's report, read when it is first asked for.
class RunNumbers {
 public:
  // `what.dataset` is not looked at. That nothing was evaluated is no error, unless `what` names attacker or judge.
  RunNumbers(storage::Store& store, query::ReportOptions what) : store_(&store), what_(std::move(what)) {}
  explicit RunNumbers(const query::Report& report) { reports_[report.dataset] = report; }

  // Null: nothing was evaluated. Throws as query::load_report.
  const query::Report* report(const std::string& dataset);
  const query::ReportRun* of(const RunFacts& run);

 private:
  storage::Store* store_ = nullptr;
  query::ReportOptions what_;
  std::map<std::string, std::optional<query::Report>> reports_;
};

// The runs of `facts` that meet `where` (empty: all). Throws as Condition and RunNumbers.
Chosen choose(const std::string& where, const std::vector<RunFacts>& facts, RunNumbers& numbers);

// "3 of 12 runs meet the condition; 2 runs have no linkage_rate (a, b) and do not meet it": lines for people.
std::vector<std::string> words_of(const Chosen& chosen);

// Throws Error{not found} where the condition leaves nothing over. `dataset` is for the message; empty: all.
void require_some(const Chosen& chosen, const std::string& dataset);

// Leaves the runs over that meet the condition, and the controls; under the control linkers too. Throws as choose()
// and require_some().
Chosen choose_runs(query::Report& report, const std::string& where, const std::vector<RunFacts>& facts);

// The parameters that have more than one value among these runs, in order: a column of equal ones says nothing.
std::vector<std::string> differing_params(const std::vector<RunFacts>& runs);

// Runs of a dataset as a table, for a page or a program.
struct ListOptions {
  query::ReportOptions what;         // the dataset, and whose numbers
  std::string where;                 // a condition
  std::string sort;                  // a field, then ":desc" for the greatest first; empty: by name, controls last
  std::string group;                 // a field: runs with the same value stand together
  std::vector<std::string> columns;  // fields; none: tag, sanitizer, the parameters that differ, made
};

struct ListedRun {
  RunFacts facts;
  RunValue group;                             // of ListOptions::group
  std::vector<RunValue> values;               // of each column
  std::vector<query::MetricValue> intervals;  // of each column; empty ones where it is no metric
};

struct RunList {
  std::string dataset;
  std::string protocol, judge;  // whose numbers these are; empty: nothing was evaluated
  std::vector<RunField> columns;
  std::vector<ListedRun> runs;  // in order; what has no value is last, whichever way they are sorted
  Chosen chosen;
};

// A condition that leaves no run over is no error here: the list is empty but for the controls. Throws as Condition,
// RunFields::require and query::load_report; that nothing was evaluated is no error. Cost: the dataset's report.
RunList list_runs(storage::Store& store, const ListOptions& options);

// The same where the report of `options.what` is there already.
RunList list_runs(storage::Store& store, const ListOptions& options, const query::Report& report);

}  // namespace residue::verbs
