// The catalog's schema and its identity.
#pragma once

#include <string>
#include <string_view>

#include "base/embedded.h"

namespace residue::storage {

RESIDUE_EMBEDDED(schema)

// What the schema says from the words `first` to the words `last`, as statements.
std::string of_schema(std::string_view first, std::string_view last);

inline constexpr int kApplicationId = 0x52736475;  // "Rsdu"

}  // namespace residue::storage
