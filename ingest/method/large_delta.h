// A warning about a delta of differential privacy that is large.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace residue::ingest {

// What `delta` means for that many persons or records (`unit` says which). Nothing if it is as small as is usual.
std::optional<std::string> large_delta_note(double delta, std::uint64_t units, std::string_view unit);

}  // namespace residue::ingest
