// Controls from outside: a dataset of people who were never in the release of another one (dataset.control_of). The two
// are each other's counterparts.
#pragma once

#include <string_view>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::ingest {

// Whether the dataset is a control of another one, or has one: whoever is added to it is compared with that one.
bool has_counterpart(storage::Db& db, std::string_view dataset);

// In a batch that has made or filled `control`: says that it is a control of the dataset called `of`. Says nothing anew
// where it is one already. A dataset has one control, and a control has none. Throws Error{not found} where there is no
// such dataset, Error{usage} where the two cannot be that.
void make_control(storage::WriteBatch& batch, DatasetId control, std::string_view name, std::string_view of);

// In a batch: throws Error{bad input} with the numbers where the dataset and its counterpart share a record: an id, an
// original (white space and letter case aside; empty ones are nobody's), or a person where both name them. Cost: a read
// of both datasets' texts; nothing where there is no counterpart.
void require_apart(storage::WriteBatch& batch, DatasetId dataset, std::string_view name);

}  // namespace residue::ingest
