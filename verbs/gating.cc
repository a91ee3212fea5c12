#include "verbs/gating.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "ingest/rows/names.h"
#include "query/inputs/snapshot.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim_set.h"

namespace residue::verbs {
namespace {

[[noreturn]] void refuse_controls(const std::string& dataset) {
  throw Error(Code::kUsage, fmt::format("--fail-if: dataset {} has no run that gates apply to", dataset),
              "gates do not apply to the automatic controls none and remove-all");
}

[[noreturn]] void refuse_control_linkers() {
  throw Error(Code::kUsage, "--fail-if: gates do not apply to the control linkers oracle and random",
              "name an attacker: --protocol bm25/random:3");
}

std::vector<std::string> gated_runs(storage::Store& store, const std::vector<query::Target>& targets,
                                    const std::string& dataset, DatasetId id) {
  std::vector<std::string> runs;
  for (const query::RunHead& run : query::list_runs(store.db(), id)) {
    if (run.control()) continue;
    for (const query::Target& target : targets) {
      if (target.dataset != dataset || (target.run && *target.run != run.name)) continue;
      runs.push_back(run.name);
      break;
    }
  }
  return runs;
}

void check(storage::Store& store, const Gates& gates, query::GateInput& input,
           std::vector<query::GateResult>& results) {
  input.min_coverage = gates.min_coverage;
  for (query::GateResult& result : query::check_gates(store, gates.gates, input)) results.push_back(std::move(result));
}

}  // namespace

std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates,
                                    const std::vector<query::Report>& reports) {
  std::vector<query::GateResult> results;
  if (gates.gates.empty()) return results;
  for (const query::Report& report : reports) {
    if (report.spec.linker->control()) continue;
    query::GateInput input;
    input.dataset = report.dataset;
    for (const query::ReportRun& run : report.runs) {
      if (!run.control) input.runs.push_back(run.run);
    }
    if (input.runs.empty()) refuse_controls(report.dataset);
    input.protocols = {report.spec};
    input.seeds = report.seeds;
    input.sample = report.sample;
    input.judge = report.judge;
    input.drop_missing = report.missing == query::MissingPolicy::kDrop;
    check(store, gates, input, results);
  }
  if (results.empty()) refuse_control_linkers();
  return results;
}

std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates, const query::Compared& compared) {
  std::vector<query::GateResult> results;
  if (gates.gates.empty()) return results;
  query::GateInput input;
  input.dataset = compared.what.lens.dataset_name;
  for (const query::RunDelta& run : compared.runs) {
    if (!ingest::is_control(run.run)) input.runs.push_back(run.run);
  }
  input.protocols = {compared.what.lens.spec};
  input.seeds = compared.what.seeds;
  input.sample = compared.what.lens.sample;
  input.judge = compared.what.lens.judge_name;
  input.drop_missing = compared.missing == query::MissingPolicy::kDrop;
  check(store, gates, input, results);
  return results;
}

std::vector<query::GateResult> hold(storage::Store& store, const Gates& gates,
                                    const std::vector<query::Target>& targets, const query::EvalOptions& evaluated,
                                    bool drop_missing) {
  std::vector<query::GateResult> results;
  if (gates.gates.empty()) return results;
  std::vector<std::string> done;
  for (const query::Target& target : targets) {
    if (std::find(done.begin(), done.end(), target.dataset) != done.end()) continue;
    done.push_back(target.dataset);
    query::GateInput input;
    input.dataset = target.dataset;
    const DatasetId id = storage::find_dataset(store.db(), target.dataset);
    input.runs = gated_runs(store, targets, target.dataset, id);
    if (input.runs.empty()) refuse_controls(target.dataset);
    std::vector<query::ProtocolSpec> specs = evaluated.protocols;
    if (specs.empty()) specs.push_back(query::parse_protocol(query::kDefaultProtocol));
    const bool claims = store.db().prepare(storage::sql::kClaimSetAnyOfDataset).bind(id).step();
    for (query::ProtocolSpec& spec : specs) {
      if (claims) spec.claim_set = query::find_claim_set(store.db(), id, target.dataset, spec.claim_set).name;
      if (!spec.linker->control()) input.protocols.push_back(spec);
    }
    if (input.protocols.empty()) refuse_control_linkers();
    input.seeds = evaluated.seeds;
    input.sample = evaluated.sample;
    input.judge = evaluated.judge;
    input.drop_missing = drop_missing;
    check(store, gates, input, results);
  }
  return results;
}

}  // namespace residue::verbs
