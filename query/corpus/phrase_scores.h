// Metrics of the phrases that one person's originals alone have (phrases.h).
#pragma once

#include <optional>

#include "base/ids.h"
#include "query/corpus/corpus_scores.h"

namespace residue::query {

inline constexpr std::size_t kPhraseWords = 3;

// rare_phrase_density or rare_phrase_share. A phrase is kPhraseWords words in a row; it is rare where the originals of
// exactly one person have it. Density: rare ones among 100 of all released texts together; its slices "originals" and
// "persons" say how many are compared with. Share: texts that have one. A text without a phrase counts as one that is
// not rare. Of a failed text every phrase is, and nobody knows how many it has. Texts of a synthetic run are each a
// unit of their own. Cost: reading both sides, and some 0.1 us for each phrase.
CorpusMetric phrase_metric(const CorpusInput& input, MetricId metric);

}  // namespace residue::query
