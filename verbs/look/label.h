// `label`: claims and passages for people to rate.
#pragma once

#include <string>
#include <vector>

#include "query/study/label_sample.h"
#include "storage/store.h"

namespace residue::verbs {

struct LabelResult {
  query::LabelSample sample;
  std::vector<std::string> claims, passages;  // the texts of each item
};

// Holds the texts meanwhile. Throws as query::draw_labels.
LabelResult label(storage::Store& store, const query::LabelOptions& options);

}  // namespace residue::verbs
