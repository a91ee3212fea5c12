// The residual risk of M. Giomi et al., "A Unified Framework for Quantifying Privacy Risk in Synthetic Data" (2023), as
// the library anonymeter computes it: what an attack finds of members of a release beyond what the same attack finds of
// people who were never in it. Pure.
#pragma once

#include <cstdint>

#include "numbers/stats/bootstrap.h"

namespace residue::query {

struct Successes {
  std::int64_t successes = 0, attacks = 0;  // attacks > 0
};

// A rate is the centre of Wilson's interval, 95 %, and its error half of that interval. The risk is (attack - control)
// / (1 - control), its error that of the two rates in quadrature; value and ends are cut to [0, 1].
struct ResidualRisk {
  double value = 0;
  numbers::Interval interval;
};
ResidualRisk residual_risk(const Successes& attack, const Successes& control);

}  // namespace residue::query
