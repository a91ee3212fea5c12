// Metrics of where the records stand: made again from all places whenever a link was computed, because one text more
// moves every rank. Not of single records: nothing is kept of them but link_place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/metric/contribution.h"
#include "query/place/place.h"

namespace residue::query {

// What the metrics need to know of an attacked record.
struct PlacedRecord {
  State state = State::kNotApplicable;  // as query/score/scores.h, attacked_state() has it
  std::uint64_t unit = 0;
  LinkPlace place = {};
};

// anonymity_rank (the median; parts "least_tenth" and "chance") and rank_bits. `candidates`: of the attack.
// Failed and missing records count at rank 1, and at the last one in if_private. Cost: 4 us a record.
std::vector<MetricRow> rank_rows(std::span<const PlacedRecord> targets, std::size_t candidates, bool independent);

}  // namespace residue::query
