// What the catalog keeps of scores, as both halves of ScoreStore read it.
#pragma once

#include "query/aggregate.h"
#include "query/contribution.h"
#include "storage/sqlite.h"

namespace residue::query {

// Columns from `column` on: metric, slice, state, num, den, best, name of the cut.
inline Contribution read_contribution(const storage::Statement& row, int column) {
  Contribution c;
  c.metric = static_cast<MetricId>(row.integer(column));
  c.slice = static_cast<Outcome>(row.integer(column + 1));
  c.state = static_cast<State>(row.integer(column + 2));
  c.num = row.integer(column + 3);
  c.den = row.integer(column + 4);
  c.best = row.integer(column + 5);
  c.cut = std::string(row.text(column + 6));
  return c;
}

// Whether a part is the same as if there had never been one.
inline bool no_records(const Aggregate& aggregate) {
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const Sums& sums = aggregate.sums(static_cast<Outcome>(i));
    if (sums.n + sums.failed + sums.missing + sums.not_applicable != 0) return false;
  }
  return true;
}

}  // namespace residue::query
