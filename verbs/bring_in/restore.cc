#include "verbs/bring_in/restore.h"

#include "base/error.h"
#include "ingest/batches/progress.h"
#include "model/server/endpoint.h"

namespace residue::verbs {

void check(const RestoreOptions& options) {
  if (options.with.empty() && options.instructions) {
    throw Error(Code::kUsage, "--template means nothing without --with", "leave it out");
  }
}

RestoreResult restore(storage::Store& store, const RestoreOptions& options) {
  check(options);
  const storage::Lock kept = store.hold_texts();
  model::AskSession session = session_of(options.asking);
  std::optional<model::TaskAsker> asker;
  if (!options.with.empty()) {
    asker.emplace(store, model::TaskSetting{model::TaskKind::kRestore, {}, options.instructions},
                  model::find_endpoint(store.db(), options.with), options.dataset, session);
  }
  const auto rows = ingest::open_variants(options.source);
  RestoreResult all;
  all.counts = ingest::restore_rows(store, options.dataset, options.run, *rows, ingest::identify(options.source),
                                    asker ? &*asker : nullptr, storing(options.asking, asker.has_value()), options.row);
  if (asker) all.asked = session.counts;
  return all;
}

}  // namespace residue::verbs
