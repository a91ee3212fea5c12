// `work import`: answers to what `work export` wrote, from files that somebody else filled.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ingest/files/work_import.h"
#include "storage/store.h"

namespace residue::verbs {

struct ImportWorkOptions {
  std::vector<std::string> files;  // read one after another; "-" is standard input
  NamedProgressFunction progress;  // bytes of "importing FILE"
  std::function<bool()> interrupted;
  // Told after each file, before the next is opened; `work` is of this file.
  std::function<void(const std::string& file, const ingest::ImportedWork& work)> file_done;
};

// Of all files together. Throws as ingest::import_work(): what was imported until then stays.
ingest::ImportedWork import_work(storage::Store& store, const ImportWorkOptions& options);

// Throws Error{bad input} where files brought nothing: they had no line, or none that answers a question of this store.
void require_answers(const ingest::ImportedWork& work);

}  // namespace residue::verbs
