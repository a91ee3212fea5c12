#include "query/inputs/labels.h"

#include "base/fingerprint.h"
#include "storage/catalog/sources/label.h"

namespace residue::query {

std::string label_content(storage::Db& db, DatasetId dataset) {
  storage::Statement rows = db.prepare(storage::sql::kLabelSpansAndEntities);
  rows.bind(dataset);
  Fingerprint all;
  bool any = false;
  while (rows.step()) {
    all.add(rows.text(0), rows.integer(1), rows.integer(2));
    any = true;
  }
  return any ? all.bytes() : std::string();
}

Labels load_labels(storage::Db& db, const DatasetView& dataset) {
  const storage::ReadTransaction snapshot(db);
  Labels labels{label_content(db, dataset.id), std::vector<std::vector<LabelView>>(dataset.records.size())};
  storage::Statement rows = db.prepare(storage::sql::kLabelSpansAndEntitiesInPayloadOrder);
  rows.bind(dataset.id);
  while (rows.step()) {
    const auto found = dataset.position.find(rows.id<RecordId>(0));
    if (found == dataset.position.end()) continue;
    labels.by_record[found->second].push_back({std::string(rows.text(1)), rows.id<TextId>(2)});
  }
  return labels;
}

}  // namespace residue::query
