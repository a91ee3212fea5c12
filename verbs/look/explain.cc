#include "verbs/look/explain.h"

#include "query/inputs/protocol.h"
#include "storage/catalog/lookup.h"

namespace residue::verbs {

std::vector<query::LinkExplanation> explain(storage::Store& store, const ExplainOptions& options) {
  const storage::Lock held = store.hold_texts();
  static_cast<void>(storage::find_run(store.db(), options.dataset, options.run));
  const std::string record = query::record_to_explain(store.db(), options.dataset, options.record);
  const bool usual = options.protocol.empty() && !options.combine.empty();
  query::ProtocolSpec spec = query::protocol_to_explain(
      store.db(), options.dataset, usual ? std::string(query::kDefaultProtocol) : options.protocol);
  if (!options.combine.empty()) spec = query::combined(spec, options.combine);
  std::vector<query::LinkExplanation> all;
  for (const query::ProtocolSpec& protocol : query::with_seeds(spec, options.seeds)) {
    all.push_back(query::explain_link(store, options.dataset, options.run, record, protocol, query::IndexUse::kBuild));
  }
  return all;
}

}  // namespace residue::verbs
