// What people said of claims and texts, from whatever source: the stored labels of kind support.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::query {

struct GivenLabel {
  std::string annotator;  // empty: nobody named one
  std::string record;
  std::optional<std::string> person, run;
  std::string claim, passage;   // the words
  TextId claim_id, passage_id;  // 0: the store has no such text any more
  std::uint8_t rating = 3;
  // Where a person was asked for it here:
  std::optional<bool> blind;
  std::optional<std::int64_t> ms;
  std::string chosen;  // label_asked.chosen; empty: from elsewhere
};

// Of a dataset, in the order in which they were stored; without those that name no passage.
std::vector<GivenLabel> given_labels(storage::Store& store, DatasetId dataset);

}  // namespace residue::query
