#include "query/evaluate/vector_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "query/inputs/snapshot.h"
#include "query/link/run_claims.h"
#include "query/prepare/attackers.h"
#include "query/score/claim_distance.h"
#include "query/stored/record_input.h"
#include "query/stored/score_loop.h"
#include "query/stored/score_store.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/vector_content.h"
#include "storage/catalog/sources/embedder.h"
#include "storage/catalog/sources/run_claim_set.h"
#include "storage/catalog/sources/vector.h"
#include "storage/vectors.h"

namespace residue::query {
namespace {

using storage::Embedder;
using storage::Statement;

constexpr std::size_t kVectorsAtOnce = 256;  // records whose vectors are in memory together

// The embedder named, or the only one with vectors of claims of the set; nothing where there is none.
std::optional<Embedder> choose(storage::Db& db, const ClaimSetHead& claims, const std::string& wanted) {
  if (!wanted.empty()) return storage::find_embedder(db, wanted);
  Statement find = db.prepare(storage::sql::kEmbedderNamesOfClaimSet);
  find.bind(claims.id);
  std::vector<std::string> names;
  while (find.step()) names.emplace_back(find.text(0));
  if (names.empty()) return std::nullopt;
  if (names.size() == 1) return storage::find_embedder(db, names.front());
  throw Error(Code::kUsage,
              fmt::format("{} embedders have vectors of the claims \"{}\": {}", names.size(), claims.name,
                          fmt::join(names, ", ")),
              fmt::format("--embedder {}", names.front()));
}

// The claims of the run that are compared, by name (view compared_claims); the judged set's where it has none.
std::string compared_set(storage::Db& db, RunId run, ProtocolId protocol, const std::string& judged) {
  Statement find = db.prepare(storage::sql::kRunClaimSetNameComparedUnderProtocol);
  return find.bind(run, protocol).step() ? std::string(find.text(0)) : judged;
}

std::string content_of(storage::Db& db, RunId run, ProtocolId protocol, EmbedderId embedder) {
  Statement find = db.prepare(storage::sql::kVectorContentOfRun);
  return find.bind(run, protocol, embedder).step() ? std::string(find.text(0)) : std::string();
}

// One run under one attack.
class VectorAttack {
 public:
  VectorAttack(storage::Store& store, const DatasetView& dataset, const RunView& run, const AuxiliaryView& auxiliary,
               const Embedder& embedder, ProtocolId protocol, const std::string& set)
      : store_(store),
        dataset_(dataset),
        run_(run),
        auxiliary_(auxiliary),
        embedder_(embedder),
        links_(load_links(store, dataset, run.id, protocol)) {
    const RunCandidates claims = claim_candidates(store, dataset, run, set);
    for (std::size_t i = 0; i < claims.ids.size(); ++i) {
      published_[owner_of_claim(claims.ids[i])].push_back(claims.texts[i]);
    }
    Statement rows = store.db().prepare(storage::sql::kVectorIdsOfEmbedder);
    rows.bind(embedder.id);
    while (rows.step()) vectors_[rows.id<TextId>(0)] = rows.integer(1);
  }

  void score(ScoreStore& scores, const std::vector<bool>& sampled, const ProgressFunction& checkpoint) {
    RecordScoring records;
    records.count = dataset_.records.size();
    records.at_once = 4;
    records.prepared_at_once = kVectorsAtOnce;
    records.look = [&](std::size_t i) -> std::optional<ScoreStore::Change> {
      if (!sampled.empty() && !sampled[i]) return std::nullopt;
      return ScoreStore::Change{dataset_.records[i].id, look_at(i).input, dataset_.records[i].unit, {}};
    };
    records.prepare = [&](std::span<const std::size_t> some) { load(some); };
    records.contributions = [&](std::size_t i, const storage::Facts::Reader& /*texts*/) {
      const Compared& one = loaded(i);
      return std::vector{claim_distance_score(one.facts, one.judged.size(), distances(one))};
    };
    score_changed(store_, scores, records, checkpoint);
  }

