// What the attack on a record gains over the absent attack, and that one over its own absent attack: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/scores.h"

namespace residue::query {

// What an absent attack found. `ratings`: against that text; unused where nobody was found: then all are 3.
struct AbsentFound {
  bool linked = false;
  Ratings ratings = {};
};

// Of tier judge (METRICS.md section 9). `judged` and `linked` as for judge_scores(); `rest` is of the absent attack,
// `third` of that one's own. `left_out`: how many candidates the absent attack left out, the record's own among them.
// What is lost counts as leaked in the attack and as not leaked in the control.
//
// The chance value of a gain is that of `rest` over `third`: it flatters where it is too large, as the gain is less
// beside it. So what is lost of either counts as leaked by neither, and at the other extreme as leaked by `rest` alone.
std::vector<Contribution> absent_scores(const RecordCase& record, std::size_t judged, Ratings linked,
                                        const AbsentFound& rest, const AbsentFound& third, std::size_t left_out);

}  // namespace residue::query
