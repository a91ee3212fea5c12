// The public views of `residue sql`, as SQL.
#pragma once

#include <string_view>

#include "base/embedded.h"

namespace residue::query {

// embedded_views(): CREATE TEMP VIEW statements, for a connection whose main database is a catalog.
RESIDUE_EMBEDDED(views)

}  // namespace residue::query
