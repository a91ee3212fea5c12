// What the judge's ratings come to, corrected for its errors, where people rated some of what it rated.
//
//   labels of people, ratings of the judge ── misclassification ──┐
//   leak_rate, full_leak_rate, semantic_distance of a run ────────┴─> what people would have counted
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numbers/stats/bootstrap.h"
#include "numbers/stats/misclassification.h"
#include "query/metric/metrics.h"
#include "query/report/report.h"

namespace residue::query {

inline constexpr std::size_t kFewestCorrecting = 50;  // labels: fewer say too little of both errors

struct CorrectedRate {
  std::string run;
  bool control = false;
  MetricId metric = MetricId::kLeakRate;
  std::optional<double> observed, corrected;  // nothing: not computed, stale; or the judge is no better than chance
  std::optional<numbers::Interval> interval;  // 95 %, of `corrected`: persons and labels are both resampled
  std::uint64_t records = 0, failed = 0, missing = 0;
};

struct CorrectedRates {
  Lens lens;
  MissingPolicy missing = MissingPolicy::kLeaked;
  std::uint64_t labels = 0;
  std::optional<numbers::Misclassification> leaked, full;  // the judge's, of "1 or 2" and of "1"
  std::vector<CorrectedRate> runs;                         // by name, controls last; of each its metrics
};

// Under the attacker and judge of find_lens(), the first seed. Labels are weighted to the frequency that each of the
// judge's ratings has among the claims of all runs, because `residue label` draws equal shares. Claims of failed
// records (kLeaked) count as leaked whatever the judge's errors. Each replicate has two phantoms, as leaky or as
// private as can be: a person, and one whose labels contradict the judge; so perfect agreement has a
// width. A replicate whose labels leave the judge no better than chance counts at both extremes. `exposed_rate` and the
// worst records have no correction: they hang on single claims, which errors do not let one know. Throws as
// find_lens(); Error{not found} for too few labels.
CorrectedRates load_corrected(storage::Store& store, const std::string& dataset, const std::string& protocol,
                              const std::optional<std::string>& judge, MissingPolicy missing);

}  // namespace residue::query
