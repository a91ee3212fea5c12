#include "cli/eval_flags.h"

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace residue::cli {

void add_eval_flags(CLI::App& app, EvalFlags& flags) {
  app.add_option("TARGET", flags.targets, "DATASET (all its runs) or DATASET/RUN; nothing: every dataset");
  app.add_option("--protocol", flags.protocols,
                 "attackers, LINKER/POLICY[/CLAIMSET], a comma list; default bm25/random:3, also called paper");
  app.add_option("--judge", flags.judge, "who rates the claims: lexical, rouge, or a model of residue model add")
      ->capture_default_str();
  app.add_option("--seeds", flags.seeds, "evaluate seeds 42 ... 42+N-1 of random policies")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  app.add_option("--sample", flags.sample, "only N target records (seeded); candidates are never sampled")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  app.add_option("--combine", flags.combine, "RUN,RUN: an attacker who holds these releases of the same records")
      ->delimiter(',');
}

std::vector<query::Target> targets_of(storage::Store& store, const EvalFlags& flags) {
  std::vector<query::Target> targets;
  for (const std::string& target : flags.targets) targets.push_back(storage::parse_target(target));
  if (!targets.empty()) return targets;
  storage::Statement all = store.db().prepare("SELECT name FROM dataset ORDER BY name");
  while (all.step()) targets.push_back({std::string(all.text(0)), std::nullopt});
  if (targets.empty()) {
    throw Error(Code::kNotFound, "the store has no dataset", "residue ingest dataset NAME FILE");
  }
  return targets;
}

query::EvalOptions eval_options(const EvalFlags& flags) {
  query::EvalOptions options;
  if (!flags.protocols.empty()) options.protocols = query::parse_protocols(flags.protocols);
  if (!flags.combine.empty()) {
    if (options.protocols.empty()) options.protocols.push_back(query::parse_protocol(query::kDefaultProtocol));
    for (query::ProtocolSpec& spec : options.protocols) spec = query::combined(spec, flags.combine);
  }
  options.judge = flags.judge;
  options.seeds = flags.seeds;
  options.sample = flags.sample;
  return options;
}

}  // namespace residue::cli
