#include "query/report/left_behind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/results/evaluation.h"

namespace residue::query {
namespace {

struct Named {
  RunId id;
  std::string dataset, run;
};

// Each once, by dataset in the order of the targets.
std::vector<Named> runs_of(storage::Db& db, const std::vector<storage::Target>& targets) {
  std::vector<Named> runs;
  std::set<std::string> done;
  for (const storage::Target& first : targets) {
    if (!done.insert(first.dataset).second) continue;
    for (const RunHead& run : list_runs(db, storage::find_dataset(db, first.dataset))) {
      const bool meant = std::any_of(targets.begin(), targets.end(), [&](const storage::Target& target) {
        return target.dataset == first.dataset && (!target.run || *target.run == run.name);
      });
      if (meant) runs.push_back({run.id, first.dataset, run.name});
    }
  }
  return runs;
}

}  // namespace

std::vector<std::string> commands_for(const std::string& dataset, const std::string& with,
                                      const std::vector<OldMetric>& old) {
  std::set<std::string> before;
  std::map<std::string, std::set<std::string>> metrics;  // by embedder
  for (const OldMetric& one : old) {
    if (!one.before.empty()) before.insert(one.before);
    metrics[one.embedder].emplace(definition(one.metric).name);
  }
  if (metrics.size() > 1 && metrics.begin()->first.empty()) {  // What needs no vectors goes with what does.
    std::next(metrics.begin())->second.merge(metrics.begin()->second);
    metrics.erase(metrics.begin());
  }
  std::vector<std::string> commands(before.begin(), before.end());
  for (const auto& [embedder, names] : metrics) {
    commands.push_back(fmt::format("residue eval {}{} --metrics {}{}", dataset, with, fmt::join(names, ","),
                                   embedder.empty() ? "" : " --embedder " + embedder));
  }
  if (metrics.empty()) commands.push_back(fmt::format("residue eval {}{}", dataset, with));
  return commands;
}

std::vector<std::string> outdated_corpus_metrics(storage::Db& db, const std::vector<storage::Target>& targets) {
  struct Outdated {
    std::set<std::string> metrics, runs, protocols;
    std::vector<OldMetric> old;
  };
  std::map<std::string, Outdated> all;  // by dataset
  storage::Statement vectors = db.prepare(storage::sql::kEvaluationProtocolsOfRunTier);
  CorpusEvaluations corpora(db);
  for (const Named& run : runs_of(db, targets)) {
    for (const MetricDefinition& metric : metric_definitions()) {
      if (metric.tier != Tier::kCorpus) continue;
      const auto found = corpora.current(run.id, metric.id);
      if (!found || found->changed.empty()) continue;
      Outdated& of = all[run.dataset];
      of.metrics.emplace(metric.name);
      of.runs.insert(run.run);
      of.old.push_back({metric.id, found->embedder, {}});
    }
    vectors.bind(run.id, tier_name(Tier::kVector));
    while (vectors.step()) {
      const auto found = current_vectors(db, run.id, vectors.id<ProtocolId>(0));
      if (!found || found->changed.empty()) continue;
      Outdated& of = all[run.dataset];
      of.metrics.emplace(definition(MetricId::kEmbeddingDistance).name);
      of.runs.insert(run.run);
      of.old.push_back(
          {MetricId::kEmbeddingDistance, found->embedder, claims_remedy(db, run.id, vectors.id<ProtocolId>(0))});
      of.protocols.insert(std::string(vectors.text(1)));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [dataset, of] : all) {
    const std::string with = of.protocols.empty() ? "" : fmt::format(" --protocol {}", fmt::join(of.protocols, ","));
    lines.push_back(fmt::format("older than the texts: {} of {}; {}", fmt::join(of.metrics, ", "),
                                fmt::join(of.runs, ", "), fmt::join(commands_for(dataset, with, of.old), "; then ")));
  }
  return lines;
}

std::vector<std::string> runs_with_sentiment(storage::Db& db, const std::vector<storage::Target>& targets) {
  storage::Statement find = db.prepare(storage::sql::kEvaluationExistsOfTextMetric);
  std::vector<std::string> names;
  for (const Named& run : runs_of(db, targets)) {
    if (find.bind(run.id, static_cast<std::int64_t>(MetricId::kSentimentAccuracy)).step())
      names.push_back(run.dataset + "/" + run.run);
    find.reset();
  }
  return names;
}

}  // namespace residue::query
