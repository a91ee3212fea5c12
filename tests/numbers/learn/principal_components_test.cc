#include "numbers/learn/principal_components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/hash.h"

namespace residue::numbers {
namespace {

std::vector<double> noise(std::size_t count, std::uint64_t seed) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(mix(mix(seed) + i) >> 11) * 0x1p-53);
  return values;
}

struct Spectrum {
  std::vector<double> values;                // descending
  std::vector<std::vector<double>> vectors;  // the same order
};

// Jacobi's rotations: the eigenvalues and vectors of a small symmetric matrix, by definition.
Spectrum jacobi(std::vector<std::vector<double>> a) {
  const std::size_t d = a.size();
  std::vector<std::vector<double>> v(d, std::vector<double>(d, 0.0));
  for (std::size_t i = 0; i < d; ++i) v[i][i] = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (std::size_t p = 0; p < d; ++p) {
      for (std::size_t q = p + 1; q < d; ++q) {
        if (std::abs(a[p][q]) < 1e-300) continue;
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < d; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < d; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < d; ++k) {
          const double x = v[k][p], y = v[k][q];
          v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
      }
    }
  }
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return a[x][x] > a[y][y]; });
  Spectrum found;
  for (const std::size_t i : order) {
    found.values.push_back(a[i][i]);
    found.vectors.emplace_back();
    for (std::size_t k = 0; k < d; ++k) found.vectors.back().push_back(v[k][i]);
  }
  return found;
}

// Coordinates up to their sign, by the definition: the covariances' eigenvectors.
void expect_components_of(const std::vector<double>& points, std::size_t d, double explained) {
  const std::size_t n = points.size() / d;
  std::vector<double> mean(d, 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) mean[i % d] += points[i] / static_cast<double>(n);
  std::vector<std::vector<double>> covariance(d, std::vector<double>(d, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) {
        covariance[a][b] += (points[i * d + a] - mean[a]) * (points[i * d + b] - mean[b]);
      }
    }
  }
  const Spectrum expected = jacobi(covariance);
  const double whole = std::accumulate(expected.values.begin(), expected.values.end(), 0.0);
  std::size_t kept = 0;
  for (double sum = 0; kept < d && sum < explained * whole; ++kept) sum += expected.values[kept];

  const Projection found = principal_components(points, d, explained);
  ASSERT_EQ(found.dimension, kept);
  ASSERT_EQ(found.points.size(), n * kept);
  for (std::size_t c = 0; c < kept; ++c) {
    double sign = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double coordinate = 0;
      for (std::size_t a = 0; a < d; ++a) coordinate += (points[i * d + a] - mean[a]) * expected.vectors[c][a];
      const double value = found.points[i * kept + c];
      if (sign == 0 && std::abs(value) > 1e-6) sign = value * coordinate > 0 ? 1 : -1;
      EXPECT_NEAR(value, sign * coordinate, 1e-9) << "point " << i << ", component " << c;
    }
  }
}

TEST(PrincipalComponents, AreTheEigenvectorsOfTheCovariances) {
  expect_components_of(noise(40, 1), 4, 0.9);  // ten points of four coordinates
  expect_components_of(noise(40, 2), 4, 0.5);
  expect_components_of(noise(24, 3), 8, 0.9);  // fewer points than coordinates
  expect_components_of(noise(24, 4), 8, 0.99);
}

// Variances 8 and 2 along the axes: 80 % and 20 % of the whole.
TEST(PrincipalComponents, AreAsFewAsExplainTheShare) {
  const std::vector<double> points = {2, 0, -2, 0, 0, 1, 0, -1};
  EXPECT_EQ(principal_components(points, 2, 0.79).dimension, 1U);
  EXPECT_EQ(principal_components(points, 2, 0.81).dimension, 2U);
  const Projection one = principal_components(points, 2, 0.5);
  EXPECT_NEAR(std::abs(one.points[0]), 2, 1e-12);
  EXPECT_NEAR(one.points[0] + one.points[1], 0, 1e-12);
  EXPECT_NEAR(one.points[2], 0, 1e-12);
}

TEST(PrincipalComponents, OfEqualPointsIsOneCoordinateOfZeros) {
  const Projection found = principal_components(std::vector<double>{3, 4, 3, 4, 3, 4}, 2, 0.9);
  EXPECT_EQ(found.dimension, 1U);
  for (const double value : found.points) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace residue::numbers
