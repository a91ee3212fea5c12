// `report --table criteria`: can a person be singled out, linked, inferred about, more than without the release? And
// what nobody looked at.
//
//   report ── metrics, their controls and nets ──> a row for each number of each run
//   scores ── the person of whom it is worst ─────┘
//   what has no value, and what no number here is about ──> not tested
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/report/report.h"
#include "storage/store.h"

namespace residue::verbs {

struct CriterionRow {
  std::string_view criterion;                     // "singling out", "linkability", "inference"
  std::string metric;                             // an id of docs/metrics.md
  std::string_view control_metric, net_metric;    // ids of `control` and `net`; empty: there is none of this number
  std::optional<query::MetricValue> attack = {};  // nothing: not computed
  // Nothing: there is none of this number. The control of a gain is its chance value.
  std::optional<query::MetricValue> control = {}, net = {};
  // The person of whom the attack learns most: the number for the records of that person alone, how many persons it is
  // as bad for, and of how many. Failed and missing records count as the report has it. Nothing where records have no
  // such numbers.
  std::optional<double> worst = {};
  std::int64_t worst_persons = 0, persons = 0;
  bool stale = false;
};

struct NotTested {
  std::string what, why;
  std::string command = {};  // that would test it; empty: none of ours does

  friend bool operator==(const NotTested&, const NotTested&) = default;
};

struct RunCriteria {
  std::string run;
  std::vector<CriterionRow> rows;  // in order of criteria; only numbers that were computed
  std::vector<NotTested> not_tested;
};

// Of all runs of the report. The interval that belongs to a row is that of its net, where it has one.
struct Criteria {
  std::vector<RunCriteria> runs;
  // Of no run, whatever is computed. What attackers of several releases were evaluated with is not among it.
  std::vector<NotTested> never;
};

// The criterion called like this metric with the numbers that the run has, without its worst person. Nothing where no
// criterion is.
std::optional<CriterionRow> criterion_row(const query::ReportRun& run, std::string_view metric);

// Reads the scores of the attacker's evaluations. Throws as query::find_lens.
Criteria criteria_of(storage::Store& store, const query::Report& report);

}  // namespace residue::verbs
