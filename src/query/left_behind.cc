#include "query/left_behind.h"

#include <algorithm>
#include <map>
#include <set>

#include "query/corpus_evaluation.h"
#include "query/snapshot.h"
#include "query/vector_evaluation.h"

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

std::vector<std::string> outdated_corpus_metrics(storage::Db& db, const std::vector<storage::Target>& targets) {
  struct Outdated {
    std::set<std::string> metrics, runs, embedders, protocols;
  };
  std::map<std::string, Outdated> all;  // by dataset
  storage::Statement vectors = db.prepare(
      "SELECT e.protocol_id, p.name FROM evaluation e JOIN protocol p ON p.id = e.protocol_id WHERE e.run_id = ?1 AND "
      "e.tier = ?2 ORDER BY p.name");
  for (const Named& run : runs_of(db, targets)) {
    for (const MetricDefinition& metric : metric_definitions()) {
      if (metric.tier != Tier::kCorpus) continue;
      const auto found = current_corpus(db, run.id, metric.id);
      if (!found || found->changed.empty()) continue;
      Outdated& of = all[run.dataset];
      of.metrics.emplace(metric.name);
      of.runs.insert(run.run);
      if (!found->embedder.empty()) of.embedders.insert(found->embedder);
    }
    vectors.bind(run.id, tier_name(Tier::kVector));
    while (vectors.step()) {
      const auto found = current_vectors(db, run.id, vectors.id<ProtocolId>(0));
      if (!found || found->changed.empty()) continue;
      Outdated& of = all[run.dataset];
      of.metrics.emplace(definition(MetricId::kEmbeddingDistance).name);
      of.runs.insert(run.run);
      of.embedders.insert(found->embedder);
      of.protocols.insert(std::string(vectors.text(1)));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [dataset, of] : all) {
    lines.push_back(
        fmt::format("older than the texts: {} of {}; residue eval {} --metrics {}{}{}", fmt::join(of.metrics, ", "),
                    fmt::join(of.runs, ", "), dataset, fmt::join(of.metrics, ","),
                    of.embedders.size() == 1 ? " --embedder " + *of.embedders.begin() : "",
                    of.protocols.empty() ? "" : " --protocol " + fmt::format("{}", fmt::join(of.protocols, ","))));
  }
  return lines;
}

std::vector<std::string> runs_with_sentiment(storage::Db& db, const std::vector<storage::Target>& targets) {
  storage::Statement find = db.prepare(
      "SELECT 1 FROM evaluation e JOIN metric m ON m.evaluation_id = e.id WHERE e.run_id = ?1 AND e.tier = 'text'"
      " AND m.metric = ?2 LIMIT 1");
  std::vector<std::string> names;
  for (const Named& run : runs_of(db, targets)) {
    if (find.bind(run.id, static_cast<std::int64_t>(MetricId::kSentimentAccuracy)).step())
      names.push_back(run.dataset + "/" + run.run);
    find.reset();
  }
  return names;
}

}  // namespace residue::query
