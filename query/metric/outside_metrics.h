// Metrics of tier outside: which of them are of an attacker.
#pragma once

#include "query/metric/metrics.h"

namespace residue::query {

// As needs_attack(Tier); of tier outside the metrics of an attack and its judge have such numbers, those of membership
// have none.
constexpr bool needs_attack(const MetricDefinition& metric) {
  return metric.tier == Tier::kOutside
             ? metric.id != MetricId::kMembershipAuc && metric.id != MetricId::kMembershipTpr01
             : needs_attack(metric.tier);
}

}  // namespace residue::query
