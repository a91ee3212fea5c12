// The worst leaks of a run, without reading the others: how many each record has is known from its scores.
//
//   scores of tier judge ──> leaks of each record ──> the records with most ──> their leaks
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/report/leaks.h"

namespace residue::query {

struct WorstLeaks {
  std::uint64_t total = 0;    // of the run
  std::uint64_t records = 0;  // with a leak
  std::vector<Leak> leaks;    // the first of all of them, in the order of Leaks::leaks
};

// The same as reading all leaks and keeping the first `limit`. The evaluation is up to date. Nothing where its scores
// do not tell the leaks of nearly all records, or are not those of the rows, or where many leaks are asked for: then
// all are to be read. Cost: a row of scores for each record, and the leaks of the records shown.
std::optional<WorstLeaks> worst_leaks(storage::Db& db, RunId run, const Lens& lens, std::size_t limit);

}  // namespace residue::query
