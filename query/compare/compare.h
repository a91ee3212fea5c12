// Comparing runs: what changed against a baseline, record by record, and whether that is more than chance.
//
//   runs ── find_comparable ──> evaluations ── common records ──> deltas, intervals, tests, corrected together
//                                           └─ leaked claims ──> flips
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/compare/comparable.h"
#include "query/compare/flips.h"
#include "query/compare/paired.h"
#include "query/compare/paired_scores.h"
#include "query/compare/sign_flips.h"

namespace residue::query {

enum class Correction : std::uint8_t { kHolm, kBenjaminiHochberg };

// One metric of one run against the baseline, on their common records.
struct MetricDelta {
  MetricId metric{};
  std::string cut;             // a named part of the metric, such as a category of claims; empty: the whole
  std::uint64_t records = 0;   // compared
  std::uint64_t units = 0;     // resampling units of these: persons, where the dataset has persons
  std::uint64_t left_out = 0;  // as Pairing::left_out
  Lost lost_baseline, lost;    // of the records compared; kDrop: none
  PairedDelta delta;
  std::optional<PairedTest> test;     // nothing where nothing is compared, or of a worst share
  std::optional<double> corrected_p;  // over all tests of whole metrics, or over all of parts
  std::optional<double> effect;       // d_z
  std::optional<double> dominance;    // share of units that rose minus share that fell
  bool whole =
      false;  // of whole runs (tier corpus): nothing is paired, no interval, no test; records are the run's own
};

struct RunDelta {
  std::string run;
  std::vector<MetricDelta> metrics;  // as asked for, those of whole runs last; those that no run has are left out
  std::vector<MetricDelta> parts;    // of metrics that have named parts, by metric and name
  std::optional<Flips> flips;        // nothing under an attacker who holds several releases
};

struct CompareOptions {
  ComparableOptions runs;
  std::vector<std::string> metrics;  // names; empty: default_metrics() and the parts of leak_by_category
  MissingPolicy missing = MissingPolicy::kLeaked;
  Correction correction = Correction::kHolm;
  std::size_t flips = 10;  // of each kind; 0: all
  unsigned threads = 1;    // at most; changes no number
};

struct Compared {
  Comparable what;
  std::string protocol;  // of all seeds
  std::string judge_version, validation;
  std::string baseline;
  MissingPolicy missing = MissingPolicy::kLeaked;
  Correction correction = Correction::kHolm;
  bool common_to_all = false;  // records are those common to all runs, not to each pair
  std::vector<RunDelta> runs;  // as named, without the baseline
};

// The headline metrics.
std::vector<MetricId> default_metrics();

// Throws as find_comparable(); Error{usage} for a metric that there is not, or a histogram.
// Cost: reading the scores, and about 3 ms per run, metric and 1,000 units, on `threads`.
Compared compare_runs(storage::Store& store, const CompareOptions& options);

// One metric, or its part `cut`, of `what.runs[run]` against the baseline, uncorrected.
MetricDelta compare_metric(storage::Db& db, const Comparable& what, std::size_t run, MetricId metric,
                           std::string_view cut, MissingPolicy missing);

}  // namespace residue::query
