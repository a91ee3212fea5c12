// MAUVE: how near two collections of texts are to each other as distributions, by the vectors of their texts.
//
//   vectors ─> unit length ─> principal components ─> k-means ─> two histograms ─> divergence curve ─> area under it
//
// Pillutla et al., MAUVE (NeurIPS 2021), sections 2 and 3; settings: FSP D.4. 1: the same
// distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::numbers {

inline constexpr double kMauveScaling = 5;  // c

// A point of the curve: exp(-c KL(q|r)) and exp(-c KL(p|r)) for a mixture r of the two.
struct CurvePoint {
  double x = 0, y = 0;
};

// 25 mixtures with weights from 1e-6 up to 1 - 1e-6 of p, between the extremes (1, 0) and (0, 1). `p`, `q`: shares of
// the same buckets, each summing up to 1.
std::vector<CurvePoint> divergence_curve(std::span<const double> p, std::span<const double> q, double scaling);

// The area under that curve: trapezoids over the mixtures, mean of both readings of the axes; up to 1 but for rounding.
double mauve_of_histograms(std::span<const double> p, std::span<const double> q, double scaling = kMauveScaling);

struct MauveOptions {
  std::size_t buckets = 0;  // 0: default_buckets(the smaller side's number of texts)
  double explained = 0.9;   // share of the variance that the principal components keep
  std::size_t restarts = 5;
  std::size_t iterations = 500;
  double scaling = kMauveScaling;
  std::uint64_t seed = 42;
};

// max(2, n/10), rounded half to even.
std::size_t default_buckets(std::size_t n);

// The shares of p's and of q's vectors in the buckets that are found in both together.
struct Histograms {
  std::vector<double> p, q;
};
Histograms quantize(std::span<const double> p, std::span<const double> q, std::size_t dimension,
                    const MauveOptions& options);

// MAUVE of vectors, one after the other, `dimension` finite values each; neither side empty. Vectors of zeros stay so.
// Equal collections give 1. Neither threads nor instruction sets change a bit of the histograms. Room: 8 bytes for each
// pair of a vector and a bucket.
double mauve(std::span<const double> p, std::span<const double> q, std::size_t dimension,
             const MauveOptions& options = {});

}  // namespace residue::numbers