 private:
  struct Compared {
    std::size_t record = 0;
    RecordCase facts;
    TextId passage;                     // what was found; 0: nothing, or the empty text
    std::vector<TextId> judged, found;  // claims outside A(x), claims of the text found
    std::uint64_t input = 0;
    std::size_t first = 0;  // where its vectors begin among those that are loaded
  };

  Compared look_at(std::size_t i) const {
    Compared one;
    one.record = i;
    one.facts = attacked_case(dataset_, run_, auxiliary_, links_[i], i);
    for (const ClaimView& claim : claims_outside(dataset_.claims[i], auxiliary_.known[i].claims)) {
      one.judged.push_back(claim.text);
    }
    if (one.facts.linked) {
      const auto variant = linked_variant(dataset_, run_, links_[i].linked);
      if (!variant) throw changed_meanwhile();
      one.passage = variant->text;
      const auto claims = published_.find(links_[i].linked);
      if (claims != published_.end()) one.found = claims->second;
    }
    InputHash hash;
    hash << static_cast<std::int64_t>(facts_hash(dataset_.records[i], one.facts, one.passage));
    for (const auto* side : {&one.judged, &one.found}) {
      hash << static_cast<std::int64_t>(side->size());
      for (const TextId text : *side) hash << text.value << vector_of(text);
    }
    one.input = hash.value();
    return one;
  }

  // 0: it has none.
  [[nodiscard]] std::int64_t vector_of(TextId text) const {
    const auto found = vectors_.find(text);
    return found == vectors_.end() ? 0 : found->second;
  }

  // Whether there is something to compare: a text with claims, and vectors of all of them.
  [[nodiscard]] bool comparable(const Compared& one) const {
    const auto has = [&](TextId text) { return vector_of(text) != 0; };
    return one.facts.linked && !one.facts.failed && !one.facts.empty_original && one.facts.has_claims &&
           !one.found.empty() && std::all_of(one.judged.begin(), one.judged.end(), has) &&
           std::all_of(one.found.begin(), one.found.end(), has);
  }

  void load(std::span<const std::size_t> records) {
    compared_.clear();
    std::vector<TextId> texts;
    for (const std::size_t i : records) {
      Compared& one = compared_.emplace_back(look_at(i));
      one.first = texts.size();
      if (!comparable(one)) continue;
      texts.insert(texts.end(), one.judged.begin(), one.judged.end());
      texts.insert(texts.end(), one.found.begin(), one.found.end());
    }
    const storage::ReadTransaction snapshot(store_.db());
    values_ = storage::load_vectors(store_.db(), *store_.facts().read(), embedder_, texts);
  }

  [[nodiscard]] const Compared& loaded(std::size_t record) const {
    return *std::ranges::lower_bound(compared_, record, {}, &Compared::record);
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> distances(const Compared& one) const {
    if (one.facts.linked && one.passage.value == 0) return std::vector<std::int64_t>(one.judged.size(), kOne);
    if (!comparable(one)) return std::nullopt;
    const std::size_t d = embedder_.dimension;
    const auto values = std::span(values_).subspan(one.first * d);
    const auto found = values.subspan(one.judged.size() * d, one.found.size() * d);
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < one.judged.size(); ++i) all.push_back(claim_distance(values.subspan(i * d, d), found));
    return all;
  }

  storage::Store& store_;
  const DatasetView& dataset_;
  const RunView& run_;
  const AuxiliaryView& auxiliary_;
  const Embedder& embedder_;
  const std::vector<LinkView> links_;
  std::unordered_map<CandidateId, std::vector<TextId>> published_;  // claims of the run's texts
  std::unordered_map<TextId, std::int64_t> vectors_;                // that texts have now
  std::vector<Compared> compared_;                                  // those at hand, by record
  std::vector<float> values_;                                       // their vectors
};

class DatasetVectors {
 public:
  DatasetVectors(storage::Store& store, const std::string& name, const EvalOptions& options,
                 const std::string& embedder, VectorCounts& counts)
      : store_(store),
        name_(name),
        options_(options),
        embedder_(embedder),
        counts_(counts),
        dataset_(storage::find_dataset(store.db(), name)) {}

