#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace residue {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) { return XXH64(bytes.data(), bytes.size(), seed); }

}  // namespace residue
