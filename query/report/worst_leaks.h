// The worst leaks of a run, without reading the others: how many each record has is known from its scores.
//
//   scores of tier judge ──> leaks of each record ──> the records with most ──> their leaks
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/report/leaks.h"

namespace residue::query {

struct WorstLeaks {
  std::uint64_t total = 0;    // of the run and the category
  std::uint64_t records = 0;  // with a leak, whatever it is about
  std::vector<Leak> leaks;    // the first of all of them, in the order of Leaks::leaks
};

// The same as reading all leaks and keeping the first `limit`, of one category where one is named. The evaluation is up
// to date. Nothing where its scores do not tell the leaks of nearly all records, or are not those of the rows, where
// many leaks are asked for, or where no score is of the category: then all are to be read. Cost: a row of scores for
// each record, and the leaks of the records shown; with a category also those of records that show none of the rating.
std::optional<WorstLeaks> worst_leaks(storage::Db& db, RunId run, const Lens& lens, std::size_t limit,
                                      std::string_view category = {});

}  // namespace residue::query
