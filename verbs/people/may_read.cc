#include "verbs/people/may_read.h"

#include "base/error.h"

namespace residue::verbs {

void require_level(query::ReadLevel level, query::RunKind run) {
  if (level < query::ReadLevel::kClaims) {
    throw Error(Code::kUsage, "people are shown claims here, which this level does not read", "--claims reads them");
  }
  if (run == query::RunKind::kNone && level < query::ReadLevel::kOriginals) throw query::unreadable_run();
}

}  // namespace residue::verbs
