// When two values of metrics are the same: one answer for gates, comparisons and the frontier.
#pragma once

#include <cmath>
#include <cstdint>

#include "query/metric/contribution.h"

namespace residue::query {

// A fixed-point number of one record is at most one unit (2^-32) from the exact one: half a unit where it was rounded
// once, a whole one where it is the difference of two. So is a mean of them.
inline constexpr std::int64_t kRoundedBy = 1;

// Two values that differ by no more than their rounding, one unit each: 2^-31.
inline constexpr double kSameWithin = 2 * static_cast<double>(kRoundedBy) / static_cast<double>(kOne);

// Whether the values may be the same number: of any metric, in its own unit. Rates are exact to 2^-52, and two of
// them that are this near but differ have denominators of more than 46,000 units.
inline bool same_value(double a, double b) { return std::abs(a - b) <= kSameWithin; }

// a < b, certainly.
inline bool less_value(double a, double b) { return a < b && !same_value(a, b); }

// A difference of two values, or 0 where they may be the same.
inline double told_difference(double difference) { return same_value(difference, 0) ? 0 : difference; }

}  // namespace residue::query
