// What a delta of differential privacy means that is large for so many persons or records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace residue::ingest {

// Of a promise to `units` persons or records, whichever `unit` says; nothing where delta is as small as is usual.
std::optional<std::string> large_delta_note(double delta, std::uint64_t units, std::string_view unit);

}  // namespace residue::ingest
