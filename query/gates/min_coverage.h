// How many of the records must stand behind a number before it may pass a gate.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "query/metric/metrics.h"

namespace residue::query {

// --min-coverage: the least share of the records that has to stand behind a number that passes a gate.
struct MinCoverage {
  double all = 0.9;
  std::map<MetricId, double> metrics;  // those with a share of their own

  [[nodiscard]] double of(MetricId metric) const;
};

// "0.5" or "linkage_rate=0.5", several of them. Throws Error{usage}.
MinCoverage parse_min_coverage(const std::vector<std::string>& options);

}  // namespace residue::query
