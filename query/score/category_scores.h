// leak_by_category: which kinds of facts leak. FSP D.2, Table 7, Figure 3.
#pragma once

#include <span>
#include <vector>

#include "query/inputs/snapshot.h"
#include "query/metric/contribution.h"
#include "query/score/scores.h"
#include "text/support/categories.h"

namespace residue::query {

// The parts of leak_by_category that no category names.
using text::kNoCategory;
using text::kNotCategorized;

// `about[i]`: of the claim that linked[i] rates (`linked` is unused where nothing is linked). A claim counts in each of
// its categories. One contribution for each category of the judged claims, in the state of leak_rate; none for records
// that leak_rate has no claims of.
std::vector<Contribution> category_scores(const RecordCase& record,
                                          std::span<const CategoryAnswers::Answer* const> about, Ratings linked);

}  // namespace residue::query
