// The tight account of differential privacy: how likely each privacy loss is, and what many releases lose together.
//
//   noise, what one unit adds ──> losses on a grid ──(convolution)──> of all releases ──> epsilon for a delta, or back
//
// The loss of an outcome is ln(P / Q), of its probabilities with and without the unit. Releases that are made one after
// the other, each by what was released before, have the sum of their losses (D. Sommer, S. Meiser and E. Mohammadi,
// "Privacy loss classes", 2019). A loss between two points of the grid is split between them so that both P and Q keep
// their sums ("connect the dots": V. Doroshenko et al., 2022): whoever sees the point can draw the loss again, so the
// grid never shows less than the release. What is cut off in front becomes a loss without bound, what is cut off behind
// moves up. So every epsilon and delta here is an upper bound of the true one.
//
// Probabilities are only added and multiplied, never subtracted, and no function of the C library is called whose last
// digit depends on the machine: the same bytes everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers/stats/discrete_gaussian.h"

namespace residue::numbers {

// exp(-x) and 1 - exp(-x) for x >= 0, the logarithm of x > 0: relative error below 1e-13, the same on every machine.
double exp_minus(double x);
double one_minus_exp_minus(double x);
double natural_log(double x);

class LossDistribution {
 public:
  // A number that gets discrete Gaussian noise, and moves by `shift` with the unit. Both directions are alike. `cut` is
  // the probability that may become a loss without bound; the grid has `points` at most.
  static LossDistribution of_noise(const Variance& variance, std::uint64_t shift, double cut,
                                   std::size_t points = kPoints);

  // Whatever is (epsilon, delta)-differentially private: randomized response is the worst of these (P. Kairouz, S. Oh
  // and P. Viswanath, "The composition theorem for differential privacy", 2015).
  static LossDistribution of_guarantee(double epsilon, double delta, std::size_t points = kPoints);

  // Of both releases, of `times` such releases. Cost: `points`^2 for each product.
  [[nodiscard]] LossDistribution with(const LossDistribution& other, double cut) const;
  [[nodiscard]] LossDistribution times(std::uint64_t times, double cut) const;

  // The least delta for that epsilon >= 0; the least epsilon >= 0 for that delta, infinity where there is none.
  [[nodiscard]] double delta(double epsilon) const;
  [[nodiscard]] double epsilon(double delta) const;

 private:
  static constexpr std::size_t kPoints = 4096;

  explicit LossDistribution(std::size_t points) : points_(points) {}
  // The product gives up at most `cut` of its greatest losses, which become unbounded, and `cut_behind` of its least.
  [[nodiscard]] LossDistribution product(const LossDistribution& other, double cut, double cut_behind) const;
  void coarsen(int exponent);
  void trim(double cut, double cut_behind);
  [[nodiscard]] double loss(std::size_t i) const;

  std::size_t points_;
  int exponent_ = 0;        // losses are multiples of 2^exponent_
  std::int64_t first_ = 0;  // of probability_[0]
  std::vector<double> probability_;
  double infinite_ = 0;  // probability of a loss without bound
};

}  // namespace residue::numbers
