#include "query/attackers.h"

#include <algorithm>

#include "base/error.h"

namespace residue::query {
namespace {

constexpr std::string_view kStoredProtocols =
    "SELECT DISTINCT p.name FROM protocol p JOIN evaluation e ON e.protocol_id = p.id JOIN judge j ON j.id = "
    "e.judge_id "
    "WHERE p.dataset_id = ?1 AND p.sample = ?2 AND e.tier = 'judge' AND j.name = ?3 ORDER BY 1";

// kDefaultProtocol where there are none.
std::vector<ProtocolSpec> stored_protocols(storage::Db& db, DatasetId dataset, const std::string& name,
                                           const EvalOptions& options, std::vector<std::string>& notes) {
  std::vector<ProtocolSpec> specs;
  storage::Statement all = db.prepare(kStoredProtocols);
  all.bind(dataset, static_cast<std::int64_t>(options.sample), options.judge);
  while (all.step()) {
    ProtocolSpec spec = parse_protocol(all.text(0));
    if (is_control_linker(spec.linker)) continue;
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
    attackers.push_back({spec, find_claim_set(db, dataset, name, spec.claim_set), {}, {}, {}});
  }
  return attackers;
}

}  // namespace residue::query
