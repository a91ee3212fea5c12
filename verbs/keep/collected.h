// What a collection of garbage (Store::collect_garbage) could not do.
#pragma once

#include <string>

#include "storage/store.h"

namespace residue::verbs {

// Throws Error{try again} where bytes of removed texts may be left; `again`: the command to repeat then.
void require_collected(const storage::Store::GcResult& gone, const std::string& again);

}  // namespace residue::verbs
