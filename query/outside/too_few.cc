#include "query/outside/too_few.h"

#include <fmt/format.h>

#include "query/outside/two_samples.h"

namespace residue::query {

std::string too_few(std::size_t members, std::size_t controls) {
  if (members >= kLeastOutside && controls >= kLeastOutside) return {};
  return fmt::format("too few persons: {} in the release and {} controls; {} of each are needed", members, controls,
                     kLeastOutside);
}

}  // namespace residue::query