  void evaluate(const std::vector<RunHead>& runs) {
    std::vector<std::string> notes;  // evaluate() has told them
    for (const Attacker& attacker : attackers_of(store_.db(), dataset_, name_, options_, false, notes)) {
      if (attacker.spec.linker->control()) continue;
      const auto embedder = choose(store_.db(), attacker.claims, embedder_);
      if (!embedder) {
        counts_.notes.push_back(
            fmt::format("embedding_distance of {} under {} is not computed: it needs vectors of claims; residue embed "
                        "{} --with MODEL makes them, residue ingest vectors {} --of claim brings them in",
                        name_, attacker.spec.name(), name_, name_));
        continue;
      }
      for (const RunHead& run : runs) bring_up_to_date(run, attacker, *embedder);
    }
  }

 private:
  void bring_up_to_date(const RunHead& head, const Attacker& attacker, const Embedder& embedder) {
    const std::string what =
        fmt::format("embedding_distance of {}/{} under {}", name_, head.name, attacker.spec.name());
    const auto protocol = find_protocol(store_.db(), dataset_, attacker.spec.name(), options_.sample);
    const auto links = protocol ? current_evaluation(store_.db(), head.id, Tier::kLink, *protocol, {}) : std::nullopt;
    if (!attacker.spec.runs().empty()) {
      counts_.notes.push_back(what + " is not computed: it is about one release, and the attacker reads several");
    } else if (!links || !links->changed.empty()) {
      counts_.notes.push_back(what + " is not computed: the attack has no current links");
    } else if (ScoreStore::current(store_.db(), head.id, Tier::kVector, *protocol, embedder.id,
                                   contents(head, *protocol, embedder))) {
      ++counts_.current;
    } else {
      compute(head, attacker, *protocol, embedder, what);
    }
  }

  Contents contents(const RunHead& head, ProtocolId protocol, const Embedder& embedder) {
    return {head.content, dataset_content(store_.db(), dataset_),
            content_of(store_.db(), head.id, protocol, embedder.id)};
  }

  void compute(const RunHead& head, const Attacker& attacker, ProtocolId protocol, const Embedder& embedder,
               const std::string& what) {
    const storage::Lock lock = store_.lock_run(head.id);
    const storage::Lock texts = store_.hold_texts();
    const Contents before = contents(head, protocol, embedder);
    const DatasetView& dataset = view(attacker.claims);
    const AuxiliaryView auxiliary = sync_auxiliary(store_, dataset, attacker.spec.policy);
    const RunView run = load_run(store_, dataset, head);
    const std::string set = compared_set(store_.db(), head.id, protocol, dataset.claim_set_name);
    std::unique_ptr<VectorAttack> attack;
    try {
      attack = std::make_unique<VectorAttack>(store_, dataset, run, auxiliary, embedder, protocol, set);
    } catch (const Error& error) {  // Claims of the run are missing, or older than its texts.
      if (error.code() != Code::kNotFound && error.code() != Code::kBadInput) throw;
      counts_.notes.push_back(fmt::format("{} is not computed: {}: {}", what, error.what(), error.hint()));
      return;
    }
    ScoreStore scores(store_, head.id, Tier::kVector, protocol, embedder.id, options_.keep_replicates_from);
    const std::vector<bool> sampled = sample_records(dataset, options_.sample);
    keep_targets(scores, dataset, sampled);
    attack->score(scores, sampled, [&](std::uint64_t done, std::optional<std::uint64_t> total) {
      if (options_.progress) options_.progress(what, done, total);
      if (options_.interrupted && options_.interrupted()) {
        throw Error(Code::kInterrupted, "stopped; everything computed so far is stored",
                    "repeat the command to continue");
      }
    });
    const auto batch = store_.write();
    forget_others(batch->db(), head.id, protocol, embedder.id);
    batch->commit();
    scores.finish(before, dataset.independent, sampled.empty() ? dataset.records.size() : options_.sample);
    ++counts_.computed;
  }

