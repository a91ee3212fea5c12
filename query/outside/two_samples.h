// Numbers of two samples, of members of a release and of people who were never in it: values, and intervals that draw
// both samples again. Pure.
//
//   members, controls ── weights of the bootstrap, by person ──> sums in 1,000 replicates ── a phantom in each ──>
//   interval
//
// Each replicate gets one member more who is like nobody (numbers/stats/bootstrap.h): as safe as there can be for the
// low end of the interval, as leaky for the high end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numbers/stats/bootstrap.h"

namespace residue::query {

inline constexpr std::size_t kLeastOutside = 20;  // persons on each side: fewer say too little
inline constexpr std::size_t kLeastForTpr = 99;   // controls: 1 % of fewer is nobody

struct Estimate {
  double value = 0;
  numbers::Interval interval;
};

// One record by how alike it is to the release: equal numbers are ties, greater ones more alike.
struct Ranked {
  std::int64_t rank = 0;
  std::uint64_t unit = 0;  // person
};

// The probability that a member is more alike than a control; ties count half. Neither is empty. Exact in the value;
// the same for any order of either. Cost: some microseconds a record.
Estimate membership_auc(std::span<const Ranked> members, std::span<const Ranked> controls);

// The share of members who are more alike than the floor((n + 1) / 100)-th of the n controls, n >= kLeastForTpr. A
// replicate takes the same share of its controls, for the low end with one control more who is more alike than all.
Estimate membership_tpr_01(std::span<const Ranked> members, std::span<const Ranked> controls);

// One record of a rate: how many units (claims) it has, and how many of them leak.
struct Units {
  std::int64_t leaked = 0, all = 0;
  std::uint64_t unit = 0;  // person
};

// (attack - control) / (1 - control) of the pooled rates, unclipped. Nothing where the control leaks all that it has,
// or where one side has no unit. A replicate whose control leaks everything counts as 1 at the high end and as -1 at
// the low one.
std::optional<Estimate> unpaired_net(std::span<const Units> members, std::span<const Units> controls);

// The value alone.
std::optional<double> unpaired_net_value(std::span<const Units> members, std::span<const Units> controls);

// How many different persons there are.
std::size_t persons_in(std::span<const Ranked> records);
std::size_t persons_in(std::span<const Units> records);

}  // namespace residue::query
