// Draws by a seed, for tests that want the same replacements every time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ingest/method/draws.h"

namespace residue::ingest {

inline std::shared_ptr<const DrawSource> seeded_draws(std::uint64_t seed, std::string_view purpose = "surrogates",
                                                      Consistency consistency = Consistency::kRecord) {
  SanitizerSetting setting;
  setting.seed = seed;
  setting.seeded = true;
  return std::make_shared<const DrawSource>(setting, purpose, consistency);
}

}  // namespace residue::ingest
