#include "query/attackers.h"

#include <algorithm>

#include "base/hash.h"
#include "query/attack_inputs.h"
#include "storage/lookup.h"

namespace residue::query {
namespace {

constexpr std::uint64_t kSampleSeed = 42;

}  // namespace

std::vector<Attacker> attackers_of(storage::Db& db, DatasetId dataset, const std::string& name,
                                   const EvalOptions& options, bool embedded_judge) {
  std::vector<ProtocolSpec> specs;
  const auto add = [&](const ProtocolSpec& spec) {
    if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
  };
  std::vector<ProtocolSpec> wanted = options.protocols;
  if (wanted.empty()) wanted.push_back(parse_protocol(kDefaultProtocol));
  for (ProtocolSpec& spec : wanted) {
    spec.claim_set = find_claim_set(db, dataset, name, spec.claim_set).name;
    for (const ProtocolSpec& seeded : with_seeds(spec, options.seeds)) add(seeded);
  }
  if (embedded_judge) {
    const std::vector<ProtocolSpec> asked = specs;
    for (const ProtocolSpec& spec : asked) {
      add(control_of(spec, "oracle"));
      add(control_of(spec, "random"));
    }
  }
  std::vector<Attacker> attackers;
  for (const ProtocolSpec& spec : specs) {
    attackers.push_back({spec, find_claim_set(db, dataset, name, spec.claim_set), {}, {}});
  }
  return attackers;
}

std::optional<ProtocolId> find_protocol(storage::Db& db, DatasetId dataset, const std::string& name,
                                        std::uint64_t sample) {
  storage::Statement find = db.prepare("SELECT id FROM protocol WHERE dataset_id = ?1 AND name = ?2 AND sample = ?3");
  find.bind(dataset, name, static_cast<std::int64_t>(sample));
  if (!find.step()) return std::nullopt;
  return find.id<ProtocolId>(0);
}

ProtocolId register_protocol(storage::Store& store, DatasetId dataset, const ProtocolSpec& spec, AuxiliaryId auxiliary,
                             std::uint64_t sample) {
  if (const auto known = find_protocol(store.db(), dataset, spec.name(), sample)) return *known;
  const auto batch = store.write();
  batch->db()
      .prepare(
          "INSERT OR IGNORE INTO protocol (dataset_id, name, linker, auxiliary_id, sample) VALUES (?1, ?2, ?3, ?4, ?5)")
      .run(dataset, spec.name(), spec.linker_name(), auxiliary, static_cast<std::int64_t>(sample));
  store_inputs(batch->db(), *find_protocol(batch->db(), dataset, spec.name(), sample), spec);
  batch->commit();
  return *find_protocol(store.db(), dataset, spec.name(), sample);
}

std::vector<RunHead> runs_of(storage::Db& db, const std::vector<Target>& targets, DatasetId dataset,
                             const std::string& name) {
  std::vector<RunHead> all = list_runs(db, dataset);
  bool whole = false;
  std::vector<RunId> chosen;
  for (const Target& target : targets) {
    if (target.dataset != name) continue;
    whole = whole || !target.run;
    if (target.run) chosen.push_back(storage::find_run(db, name, *target.run));
  }
  if (!whole) {
    std::erase_if(all,
                  [&](const RunHead& run) { return std::find(chosen.begin(), chosen.end(), run.id) == chosen.end(); });
  }
  return all;
}

std::vector<bool> sample_records(const DatasetView& dataset, std::uint64_t size) {
  if (size == 0 || size >= dataset.records.size()) return {};
  std::vector<std::pair<std::uint64_t, std::size_t>> draws;
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    draws.emplace_back(hash_of(kSampleSeed, dataset.records[i].key, 2), i);
  }
  std::sort(draws.begin(), draws.end());
  std::vector<bool> sampled(dataset.records.size(), false);
  for (std::uint64_t i = 0; i < size; ++i) sampled[draws[i].second] = true;
  return sampled;
}

}  // namespace residue::query
