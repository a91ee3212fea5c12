// Writes what a model said of records as labels: one annotator's, whatever his settings were.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "ingest/batches/result.h"
#include "storage/store.h"

namespace residue::ingest {

class LabelWriter {
 public:
  // `annotator`: "NAME/SETTINGS"; labels of another version of the settings are replaced.
  LabelWriter(storage::Db& db, DatasetId dataset, std::string kind, std::string annotator);

  // These become all labels of the record by this annotator.
  Outcome replace(storage::WriteBatch& batch, RecordId record, const std::vector<Json>& payloads);

 private:
  const DatasetId dataset_;
  const std::string kind_, annotator_, family_;
  storage::Statement labels_, insert_, erase_;
};

}  // namespace residue::ingest
