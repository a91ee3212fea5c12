// Canaries: words that nothing else says, and a search for them in every byte of a store, compressed or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace residue::query::testing {

// The word of this number: letters and digits that no analyzer changes.
std::string canary(std::uint64_t number);

// What frames may need to be read, as a thief would have it: whatever there ever was.
struct Keys {
  std::set<std::string> dictionaries;
  std::set<std::string> originals;
};

// Where a canary was found: "facts/data.mdb", or "facts/data.mdb, compressed".
using Found = std::map<std::string, std::set<std::string>>;

// All canaries in the bytes of all files below `place` (or of the file): as they are, and in whatever decompresses at
// any offset: zstd with and without its magic bytes, plainly, with every dictionary, against every original.
Found seek_canaries(const std::filesystem::path& place, const Keys& keys);
Found seek_canaries_in(std::string_view bytes, const std::string& name, const Keys& keys);

}  // namespace residue::query::testing
