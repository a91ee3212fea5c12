// One run as one judge rated it under one attacker: what is shown and sampled of it.
#pragma once

#include <string_view>

#include "query/report/report.h"

namespace residue::query {

struct JudgedRun {
  RunId id;
  bool stale = false;  // what its numbers are of has changed since
};

// Throws Error{not found} if there is no such run or it was not evaluated, Error{usage} as require_one_release().
JudgedRun judged_run(storage::Db& db, const Lens& lens, std::string_view run);

}  // namespace residue::query
