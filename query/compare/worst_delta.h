// What changed for those who are hit hardest: the mean of the worst share of records, on both sides.
#pragma once

#include <cstdint>
#include <span>

#include "query/compare/paired.h"

namespace residue::query {

// A record on both sides, in units of 2^-32, low = bad.
struct PairedRecord {
  std::uint64_t unit = 0;  // resampling unit; several records may have it
  std::int64_t a = 0, b = 0;
};

// The means of each side's worst 1 / `parts` of the records (the last one in part), their difference,
// and its 95 % interval from the paired bootstrap: in a replicate each side has its own worst records, of the same
// weights, and a phantom who is as private as can be on one side and as exposed on the other. There is no test:
// exchanging sides says nothing about who is worst. Memory: 2 KB a record.
PairedDelta worst_delta(std::span<const PairedRecord> records, std::int64_t parts);

}  // namespace residue::query
