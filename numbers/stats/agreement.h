// Agreement between judges, people, and the samples of one judge (FSP Table 5). Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numbers/stats/bootstrap.h"

namespace residue::numbers {

// counts[a - 1][b - 1]: pairs that the first rated a and the second b.
using Confusion = std::array<std::array<std::uint64_t, 3>, 3>;

// Spearman's rank correlation: average ranks for ties. Each pair counts `weights[i]` times, in units of
// any size (none given: once). Nothing
// where a side does not vary.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b,
                               std::span<const std::uint16_t> weights = {});

// The same of ratings that are only counted.
std::optional<double> spearman(const Confusion& confusion);

// Share of pairs rated the same. Nothing without pairs.
std::optional<double> observed_agreement(const Confusion& confusion);

// Cohen's kappa: unweighted, with distances, or with squared distances. Nothing where chance alone agrees fully.
std::optional<double> cohen_kappa(const Confusion& confusion);
std::optional<double> linear_kappa(const Confusion& confusion);
std::optional<double> quadratic_kappa(const Confusion& confusion);

// Fleiss' kappa of subjects that all have the same number of ratings: counts[subject][category].
std::optional<double> fleiss_kappa(std::span<const std::vector<std::uint32_t>> counts);

// 95 % percentile interval of a statistic over resampled units (without a phantom: a correlation has no
// least value of one pair): `units[i]` is the resampling unit of pair i, and the statistic gets each pair's weight.
// Replicates where it is undefined are left out.
std::optional<Interval> resampled_interval(
    std::span<const std::uint64_t> units,
    const std::function<std::optional<double>(std::span<const std::uint16_t>)>& statistic);

// 95 % interval of the share of pairs that hit (hits[i] is 0 or 1), `units` as above: never of width zero. Nothing
// without pairs.
std::optional<Interval> share_interval(std::span<const std::uint64_t> units, std::span<const std::uint8_t> hits);

}  // namespace residue::numbers
