#include "numbers/learn/mauve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numbers/learn/kmeans.h"
#include "numbers/learn/principal_components.h"

namespace residue::numbers {
namespace {

constexpr std::size_t kMixtures = 25;
constexpr double kLeastWeight = 1e-6;

// KL(p|r), where r is nowhere 0 unless p is.
double divergence(std::span<const double> p, std::span<const double> r) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0) sum += p[i] * std::log(p[i] / r[i]);
  }
  return sum;
}

// By trapezoids. The curve falls, so of points above each other the highest comes first.
double area(std::vector<CurvePoint> curve) {
  std::sort(curve.begin(), curve.end(),
            [](const CurvePoint& a, const CurvePoint& b) { return a.x != b.x ? a.x < b.x : a.y > b.y; });
  double sum = 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    sum += (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y) / 2;
  }
  return sum;
}

void append_normalized(std::span<const double> vectors, std::size_t dimension, std::vector<double>& out) {
  for (std::size_t begin = 0; begin < vectors.size(); begin += dimension) {
    const auto vector = vectors.subspan(begin, dimension);
    double square = 0;
    for (const double value : vector) square += value * value;
    const double norm = square > 0 ? std::sqrt(square) : 1;
    for (const double value : vector) out.push_back(value / norm);
  }
}

std::vector<double> shares(std::span<const std::uint32_t> buckets, std::size_t count) {
  std::vector<double> result(count, 0.0);
  for (const std::uint32_t bucket : buckets) ++result[bucket];
  for (double& share : result) share /= static_cast<double>(buckets.size());
  return result;
}

}  // namespace

std::vector<CurvePoint> divergence_curve(std::span<const double> p, std::span<const double> q, double scaling) {
  std::vector<CurvePoint> curve = {{1, 0}};
  std::vector<double> mixture(p.size());
  for (std::size_t m = 0; m < kMixtures; ++m) {
    // A last bit of 1 is much of 1e-6: which side's weight is what is left of 1 shows in small values.
    const double step = (1 - 2 * kLeastWeight) / (kMixtures - 1);
    const double weight = m + 1 == kMixtures ? 1 - kLeastWeight : kLeastWeight + static_cast<double>(m) * step;
    for (std::size_t i = 0; i < p.size(); ++i) mixture[i] = weight * p[i] + (1 - weight) * q[i];
    curve.push_back({std::exp(-scaling * divergence(q, mixture)), std::exp(-scaling * divergence(p, mixture))});
  }
  curve.push_back({0, 1});
  return curve;
}

double mauve_of_histograms(std::span<const double> p, std::span<const double> q, double scaling) {
  std::vector<CurvePoint> curve = divergence_curve(p, q, scaling);
  const double one = area(curve);
  for (CurvePoint& point : curve) std::swap(point.x, point.y);
  return (one + area(std::move(curve))) / 2;
}

std::size_t default_buckets(std::size_t n) {
  const std::size_t tens = n / 10, rest = n % 10;
  const bool up = rest > 5 || (rest == 5 && tens % 2 == 1);
  return std::max<std::size_t>(2, tens + (up ? 1 : 0));
}

Histograms quantize(std::span<const double> p, std::span<const double> q, std::size_t dimension,
                    const MauveOptions& options) {
  std::vector<double> points;
  points.reserve(p.size() + q.size());
  append_normalized(p, dimension, points);
  append_normalized(q, dimension, points);
  const Projection projection = principal_components(points, dimension, options.explained);
  const std::size_t buckets =
      options.buckets != 0 ? options.buckets : default_buckets(std::min(p.size(), q.size()) / dimension);
  const Partition partition =
      kmeans(projection.points, projection.dimension, {buckets, options.restarts, options.iterations, options.seed});
  const auto of_p = std::span(partition.cluster).first(p.size() / dimension);
  const auto of_q = std::span(partition.cluster).subspan(of_p.size());
  return {shares(of_p, buckets), shares(of_q, buckets)};
}

double mauve(std::span<const double> p, std::span<const double> q, std::size_t dimension, const MauveOptions& options) {
  const Histograms histograms = quantize(p, q, dimension, options);
  return mauve_of_histograms(histograms.p, histograms.q, options.scaling);
}

}  // namespace residue::numbers
