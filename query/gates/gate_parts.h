// Which named parts a metric can have in a dataset, so that a gate over a mistyped one is not taken for one that holds.
#pragma once

#include <set>
#include <string>

#include "query/metric/metrics.h"
#include "storage/store.h"

namespace residue::query {

// Parts that any evaluation of the dataset has, that its claims or labels name, and those with fixed names. Empty where
// nothing is known: no such number was computed, and nobody named any.
// Cost: reading the dataset's labels.
std::set<std::string> known_parts(storage::Store& store, DatasetId dataset, MetricId metric);

}  // namespace residue::query
