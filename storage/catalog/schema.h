// The catalog's schema and its identity.
#pragma once

#include <string_view>

#include "base/embedded.h"

namespace residue::storage {

RESIDUE_EMBEDDED(schema)

inline constexpr int kApplicationId = 0x52736475;  // "Rsdu"

}  // namespace residue::storage
