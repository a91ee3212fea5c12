// What people should label: judged claims of a run, in equal shares of what the judge said of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/report/leaks.h"
#include "storage/store.h"

namespace residue::query {

struct LabelItem {
  std::string record;
  std::uint32_t n = 0;  // of the claim
  TextId claim_text, passage;
  std::uint8_t rating = 1;  // the judge's: not for the eyes of who labels
  RequestId request = {};   // that the claim was put to the judge in
};

struct LabelOptions {
  std::string dataset, run;
  std::string protocol;              // empty: the last evaluated
  std::optional<std::string> judge;  // nothing: the last evaluated
  std::size_t sample = 100;
  std::uint64_t seed = 42;
};

struct LabelSample {
  Lens lens;
  std::uint64_t judged = 0;      // pairs to draw from
  bool stale = false;            // the run or its dataset changed since
  std::vector<LabelItem> items;  // in an order that tells nothing
};

// Every judged claim of a run that was linked and that the attacker did not know, in no order.
std::vector<LabelItem> judged_items(storage::Db& db, const Lens& lens, RunId run);

// The sample of them; what follows says how. In an order that tells nothing.
std::vector<LabelItem> draw_items(std::vector<LabelItem> judged, std::size_t sample, std::uint64_t seed);

// A third of the sample from each rating, as far as there are so many; what one lacks the others give. At most one
// claim of a record and rating before every record had its turn. A draw depends on the seed and each claim's name
// alone. Throws Error{not found} if the run was not evaluated so.
LabelSample draw_labels(storage::Store& store, const LabelOptions& options);

}  // namespace residue::query
