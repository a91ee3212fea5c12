// One run as one judge rated it under one attacker: what is shown and sampled of it.
#pragma once

#include <optional>
#include <string_view>

#include "query/report/report.h"

namespace residue::query {

struct JudgedRun {
  RunId id;
  bool stale = false;  // what its numbers are of has changed since
};

// Throws Error{not found} if there is no such run or it was not evaluated, Error{usage} as require_one_release().
JudgedRun judged_run(storage::Db& db, const Lens& lens, std::string_view run);

// The evaluation that holds the run's scores of a tier; nothing where there is none, and for tiers of answers and
// others that a report may choose among.
std::optional<EvaluationId> evaluation_of(storage::Db& db, const Lens& lens, RunId run, Tier tier);

}  // namespace residue::query
