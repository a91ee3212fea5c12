// Metrics of whole runs side by side: values and their difference. Nothing of them is of single records, so there is
// nothing to pair, no interval of the difference and no test.
#pragma once

#include <string>
#include <string_view>

#include "query/compare/compare.h"

namespace residue::query {

struct CorpusPair {
  std::string dataset, baseline, run;
};

// `records` and the lost ones are those of each side's own number. Throws Error{not found} where one of the two was
// not computed, Error{usage} where one is older than what it is of, or they are of different embedders' vectors.
// `part`: a named part of the metric or a statistic over records, "median"; empty: the whole.
MetricDelta corpus_delta(storage::Db& db, const CorpusPair& runs, MetricId metric, MissingPolicy missing,
                         std::string_view part = {});

}  // namespace residue::query
