// Places of records as they are stored (schema.sql, link_place).
#pragma once

#include <vector>

#include "base/ids.h"
#include "query/inputs/snapshot.h"
#include "query/place/place.h"
#include "storage/store.h"

namespace residue::query {

// By record of the view.
std::vector<LinkPlace> load_places(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol);

// Writes the rows that differ; if there are any, tier link of the attack is not up to date until scored. None: there
// are none any more. The caller holds Store::lock_run().
void store_places(storage::Store& store, const DatasetView& dataset, RunId run, ProtocolId protocol,
                  const std::vector<LinkPlace>& places);

}  // namespace residue::query
