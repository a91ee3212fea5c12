// Metrics of what a synthetic release repeats (copies.h): numbers of all its texts together.
#pragma once

#include "query/corpus/corpus_scores.h"

namespace residue::query {

// nearest_copy or copied_run: the mean over the texts, and in the slice "max" the greatest. A text that failed may have
// been a whole original: it counts as such. Not applicable to other runs and where there is no text. Cost: copies.h.
CorpusMetric copy_metric(const CorpusInput& input, MetricId metric);

}  // namespace residue::query
