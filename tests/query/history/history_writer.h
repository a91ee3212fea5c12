// The rows of a random history on their way into a store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/batches/progress.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/history/history_model.h"

namespace residue::query::testing {

ingest::RecordRow row_of(const std::string& key, const Record& record);
ingest::VariantRow row_of(const std::string& key, const std::optional<std::string>& text);  // nothing: failed

// Ingests into the dataset `name`, in batches and from a path that `dice` chooses. Writes nothing where there is no
// store.
class Writer {
 public:
  Writer(storage::Store* store, Dice& dice, std::string name);

  Writer& append();
  void records(std::vector<ingest::RecordRow> rows);
  void claims(std::vector<ingest::ClaimsRow> rows);
  void run(const std::string& run, const Run& kind, std::vector<ingest::VariantRow> rows);
  void atomize();
  void scrub();

 private:
  storage::Store* store_;
  std::string name_, path_;
  ingest::IngestOptions options_;
};

}  // namespace residue::query::testing
