// Can released texts of one person be told to be of one person? Each is searched for with all others (WP216's
// linkability in one database).
//
//   released texts ── as queries ──> BM25 over the run ── without the text itself ──> the best: whose are they?
#pragma once

#include <optional>
#include <vector>

#include "query/corpus/corpus_scores.h"

namespace residue::query {

// By record; nothing: its person has no other record, or nobody said whose it is. Of an aligned run. The caller holds
// Store::lock_run() and Store::hold_texts(). Brings the run's BM25 index up to date. Cost: one search for each text
// that reads otherwise, of as many terms as it has.
std::vector<std::optional<PersonLink>> link_persons(storage::Store& store, const DatasetView& dataset,
                                                    const RunView& run);

// same_person_linkage or same_person_linkage_net: the mean over the texts of the share of the best that are of the same
// person, and what that is more than a guess, of what a guess leaves: (value - guess) / (1 - guess), pooled. A failed
// text counts as linked, and nobody else's as guessed.
CorpusMetric same_person_metric(const CorpusInput& input, MetricId metric);

}  // namespace residue::query
