#include "numbers/learn/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "base/parallel_ranges.h"
#include "numbers/learn/squared_distance.h"

namespace residue::numbers {
namespace {

constexpr std::size_t kGrain = 64;  // points
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One start. Bounds are of distances, not of their squares; what is compared in the end are squares as
// squared_distance() gives them, so that bounds decide nothing but what need not be looked at.
class Start {
 public:
  Start(std::span<const double> points, std::size_t dimension, const KMeansOptions& options, std::uint64_t seed)
      : points_(points), dimension_(dimension), count_(points.size() / dimension), options_(options), seed_(seed) {
    double widest = 0;
    for (std::size_t i = 0; i < count_; ++i) widest = std::max(widest, squared(point(i), point(0)));
    // More than rounding can add up to in all iterations.
    slack_ = 1e-9 * std::sqrt(widest);
  }

  Partition run() {
    choose_centres();
    const std::size_t k = centres_.size() / dimension_;
    cluster_.assign(count_, 0);
    nearest_.assign(count_, kInfinity);
    lower_.assign(count_ * k, 0.0);
    moved_.assign(k, 0.0);
    measure_centres(k);
    assign(k);
    for (std::size_t iteration = 0; iteration < options_.iterations; ++iteration) {
      move_centres(k);
      measure_centres(k);
      if (!assign(k)) break;
    }
    Partition result{std::move(cluster_), 0};
    for (std::size_t i = 0; i < count_; ++i) result.objective += squared(point(i), centre(result.cluster[i]));
    return result;
  }

 private:
  [[nodiscard]] const double* point(std::size_t i) const { return points_.data() + i * dimension_; }
  [[nodiscard]] const double* centre(std::size_t c) const { return centres_.data() + c * dimension_; }
  [[nodiscard]] double squared(const double* a, const double* b) const {
    return squared_distance(a, b, dimension_, kInfinity);
  }

  // Points as centres, each drawn in proportion to its squared distance to those before it.
  void choose_centres() {
    const auto draw = [&](std::uint64_t n) { return unit_draw(mix(seed_ ^ mix(n))); };
    std::vector<double> distance(count_, kInfinity);
    std::size_t chosen = std::min(count_ - 1, static_cast<std::size_t>(draw(0) * static_cast<double>(count_)));
    for (std::size_t n = 1;; ++n) {
      centres_.insert(centres_.end(), point(chosen), point(chosen) + dimension_);
      if (n == options_.clusters) return;
      parallel_ranges(count_, kGrain, [&](const TaskRange& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          distance[i] = std::min(distance[i], squared_distance(point(i), point(chosen), dimension_, distance[i]));
        }
      });
      double total = 0;
      for (const double one : distance) total += one;
      if (!(total > 0)) return;
      const double wanted = draw(n) * total;
      double sum = 0;
      for (std::size_t i = 0; i < count_; ++i) {
        if (distance[i] == 0) continue;
        chosen = i;  // also the last one of all, should rounding leave `sum` below `wanted`
        sum += distance[i];
        if (sum > wanted) break;
      }
    }
  }

  // How far apart centres are, and half of how far the next one is.
  void measure_centres(std::size_t k) {
    between_.assign(k * k, 0.0);
    half_.assign(k, kInfinity);
    parallel_ranges(k, 1, [&](const TaskRange& range) {
      for (std::size_t a = range.begin(); a < range.end(); ++a) {
        for (std::size_t b = 0; b < k; ++b) {
          if (a == b) continue;
          between_[a * k + b] = std::sqrt(squared(centre(a), centre(b)));
          half_[a] = std::min(half_[a], between_[a * k + b] / 2);
        }
      }
    });
  }

  // Every point to its nearest centre; whether one has changed its cluster.
  bool assign(std::size_t k) {
    std::vector<std::uint8_t> changed(count_, 0);
    parallel_ranges(count_, kGrain, [&](const TaskRange& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) changed[i] = assign_point(i, k) ? 1 : 0;
    });
    return std::find(changed.begin(), changed.end(), 1) != changed.end();
  }

  bool assign_point(std::size_t i, std::size_t k) {
    double* lower = lower_.data() + i * k;
    for (std::size_t c = 0; c < k; ++c) lower[c] = std::max(0.0, lower[c] - moved_[c]);
    const std::uint32_t before = cluster_[i];
    std::uint32_t best = before;
    if (nearest_[i] + moved_[best] + slack_ < half_[best]) {
      nearest_[i] += moved_[best];
      return false;
    }
    double best_squared = squared(point(i), centre(best));
    double nearest = std::sqrt(best_squared);
    lower[best] = nearest;
    for (std::uint32_t c = 0; c < k; ++c) {
      if (c == best || lower[c] > nearest + slack_ || between_[best * k + c] / 2 > nearest + slack_) continue;
      const double square = squared_distance(point(i), centre(c), dimension_, best_squared);
      lower[c] = std::sqrt(square);
      if (square < best_squared || (square == best_squared && c < best)) {
        best = c;
        best_squared = square;
        nearest = lower[c];
      }
    }
    cluster_[i] = best;
    nearest_[i] = nearest;
    return best != before;
  }

  // Every centre to the mean of its points, summed in their order.
  void move_centres(std::size_t k) {
    std::vector<double> means(k * dimension_, 0.0);
    std::vector<std::size_t> members(k, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      ++members[cluster_[i]];
      double* mean = means.data() + cluster_[i] * dimension_;
      for (std::size_t j = 0; j < dimension_; ++j) mean[j] += point(i)[j];
    }
    for (std::size_t c = 0; c < k; ++c) {
      double* mean = means.data() + c * dimension_;
      if (members[c] == 0) {
        std::copy_n(centre(c), dimension_, mean);
      } else {
        for (std::size_t j = 0; j < dimension_; ++j) mean[j] /= static_cast<double>(members[c]);
      }
      moved_[c] = std::sqrt(squared(centre(c), mean));
    }
    centres_ = std::move(means);
  }

  std::span<const double> points_;
  std::size_t dimension_, count_;
  const KMeansOptions& options_;
  std::uint64_t seed_;
  double slack_ = 0;
  std::vector<double> centres_;
  std::vector<std::uint32_t> cluster_;
  std::vector<double> nearest_;  // by point: at least the distance to its centre
  std::vector<double> lower_;    // by point and centre: at most the distance
  std::vector<double> moved_;    // by centre: how far, in the last iteration
  std::vector<double> between_, half_;
};

}  // namespace

Partition kmeans(std::span<const double> points, std::size_t dimension, const KMeansOptions& options) {
  Partition best;
  for (std::size_t n = 0; n < options.restarts; ++n) {
    Partition one = Start(points, dimension, options, mix(options.seed + n)).run();
    if (n == 0 || one.objective < best.objective) best = std::move(one);
  }
  return best;
}

}  // namespace residue::numbers
