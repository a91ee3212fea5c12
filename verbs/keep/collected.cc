#include "verbs/keep/collected.h"

#include <fmt/format.h>

#include "base/error.h"

namespace residue::verbs {

void require_collected(const storage::Store::GcResult& gone, const std::string& again) {
  if (gone.lacking_bytes > 0) {
    throw Error(Code::kTryAgain,
                "the garbage is removed, but the disk is too full to give its space back: freed pages still hold it",
                fmt::format("new texts will use that space; to return it to the disk, free {} MiB and repeat {}",
                            (gone.lacking_bytes >> 20U) + 1, again));
  }
  if (gone.left.empty()) return;
  std::string left;
  for (const std::string& what : gone.left) left += (left.empty() ? "" : "; ") + what;
  throw Error(Code::kTryAgain, fmt::format("bytes of removed texts may be left in {}", left),
              fmt::format("when nothing else runs, repeat {}", again));
}

}  // namespace residue::verbs
