// How far work is, told to whoever started it. A caller that shows nothing leaves these functions empty.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace residue {

// `done` of `total`, in whatever the work counts: bytes, records, pairs; no total where nobody knows it. It may throw,
// to stop the work.
using ProgressFunction = std::function<void(std::uint64_t done, std::optional<std::uint64_t> total)>;

// The same of several things one after another; `what` is being done.
using NamedProgressFunction =
    std::function<void(const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total)>;

}  // namespace residue
