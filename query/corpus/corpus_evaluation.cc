#include "query/corpus/corpus_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "query/corpus/corpus_store.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/metric_reason.h"
#include "storage/catalog/sources/embedder.h"
#include "storage/vectors.h"

namespace residue::query {
namespace {

using storage::Embedder;
using storage::Statement;

// The embedders with vectors of some original of the dataset, by name.
std::vector<std::string> embedders_of(storage::Db& db, DatasetId dataset) {
  Statement find = db.prepare(storage::sql::kEmbedderNamesOfDataset);
  find.bind(dataset);
  std::vector<std::string> names;
  while (find.step()) names.emplace_back(find.text(0));
  return names;
}

std::optional<Embedder> choose(storage::Db& db, DatasetId dataset, const std::string& name, const std::string& wanted) {
  if (wanted == kNoEmbedder) return std::nullopt;
  if (!wanted.empty()) return storage::find_embedder(db, wanted);
  const std::vector<std::string> names = embedders_of(db, dataset);
  if (names.empty()) return std::nullopt;
  if (names.size() == 1) return storage::find_embedder(db, names.front());
  throw Error(Code::kUsage,
              fmt::format("{} embedders have vectors of {}: {}", names.size(), name, fmt::join(names, ", ")),
              fmt::format("--embedder {}", names.front()));
}

bool needs_vectors(MetricId metric) {
  return metric == MetricId::kMauve || metric == MetricId::kEmbeddingCosine || metric == MetricId::kTopicDistance;
}

class DatasetCorpus {
 public:
  DatasetCorpus(storage::Store& store, const std::string& name, const CorpusOptions& options, CorpusCounts& counts)
      : store_(store),
        name_(name),
        options_(options),
        counts_(counts),
        dataset_(storage::find_dataset(store.db(), name)),
        embedder_(choose(store.db(), dataset_, name, options.embedder)) {}

  void evaluate(const RunHead& head) {
    require_complete(store_.db(), name_, "", head.name);
    std::set<MetricId> of_texts, of_vectors;
    for (const MetricId metric : options_.metrics) {
      (needs_vectors(metric) && embedder_ ? of_vectors : of_texts).insert(metric);
    }
    bring_up_to_date(head, nullptr, of_texts);
    if (embedder_) bring_up_to_date(head, &*embedder_, of_vectors);
  }

 private:
  void bring_up_to_date(const RunHead& head, const Embedder* embedder, std::set<MetricId> wanted) {
    if (wanted.empty()) return;
    const CorpusStore rows(store_.db(), head.id, embedder == nullptr ? EmbedderId{} : embedder->id);
    const std::set<MetricId> there = rows.metrics();
    const std::string content = content_of(embedder, there, wanted);
    if (rows.current({head.content, dataset_content(store_.db(), dataset_), content})) {
      counts_.current += wanted.size();
      std::erase_if(wanted, [&](MetricId metric) { return there.count(metric) != 0; });
      counts_.current -= wanted.size();
    } else {
      wanted.insert(there.begin(), there.end());
    }
    if (wanted.empty()) return;
    compute(head, embedder, wanted, content);
  }

  // As the view corpus_content has it.
  std::string content_of(const Embedder* embedder, const std::set<MetricId>& there, const std::set<MetricId>& wanted) {
    if (embedder != nullptr) return embedder->content;
    if (std::ranges::none_of(there, needs_vectors) && std::ranges::none_of(wanted, needs_vectors)) return "";
    return fmt::format("{}", fmt::join(embedders_of(store_.db(), dataset_), " "));
  }

  void compute(const RunHead& head, const Embedder* embedder, const std::set<MetricId>& wanted,
               const std::string& content) {
    const storage::Lock lock = store_.lock_run(head.id);
    const storage::Lock texts = store_.hold_texts();
    if (!view_) view_ = std::make_unique<DatasetView>(load_dataset(store_, dataset_, name_, ClaimSetHead{}));
    const RunView run = load_run(store_, *view_, head);
    const PhraseOptions phrases{options_.phrase_memory_bytes, options_.interrupted};
    std::vector<CorpusStore::Result> results;
    for (const MetricId metric : wanted) {
      if (options_.progress) {
        options_.progress(fmt::format("{} of {}/{}", definition(metric).name, name_, head.name), results.size(),
                          wanted.size());
      }
      if (options_.interrupted && options_.interrupted()) {
        throw Error(Code::kInterrupted, "stopped; everything computed so far is stored",
                    "repeat the command to continue");
      }
      results.push_back({metric, corpus_metric({store_, *view_, run, embedder, cache_, phrases}, metric)});
      const std::string& reason = results.back().metric.reason;
      if (!reason.empty()) {
        counts_.notes.push_back(
            fmt::format("{} of {}/{} is not applicable: {}", definition(metric).name, name_, head.name, reason));
      }
    }
    const auto batch = store_.write();
    CorpusStore(batch->db(), head.id, embedder == nullptr ? EmbedderId{} : embedder->id)
        .put(*batch, *view_, results, {run.content, view_->content, content});
    batch->commit();
    counts_.computed += results.size();
  }

