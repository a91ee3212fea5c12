// What the attack on a record gains over the absent attack: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/scores.h"

namespace residue::query {

// Of tier judge (METRICS.md section 9). `judged` and `linked` as for judge_scores(); `rest` are the ratings against the
// text that the absent attack found, unused where `rest_linked` is false: then all are 3. `left_out`: how many
// candidates it left out, the record's own among them. What is lost counts as leaked in the attack and as not leaked in
// the control.
std::vector<Contribution> absent_scores(const RecordCase& record, std::size_t judged, Ratings linked, bool rest_linked,
                                        Ratings rest, std::size_t left_out);

}  // namespace residue::query
