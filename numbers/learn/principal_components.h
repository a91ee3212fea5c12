// Principal components: points in fewer coordinates, those along which they vary most.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace residue::numbers {

struct Projection {
  std::vector<double> points;  // one after the other, `dimension` values each
  std::size_t dimension = 0;   // coordinates in the order of their variance, the largest first
};

// The points about their mean, on the fewest components whose variances make up at least `explained` of the whole, but
// one at least. The sign of a coordinate is free. `points`: `dimension` finite values each, not empty. By Eigen's
// symmetric eigensolver, of the covariances or of the inner products, whichever are fewer. Cost: n d min(n, d) and
// min(n, d)^3: about 0.3 s for 4,000 points of 384 coordinates.
Projection principal_components(std::span<const double> points, std::size_t dimension, double explained);

}  // namespace residue::numbers
