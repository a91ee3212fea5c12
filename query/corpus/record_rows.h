// From what each record adds to a metric of tier corpus to its row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/corpus/corpus_scores.h"

namespace residue::query {

// No value, and why.
CorpusMetric not_applicable(const CorpusInput& input, MetricId metric, std::string reason);

// The row of the whole, with its interval over resampling units. `units`: by contribution; not empty.
MetricRow row_of(const std::vector<Contribution>& each, const std::vector<std::uint64_t>& units, bool independent);

// The same of contributions by record of the view.
MetricRow row_of(const CorpusInput& input, const std::vector<Contribution>& each);

}  // namespace residue::query