  storage::Store& store_;
  std::string name_;
  const CorpusOptions& options_;
  CorpusCounts& counts_;
  DatasetId dataset_;
  std::optional<Embedder> embedder_;
  std::unique_ptr<DatasetView> view_;
  CorpusCache cache_;
};

constexpr std::string_view kCorpus = storage::sql::kEvaluationsOfCorpusUpToDate;

CorpusEvaluation read(const Statement& row) {
  CorpusEvaluation found{{row.id<EvaluationId>(0), {}}, std::string(row.text(7))};
  if (row.text(1) != kDefinitions) found.changed = "definitions of metrics have changed";
  if (row.integer(4) == 0) {
    found.changed = found.embedder.empty() ? "embedders have vectors of the dataset that had none, or none any more"
                                           : "vectors of the embedder have changed";
  }
  if (row.integer(3) == 0) found.changed = "the dataset has changed";
  if (row.integer(2) == 0) found.changed = "the run has changed";
  return found;
}

}  // namespace

std::string metrics_on_demand() {
  std::string names;
  for (const MetricDefinition& row : metric_definitions()) {
    if (row.tier == Tier::kCorpus) names += fmt::format("{}, ", row.name);
  }
  return names + std::string(definition(MetricId::kEmbeddingDistance).name);
}

CorpusCounts evaluate_corpus(storage::Store& store, const std::vector<storage::Target>& targets,
                             const CorpusOptions& options) {
  CorpusCounts counts;
  std::set<std::string> done;
  for (const storage::Target& first : targets) {
    if (!done.insert(first.dataset).second) continue;
    DatasetCorpus dataset(store, first.dataset, options, counts);
    for (const RunHead& run : list_runs(store.db(), storage::find_dataset(store.db(), first.dataset))) {
      const bool meant = std::any_of(targets.begin(), targets.end(), [&](const storage::Target& target) {
        return target.dataset == first.dataset && (!target.run || *target.run == run.name);
      });
      if (meant) dataset.evaluate(run);
    }
  }
  return counts;
}

std::vector<MetricId> corpus_metrics(const std::vector<std::string>& names) {
  std::vector<MetricId> found;
  for (const std::string& name : names) {
    const auto metric = find_metric(name);
    if (!metric) {
      std::vector<std::string> known;
      for (const MetricDefinition& row : metric_definitions()) known.emplace_back(row.name);
      throw Error(Code::kUsage, fmt::format("--metrics: no metric \"{}\"{}", name, did_you_mean(name, known)),
                  fmt::format("{}; all others are computed anyway", metrics_on_demand()));
    }
    if (definition(*metric).tier == Tier::kCorpus) found.push_back(*metric);
  }
  return found;
}

CorpusEvaluations::CorpusEvaluations(storage::Db& db) : find_(db.prepare(kCorpus)) {}

std::optional<CorpusEvaluation> CorpusEvaluations::current(RunId run, MetricId metric) {
  if (!find_.bind(run, static_cast<std::int64_t>(metric)).step()) return std::nullopt;
  CorpusEvaluation found = read(find_);
  find_.reset();
  return found;
}

std::optional<CorpusEvaluation> current_corpus(storage::Db& db, RunId run, MetricId metric) {
  return CorpusEvaluations(db).current(run, metric);
}

std::string metric_reason(storage::Db& db, EvaluationId evaluation, MetricId metric) {
  Statement find = db.prepare(storage::sql::kMetricReason);
  return find.bind(evaluation, static_cast<std::int64_t>(metric)).step() ? std::string(find.text(0)) : std::string();
}

std::vector<EvaluatedCorpus> evaluated_corpora(storage::Db& db) {
  std::vector<EvaluatedCorpus> found;
  Statement rows = db.prepare(kCorpus);
  rows.bind(0, 0);
  while (rows.step()) {
    if (!read(rows).changed.empty()) continue;
    EvaluatedCorpus one;
    one.target = {std::string(rows.text(5)), std::string(rows.text(6))};
    one.options.embedder = rows.is_null(7) ? std::string(kNoEmbedder) : std::string(rows.text(7));
    Statement metrics = db.prepare(storage::sql::kMetricIdsOfEvaluation);
    metrics.bind(rows.id<EvaluationId>(0));
    while (metrics.step()) one.options.metrics.push_back(static_cast<MetricId>(metrics.integer(0)));
    if (!one.options.metrics.empty()) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace residue::query
