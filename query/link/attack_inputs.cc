#include "query/link/attack_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "query/link/run_claims.h"
#include "storage/catalog/results/input_content.h"
#include "storage/catalog/results/protocol_input.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/ingest_progress.h"
#include "storage/vectors.h"

namespace residue::query {
namespace {

// A paraphrase is of the claims that were there: those of another set, or of later ones, it does not say.
void require_own_words(storage::Db& db, DatasetId dataset, const std::string& dataset_name,
                       const ProtocolSpec& protocol) {
  const std::string& words = protocol.policy.words;
  storage::Statement find = db.prepare(storage::sql::kClaimSetWordsOfByName);
  if (!find.bind(dataset, words).step()) return;  // somebody's own words
  const std::string of(find.text(0));
  const bool current = !find.is_null(1) && find.integer(1) != 0;
  find.reset();
  const std::string judged = find_claim_set(db, dataset, dataset_name, protocol.claim_set).name;
  if (of != judged) {
    throw Error(Code::kUsage,
                fmt::format("the claim set \"{}\" is a paraphrase of \"{}\", not of \"{}\"", words, of, judged),
                fmt::format("name the set that is judged: POLICY~{}/{}", words, of));
  }
  if (!current) {
    throw Error(
        Code::kBadInput,
        fmt::format("the claims \"{}\" of {} changed after their paraphrase \"{}\" was made", of, dataset_name, words),
        fmt::format("residue paraphrase {} --set {} --with MODEL --into {}", dataset_name, of, words));
  }
}

}  // namespace

std::vector<AttackInput> inputs_of(const ProtocolSpec& protocol) {
  std::vector<AttackInput> inputs;
  if (!protocol.policy.given.empty()) inputs.push_back({"claim_set", protocol.policy.given});
  if (!protocol.policy.words.empty()) inputs.push_back({"claim_set", protocol.policy.words});
  for (const std::string& run : protocol.runs()) inputs.push_back({"run", run});
  if (const std::string set = protocol.run_claims(); !set.empty()) inputs.push_back({"run_claims", set});
  if (const auto model = protocol.options.find("model"); model != protocol.options.end()) {
    inputs.push_back({"embedder", model->second});
  }
  return inputs;
}

void require_held(const std::string& dataset_name, const std::vector<storage::Target>& targets,
                  const std::vector<ProtocolSpec>& protocols) {
  const auto whole = [&](const storage::Target& target) { return target.dataset == dataset_name && !target.run; };
  if (std::any_of(targets.begin(), targets.end(), whole)) return;
  for (const storage::Target& target : targets) {
    if (target.dataset != dataset_name) continue;
    for (const ProtocolSpec& protocol : protocols) {
      const std::vector<std::string> held = protocol.runs();
      if (held.empty() || std::find(held.begin(), held.end(), *target.run) != held.end()) continue;
      throw Error(Code::kUsage,
                  fmt::format("run {}/{} is not one of the releases that {} reads", dataset_name, *target.run,
                              protocol.linker_name()),
                  fmt::format("evaluate {}/{}, or name the run in --combine", dataset_name, held.front()));
    }
  }
}

void require_inputs(storage::Db& db, DatasetId dataset, const std::string& dataset_name, const RunHead& run,
                    const ProtocolSpec& protocol) {
  for (const AttackInput& input : inputs_of(protocol)) {
    if (input.kind == "claim_set") {
      (void)find_claim_set(db, dataset, dataset_name, input.name, protocol.policy.place_of_set());
      require_complete(db, dataset_name, input.name, "");
      if (!protocol.policy.words.empty()) require_own_words(db, dataset, dataset_name, protocol);
    } else if (input.kind == "embedder") {
      (void)storage::find_embedder(db, input.name);
      storage::Statement find = db.prepare(storage::sql::kIngestProgressExists);
      if (find.bind(fmt::format("vectors {}/{}", dataset_name, input.name)).step()) {
        throw Error(Code::kBadInput, fmt::format("the vectors of model \"{}\" were not read to their end", input.name),
                    "repeat the ingest command: it continues where it stopped");
      }
    } else if (input.kind == "run_claims") {
      require_complete(db, dataset_name, run.name + "/" + input.name, "");
      (void)find_run_claims(db, dataset_name, run, input.name);
      const bool outside =
          run.kind == RunKind::kNone && find_claim_set(db, dataset, dataset_name, protocol.claim_set).outside;
      if (outside) (void)find_own_claims(db, dataset, dataset_name);
    } else {
      (void)storage::find_run(db, dataset_name, input.name);
      require_complete(db, dataset_name, "", input.name);
    }
  }
}

void store_inputs(storage::Db& db, ProtocolId id, const ProtocolSpec& protocol) {
  storage::Statement put = db.prepare(storage::sql::kInsertProtocolInputIfNew);
  for (const AttackInput& input : inputs_of(protocol)) put.run(id, input.kind, input.name);
}

std::string extra_content(storage::Db& db, DatasetId dataset, RunId run, const ProtocolSpec& protocol) {
  std::vector<AttackInput> inputs = inputs_of(protocol);
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return contents_of(db, dataset, run, inputs);
}

std::string contents_of(storage::Db& db, DatasetId dataset, RunId run, const std::vector<AttackInput>& inputs) {
  std::string extra;
  for (const AttackInput& input : inputs) {
    storage::Statement find = db.prepare(storage::sql::kInputContentOfOne);
    find.bind(dataset, input.kind, input.name, run);
    if (find.step()) extra += find.text(0);
  }
  return extra;
}

}  // namespace residue::query
