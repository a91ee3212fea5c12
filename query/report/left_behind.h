// What `eval` does not bring up to date by itself, and says: metrics of whole runs, which are computed where they are
// asked for, and sentiment_accuracy, which goes with its lexicon.
#pragma once

#include <string>
#include <vector>

#include "query/report/report.h"
#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::query {

// Brings everything up to date, in this order: `eval`, of each embedder's metrics among `old` one, and what must come
// before. `with`: its further flags, " --judge rouge".
std::vector<std::string> commands_for(const std::string& dataset, const std::string& with,
                                      const std::vector<OldMetric>& old);

// One line for each dataset of the targets: which metrics of whole runs are older than these runs, and the command
// that brings them up to date.
std::vector<std::string> outdated_corpus_metrics(storage::Db& db, const std::vector<storage::Target>& targets);

// The runs among the targets that have a sentiment_accuracy, as DATASET/RUN: evaluated without a lexicon they lose it.
std::vector<std::string> runs_with_sentiment(storage::Db& db, const std::vector<storage::Target>& targets);

}  // namespace residue::query
