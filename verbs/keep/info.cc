#include "verbs/keep/info.h"

#include <system_error>

#include "storage/catalog/sources/dataset.h"
#include "storage/disk/files.h"

namespace residue::verbs {
StoreInfo info(storage::Store& store) {
  const storage::ReadTransaction snapshot(store.db());
  StoreInfo all;
  all.store = store.dir();
  all.format = storage::kFormatVersion;
  storage::Statement counts = store.db().prepare(storage::sql::kDatasetCountWithOtherCounts);
  if (counts.step()) {
    all.datasets = counts.integer(0);
    all.records = counts.integer(1);
    all.runs = counts.integer(2);
    all.claims = counts.integer(3);
    all.judgments = counts.integer(4);
    all.outside_controls = counts.integer(5);
  }
  const storage::FactsInfo facts = store.facts().info();
  all.texts = facts.texts;
  std::error_code gone;
  const std::uint64_t catalog = std::filesystem::file_size(store.dir() / "catalog.db", gone);
  all.catalog_bytes = gone ? 0 : catalog;
  all.facts_bytes = facts.file_bytes;
  all.index_bytes = storage::directory_bytes(store.index_dir());
  return all;
}

}  // namespace residue::verbs
