// Evaluations of tier corpus: metrics of all texts together, which no record's part can be taken out of. So they are
// computed when somebody asks for them, as a whole, and again only when the run, the dataset, the embedder's vectors or
// the definitions have changed.
//
//   contents equal? ─no─> corpus_metric() ─> metric rows, scores, reasons
//
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "query/corpus/phrases.h"
#include "query/metric/metrics.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sqlite.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::string_view kNoEmbedder = "lsa";  // topics of the originals instead of anybody's vectors

struct CorpusOptions {
  std::vector<MetricId> metrics;  // of tier corpus
  std::string embedder;           // whose vectors; kNoEmbedder; empty: the only one that has any of the originals
  std::size_t phrase_memory_bytes = kPhraseMemory;  // of the tables of rare phrases: changes no number
  NamedProgressFunction progress;
  std::function<bool()> interrupted;
};

struct CorpusCounts {
  std::uint64_t computed = 0, current = 0;  // pairs of a run and a metric
  std::vector<std::string> notes;           // one line each: what is not applicable, and why
};

// A run has one row of each such metric: another embedder's is replaced (the history keeps it). What was computed of
// older contents beside what is asked for is brought up to date with it. Throws Error{not found} for an unknown
// embedder, Error{usage} where several have vectors of the originals and none is named, Error{bad input} for inputs not
// read to their end, Error{interrupted} between two metrics.
CorpusCounts evaluate_corpus(storage::Store& store, const std::vector<storage::Target>& targets,
                             const CorpusOptions& options);

// What eval() computes only where it is asked for, in words: "mauve, topic_distance, ...".
std::string metrics_on_demand();

// The metrics of tier corpus among `names` (metrics of any tier). Throws Error{usage} with the nearest name.
std::vector<MetricId> corpus_metrics(const std::vector<std::string>& names);

// The evaluation that has this run's row of the metric, and what has changed since.
struct CorpusEvaluation : CurrentEvaluation {
  std::string embedder;  // whose vectors; empty: of none
};
// For many runs and metrics: what it asks is prepared once, which takes longer than to answer it (a view over views).
class CorpusEvaluations {
 public:
  explicit CorpusEvaluations(storage::Db& db);
  std::optional<CorpusEvaluation> current(RunId run, MetricId metric);

 private:
  storage::Statement find_;
};
std::optional<CorpusEvaluation> current_corpus(storage::Db& db, RunId run, MetricId metric);

// Why it is not applicable, where that is known.
std::string metric_reason(storage::Db& db, EvaluationId evaluation, MetricId metric);

// Everything of tier corpus that is up to date: to be computed again elsewhere.
struct EvaluatedCorpus {
  storage::Target target;
  CorpusOptions options;
};
std::vector<EvaluatedCorpus> evaluated_corpora(storage::Db& db);

}  // namespace residue::query
