// What claims are about where nobody said: rules (text/categories.h) say it before claims are judged.
#pragma once

#include "base/ids.h"
#include "storage/store.h"

namespace residue::query {

// Gives the claims of a set that have no categories those that the rules find, unless files or a model speak for the
// set. The list is the one that claim_set.categorizer names, else the general one. Other rules than those that spoke
// before speak anew. Writes nothing where nothing is to be said: one look into an index.
void categorize(storage::Store& store, ClaimSetId set);

}  // namespace residue::query