  void keep_targets(ScoreStore& scores, const DatasetView& dataset, const std::vector<bool>& sampled) {
    if (sampled.empty()) return;
    const auto batch = store_.write();
    scores.keep_only(*batch, sampled_targets(dataset, sampled));
    batch->commit();
  }

  // Their scores stay: should they be asked for again, only what changed is computed.
  static void forget_others(storage::Db& db, RunId run, ProtocolId protocol, EmbedderId embedder) {
    for (const char* sql :
         {storage::sql::kDeleteMetricsOfOtherVectors, storage::sql::kUpdateEvaluationIncompleteOfVectors}) {
      db.prepare(sql).run(run, protocol, embedder);
    }
  }

  const DatasetView& view(const ClaimSetHead& claims) {
    auto& slot = views_[claims.name];
    if (!slot) slot = std::make_unique<DatasetView>(load_dataset(store_, dataset_, name_, claims));
    return *slot;
  }

  storage::Store& store_;
  const std::string name_;
  const EvalOptions& options_;
  const std::string& embedder_;
  VectorCounts& counts_;
  const DatasetId dataset_;
  std::map<std::string, std::unique_ptr<DatasetView>> views_;
};

}  // namespace

VectorCounts evaluate_vectors(storage::Store& store, const std::vector<Target>& targets, const EvalOptions& attacks,
                              const std::string& embedder) {
  VectorCounts counts;
  std::set<std::string> done;
  for (const Target& target : targets) {
    if (!done.insert(target.dataset).second) continue;
    const DatasetId dataset = storage::find_dataset(store.db(), target.dataset);
    DatasetVectors(store, target.dataset, attacks, embedder, counts)
        .evaluate(runs_of(store.db(), targets, dataset, target.dataset));
  }
  return counts;
}

VectorEvaluations::VectorEvaluations(storage::Db& db)
    : db_(db), find_(db.prepare(storage::sql::kEvaluationEmbedderOfVectors)) {}

std::optional<VectorEvaluation> VectorEvaluations::current(RunId run, ProtocolId protocol) {
  if (!find_.bind(run, protocol).step()) return std::nullopt;
  const auto current = current_evaluation(db_, run, Tier::kVector, protocol, find_.id<EmbedderId>(0));
  if (!current) return std::nullopt;
  return VectorEvaluation{*current, std::string(find_.text(1))};
}

std::optional<VectorEvaluation> current_vectors(storage::Db& db, RunId run, ProtocolId protocol) {
  return VectorEvaluations(db).current(run, protocol);
}

std::string claims_remedy(storage::Db& db, RunId run, ProtocolId protocol) {
  Statement find = db.prepare(storage::sql::kRunClaimSetMissingForProtocol);
  if (!find.bind(run, protocol).step()) return {};
  return fmt::format("residue atomize {}/{} --set {}", find.text(0), find.text(1), find.text(2));
}

std::vector<EvaluatedVectors> evaluated_vectors(storage::Db& db) {
  std::vector<EvaluatedVectors> found;
  Statement rows = db.prepare(storage::sql::kEvaluationsOfVectors);
  VectorEvaluations evaluations(db);
  while (rows.step()) {
    const auto current = evaluations.current(rows.id<RunId>(5), rows.id<ProtocolId>(6));
    if (!current || !current->changed.empty() || current->embedder != rows.text(3)) continue;
    found.push_back({{std::string(rows.text(0)), std::string(rows.text(1))},
                     std::string(rows.text(2)),
                     std::string(rows.text(3)),
                     static_cast<std::uint64_t>(rows.integer(4))});
  }
  return found;
}

}  // namespace residue::query
