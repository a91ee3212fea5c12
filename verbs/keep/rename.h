// `rename`: another name for a dataset or a run.
#pragma once

#include <string>
#include <vector>

#include "storage/catalog/lookup.h"
#include "storage/store.h"

namespace residue::verbs {

struct RenameOptions {
  storage::Target from;
  storage::Target to;  // the new name is its last part; a run stays in its dataset
};

struct RenameResult {
  storage::Target name;            // as it is called now
  std::vector<std::string> stale;  // protocols that look at the run and whose results are stale now
};

// Results stay valid, protocols name the run by its new name. Throws as ingest::rename_dataset and rename_run,
// Error{usage} for a run that would move to another dataset.
RenameResult rename(storage::Store& store, const RenameOptions& options);

}  // namespace residue::verbs
