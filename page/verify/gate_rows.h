// Do the gates of a page say of themselves what their numbers, their limits and the request say?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "page/verify/page_rows.h"
#include "verbs/release/release.h"

namespace residue::page {

// In words: a result that its own number does not give, a number that the contributions give otherwise, a gate that was
// asked for and not held against a run, a row that nobody asked for. `believed` grows by the rows whose number has no
// contributions.
std::vector<std::string> contradictions(const verbs::Release& release, const verbs::ReleaseOptions& wanted,
                                        const ProvenValues& values, std::size_t& believed);

}  // namespace residue::page
