// The runs of a dataset by what they keep private and what they leave useful.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/report/report.h"

namespace residue::query {

struct FrontierRun {
  std::string run;
  bool control = false;  // shown, but nothing is measured against it: the controls are the two ends of every trade
  bool stale = false;
  std::optional<MetricValue> privacy, utility;  // nothing: not computed
  std::vector<std::string> dominated_by;        // runs as private and as useful, and better in one of the two
  [[nodiscard]] bool compared() const { return !control && privacy && privacy->value && utility && utility->value; }
  [[nodiscard]] bool on_frontier() const { return compared() && dominated_by.empty(); }
};

struct Frontier {
  MetricId privacy = MetricId::kSemanticDistance, utility = MetricId::kRougeLF;
  std::vector<FrontierRun> runs;  // as in the report
};

// The metrics called so. Throws Error{usage} unless the first has a direction of privacy and the second of usefulness.
Frontier frontier_metrics(std::string_view privacy, std::string_view utility);

// `axes` says by what; its runs are replaced.
Frontier frontier_of(const Report& report, Frontier axes);

}  // namespace residue::query
