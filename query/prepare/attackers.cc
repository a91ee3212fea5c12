#include "query/prepare/attackers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/protocol.h"

namespace residue::query {
namespace {

constexpr std::uint64_t kSampleSeed = 42;

constexpr std::string_view kStoredProtocols = storage::sql::kProtocolNamesEvaluatedByJudge;

// kDefaultProtocol where there are none.
std::vector<ProtocolSpec> stored_protocols(storage::Db& db, DatasetId dataset, const std::string& name,
                                           const EvalOptions& options, std::vector<std::string>& notes) {
  std::vector<ProtocolSpec> specs;
  storage::Statement all = db.prepare(kStoredProtocols);
  all.bind(dataset, static_cast<std::int64_t>(options.sample), options.judge);
  while (all.step()) {
    ProtocolSpec spec = parse_protocol(all.text(0));
    if (spec.linker->control()) continue;
    try {
      find_claim_set(db, dataset, name, spec.claim_set);
      specs.push_back(std::move(spec));
    } catch (const Error& error) {
      notes.push_back(fmt::format("{} is not evaluated: {}", spec.name(), error.what()));
    }
  }
  if (specs.empty()) specs.push_back(parse_protocol(kDefaultProtocol));
  return specs;
}

}  // namespace

bool applies(const RunHead& run, const Attacker& attacker) {
  if (attacker.without.count(run.id) != 0) return false;
  const std::vector<std::string> held = attacker.spec.runs();
  if (!held.empty() && std::find(held.begin(), held.end(), run.name) == held.end()) return false;
  return run.kind != RunKind::kSynthetic || attacker.spec.linker->role != LinkerRole::kOracle;
}

bool has_absent(const RunHead& run, const Attacker& attacker) {
  return run.kind != RunKind::kSynthetic && !attacker.spec.linker->control();
}

std::vector<Attacker> attackers_of(storage::Db& db, DatasetId dataset, const std::string& name,
                                   const EvalOptions& options, bool embedded_judge, std::vector<std::string>& notes) {
  std::vector<ProtocolSpec> specs;
  const auto add = [&](const ProtocolSpec& spec) {
    if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
  };
  std::vector<ProtocolSpec> wanted =
      options.stored ? stored_protocols(db, dataset, name, options, notes) : options.protocols;
  if (wanted.empty()) wanted.push_back(parse_protocol(kDefaultProtocol));
  for (ProtocolSpec& spec : wanted) {
    require_attack(spec);
    spec.claim_set = find_claim_set(db, dataset, name, spec.claim_set).name;
    for (const ProtocolSpec& seeded : with_seeds(spec, options.seeds)) add(seeded);
  }
  if (embedded_judge) {
    const std::vector<ProtocolSpec> asked = specs;
    for (const ProtocolSpec& spec : asked) {
      add(control_of(spec, LinkerRole::kOracle));
      add(control_of(spec, LinkerRole::kRandom));
    }
  }
  std::vector<Attacker> attackers;
  for (const ProtocolSpec& spec : specs) {
    attackers.push_back({.spec = spec, .claims = find_claim_set(db, dataset, name, spec.claim_set)});
  }
  return attackers;
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

std::unordered_set<RecordId> sampled_targets(const DatasetView& dataset, const std::vector<bool>& sampled) {
  std::unordered_set<RecordId> targets;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (sampled[i]) targets.insert(dataset.records[i].id);
  }
  return targets;
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
