// What people are shown is of the level claims; of the run `none` of the level originals.
#pragma once

#include "query/inputs/snapshot.h"
#include "query/sql/levels/readable.h"

namespace residue::verbs {

// Throws Error{usage} where `level` does not read it, Error{not found} as query::unreadable_run().
void require_level(query::ReadLevel level, query::RunKind run);

}  // namespace residue::verbs
