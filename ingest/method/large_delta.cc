#include "ingest/method/large_delta.h"

#include <fmt/format.h>

namespace residue::ingest {
namespace {

constexpr double kUsual = 0.1;  // of 1/n, that a delta has at most

}  // namespace

std::optional<std::string> large_delta_note(double delta, std::uint64_t units, std::string_view unit) {
  const double hit = delta * static_cast<double>(units);
  if (hit >= 1) {
    return fmt::format("delta {:g} is 1/n or more of {} {}s: publishing one of them whole would keep this promise",
                       delta, units, unit);
  }
  if (hit <= kUsual) return std::nullopt;
  return fmt::format("delta {:g} of {} {}s is large: a tenth of 1/n, {:.1e}, is the most that is usual", delta, units,
                     unit, kUsual / static_cast<double>(units));
}

}  // namespace residue::ingest
