// k-means: Lloyd's iterations from k-means++ starts, with the bounds of Elkan that spare most distances.
//
//   points ── k-means++ ──> centres ── nearest centre, mean, nearest centre ... ──> partition     (restarts times)
//
// Arthur and Vassilvitskii, k-means++ (SODA 2007); Elkan, Using the triangle inequality to accelerate k-means (ICML
// 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::numbers {

struct KMeansOptions {
  std::size_t clusters = 2;
  std::size_t restarts = 5;
  std::size_t iterations = 500;  // at most, of each start; an iteration that moves no point is the last
  std::uint64_t seed = 42;
};

struct Partition {
  std::vector<std::uint32_t> cluster;  // by point, below `clusters`; some clusters may be empty
  double objective = 0;                // sum of the points' squared distances to their centres
};

// The partition of least objective (of equals the first start's). A point goes to its nearest centre, of equally near
// ones to the first; a centre that loses all points stays where it is. Equal points share a cluster. Where fewer points
// than `clusters` differ, fewer clusters are used. `points`: one after the other, `dimension` values each, finite, not
// empty. The result does not depend on the number of threads. Room: 8 bytes for each pair of a point and a cluster.
Partition kmeans(std::span<const double> points, std::size_t dimension, const KMeansOptions& options);

}  // namespace residue::numbers
