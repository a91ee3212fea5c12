#include "query/link/releases.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "storage/catalog/lookup.h"

namespace residue::query {

OtherReleases::OtherReleases(storage::Store& store, const DatasetView& dataset, const RunHead& evaluated,
                             const ProtocolSpec& spec, Hold hold) {
  const std::vector<std::string> held = spec.runs();
  if (held.empty()) return;
  const std::vector<RunHead> all = list_runs(store.db(), dataset.id);
  for (const std::string& name : held) {
    if (name == evaluated.name) continue;
    const RunId id = storage::find_run(store.db(), dataset.name, name);
    const auto run = std::find_if(all.begin(), all.end(), [&](const RunHead& head) { return head.id == id; });
    if (run == all.end() || run->kind == RunKind::kSynthetic || evaluated.kind == RunKind::kSynthetic) {
      throw Error(Code::kUsage, "a synthetic run cannot be combined: its texts belong to no record",
                  "name aligned runs");
    }
    if (hold == Hold::kLocked) locks_.push_back(store.lock_run(id));
    runs_.push_back(std::make_unique<RunView>(load_run(store, dataset, *run)));
  }
}

Releases OtherReleases::with(const RunView& run) const {
  Releases all = {&run};
  for (const auto& other : runs_) all.push_back(other.get());
  return all;
}

}  // namespace residue::query
