// What the band of a cascade would cost and spare on labelled pairs: which share of them is asked about, and how far
// people confirm the ratings that stand without asking.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/agree/calibration.h"
#include "query/judge/cascade_judge.h"

namespace residue::query {

// Those that docs/judges.md shows, from asking about nothing to asking about nearly all.
inline constexpr Band kBands[] = {{0.5, 0.5}, {0.4, 0.6},  {0.3, 0.7},   {0.2, 0.8},
                                  {0.1, 0.9}, {0.1, 0.95}, {0.05, 0.95}, {0.02, 0.98}};

struct BandAgreement {
  Band band;
  std::uint64_t pairs = 0;     // that the first judge rated
  std::uint64_t asked = 0;     // ... with a score in the band
  numbers::Confusion below{};  // of those under it: [label - 1][rating - 1]
  numbers::Confusion above{};

  // Of those outside the share rated as people did, and the share where one side says 1 and the other 3; nothing where
  // all were asked about. Intervals resample records.
  std::optional<double> right, reversed;
  std::optional<numbers::Interval> right_interval;
};

// `ratings` of `pairs`, in their order: of the judge that comes first in the cascade, best out of fold.
BandAgreement band_agreement(const std::vector<LabelledPair>& pairs, const std::vector<std::optional<Rating>>& ratings,
                             Band band);

}  // namespace residue::query
