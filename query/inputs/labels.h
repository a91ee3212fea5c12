// The labels that tier label is computed from: spans and entities that people marked in originals.
#pragma once

#include <string>
#include <vector>

#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Fingerprint of those labels of a dataset, whatever the order they came in; empty: it has none.
// Cost: a walk through an index.
std::string label_content(storage::Db& db, DatasetId dataset);

struct LabelView {
  std::string kind;  // "span", "entity"
  TextId payload;    // canonical JSON
};

struct Labels {
  std::string content;                            // label_content
  std::vector<std::vector<LabelView>> by_record;  // of the view, in the order of their payloads' numbers
};

// In one snapshot.
Labels load_labels(storage::Db& db, const DatasetView& dataset);

}  // namespace residue::query
