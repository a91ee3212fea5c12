#include "verbs/keep/rename.h"

#include <fmt/format.h>

#include "base/error.h"
#include "ingest/files/remove.h"
#include "query/link/protocol_rows.h"

namespace residue::verbs {

RenameResult rename(storage::Store& store, const RenameOptions& options) {
  const auto& [from, to] = options;
  if (!from.run) {
    const std::string name = to.run ? to.dataset + "/" + *to.run : to.dataset;  // which is no name of a dataset
    ingest::rename_dataset(store, from.dataset, name);
    return {{name, {}}, {}};
  }
  if (to.run && to.dataset != from.dataset) {
    throw Error(Code::kUsage, "a run cannot move to another dataset",
                fmt::format("residue rename {}/{} NEW", from.dataset, *from.run));
  }
  const std::string name = to.run.value_or(to.dataset);
  RenameResult result{{from.dataset, name}, {}};
  ingest::rename_run(store, from.dataset, *from.run, name, [&](storage::Db& db, DatasetId dataset) {
    result.stale = query::rename_in_protocols(db, dataset, *from.run, name);
  });
  return result;
}

}  // namespace residue::verbs
