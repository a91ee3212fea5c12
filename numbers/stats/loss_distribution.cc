#include "numbers/stats/loss_distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace residue::numbers {
namespace {

// ln 2 as the sum of two numbers, the first with zeros at its end: its multiples are exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
constexpr double kUnderflow = 745;
constexpr double kCutBehind = 1e-12;

// What a loss `above` a point of the grid, of steps `step`, gives to the next point.
double share_of_next(double above, double step) { return one_minus_exp_minus(above) / one_minus_exp_minus(step); }

}  // namespace

double exp_minus(double x) {
  if (x > kUnderflow) return 0;
  const double whole = std::floor(x / kLn2High + 0.5);
  const double rest = x - whole * kLn2High - whole * kLn2Low;  // in [-0.35, 0.35]
  double sum = 1;
  for (int k = 17; k >= 1; --k) sum = 1 - rest / k * sum;
  return std::ldexp(sum, -static_cast<int>(whole));
}

double one_minus_exp_minus(double x) {
  if (x > 0.3) return 1 - exp_minus(x);
  double sum = 1;
  for (int k = 17; k >= 2; --k) sum = 1 - x / k * sum;
  return x * sum;
}

double natural_log(double x) {
  int exponent = 0;
  double part = std::frexp(x, &exponent);  // in [0.5, 1)
  if (part < 0.70710678118654752) {
    part *= 2;
    --exponent;
  }
  const double z = (part - 1) / (part + 1);  // at most 0.172
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * z * z + 1.0 / k;
  return exponent * kLn2High + (exponent * kLn2Low + 2 * z * sum);
}

double LossDistribution::loss(std::size_t i) const {
  return std::ldexp(static_cast<double>(first_ + static_cast<std::int64_t>(i)), exponent_);
}

// The loss at x is (shift^2 - 2 x shift) / (2 sigma^2). Beyond `reach` lies at most exp(-reach^2 / (2 sigma^2)) on
// either side (Canonne, Kamath and Steinke); what is behind is spread over the rest by dividing by the sum.
LossDistribution LossDistribution::of_noise(const Variance& variance, std::uint64_t shift, double cut,
                                            std::size_t points) {
  const double twice = 2 * variance.value();
  const auto reach = static_cast<std::int64_t>(std::ceil(std::sqrt(-twice * natural_log(cut))));
  std::vector<double> weight;  // of x = 0, 1, ... reach
  for (std::int64_t x = 0; x <= reach; ++x) {
    weight.push_back(exp_minus(static_cast<double>(x) * static_cast<double>(x) / twice));
  }
  double sum = 0;
  for (std::size_t x = weight.size(); x-- > 1;) sum += 2 * weight[x];
  sum += weight[0];
  const auto moved = static_cast<double>(shift);
  const auto loss_at = [&](std::int64_t x) { return moved * (moved - 2 * static_cast<double>(x)) / twice; };
  LossDistribution out(points);
  static_cast<void>(std::frexp((loss_at(-reach) - loss_at(reach)) / static_cast<double>(points), &out.exponent_));
  const double step = std::ldexp(1.0, out.exponent_);
  out.first_ = static_cast<std::int64_t>(std::floor(loss_at(reach) / step));
  const auto last = static_cast<std::int64_t>(std::floor(loss_at(-reach) / step)) + 1;
  out.probability_.assign(static_cast<std::size_t>(last - out.first_ + 1), 0);
  for (std::int64_t x = reach; x >= -reach; --x) {
    const double at = std::floor(loss_at(x) / step);
    const double p = weight[static_cast<std::size_t>(std::abs(x))] / sum;
    const double next = p * share_of_next(std::max(loss_at(x) - at * step, 0.0), step);
    const auto i = static_cast<std::size_t>(static_cast<std::int64_t>(at) - out.first_);
    out.probability_[i] += p - next;
    out.probability_[i + 1] += next;
  }
  out.infinite_ = cut;
  return out;
}

LossDistribution LossDistribution::of_guarantee(double epsilon, double delta, std::size_t points) {
  LossDistribution out(points);
  if (epsilon == 0) {
    out.probability_ = {1 - delta};
    out.infinite_ = delta;
    return out;
  }
  static_cast<void>(std::frexp(2 * epsilon / static_cast<double>(points), &out.exponent_));
  // Up to a point of the grid: that is never less.
  const auto last = static_cast<std::int64_t>(std::ceil(std::ldexp(epsilon, -out.exponent_)));
  out.first_ = -last;
  out.probability_.assign(static_cast<std::size_t>(2 * last + 1), 0);
  const double small = exp_minus(std::ldexp(static_cast<double>(last), out.exponent_));
  out.probability_.front() = (1 - delta) * small / (1 + small);
  out.probability_.back() = (1 - delta) / (1 + small);
  out.infinite_ = delta;
  return out;
}

void LossDistribution::coarsen(int exponent) {
  if (exponent <= exponent_) return;
  const int bits = std::min(exponent - exponent_, 62);
  const std::int64_t group = std::int64_t{1} << bits;
  const double step = std::ldexp(1.0, exponent), fine = std::ldexp(1.0, exponent_);
  const auto below = [&](std::int64_t i) { return i >> bits; };
  const std::int64_t last = first_ + static_cast<std::int64_t>(probability_.size()) - 1;
  std::vector<double> coarse(static_cast<std::size_t>(below(last) + 1 - below(first_) + 1), 0);
  for (std::size_t i = 0; i < probability_.size(); ++i) {
    const std::int64_t at = first_ + static_cast<std::int64_t>(i);
    const auto above = static_cast<double>(at & (group - 1));
    const double next = probability_[i] * share_of_next(above * fine, step);
    const auto to = static_cast<std::size_t>(below(at) - below(first_));
    coarse[to] += probability_[i] - next;
    coarse[to + 1] += next;
  }
  first_ = below(first_);
  probability_ = std::move(coarse);
  exponent_ = exponent;
}

void LossDistribution::trim(double cut, double cut_behind) {
  std::size_t end = probability_.size(), begin = 0;
  double gone = 0;
  while (end > 1 && gone + probability_[end - 1] <= cut) gone += probability_[--end];
  infinite_ += gone;
  double moved = 0;
  while (begin + 1 < end && moved + probability_[begin] <= cut_behind) moved += probability_[begin++];
  probability_.erase(probability_.begin() + static_cast<std::ptrdiff_t>(end), probability_.end());
  probability_.erase(probability_.begin(), probability_.begin() + static_cast<std::ptrdiff_t>(begin));
  probability_.front() += moved;
  first_ += static_cast<std::int64_t>(begin);
  int coarser = exponent_;
  for (std::size_t size = probability_.size(); size > points_; size = size / 2 + 2) ++coarser;
  coarsen(coarser);
}

LossDistribution LossDistribution::product(const LossDistribution& other, double cut, double cut_behind) const {
  LossDistribution a = *this, b = other;
  a.coarsen(b.exponent_);
  b.coarsen(a.exponent_);
  LossDistribution out(points_);
  out.exponent_ = a.exponent_;
  out.first_ = a.first_ + b.first_;
  out.infinite_ = a.infinite_ + b.infinite_;
  out.probability_.assign(a.probability_.size() + b.probability_.size() - 1, 0);
  for (std::size_t i = 0; i < a.probability_.size(); ++i) {
    const double p = a.probability_[i];
    if (p == 0) continue;
    double* to = out.probability_.data() + i;
    for (std::size_t j = 0; j < b.probability_.size(); ++j) to[j] += p * b.probability_[j];
  }
  out.trim(cut, cut_behind);
  return out;
}

LossDistribution LossDistribution::with(const LossDistribution& other, double cut) const {
  return product(other, cut, kCutBehind);
}

// By squares. What a square of m copies loses is lost times / m times.
LossDistribution LossDistribution::times(std::uint64_t times, double cut) const {
  const double products = 2.0 * static_cast<double>(std::bit_width(times));
  std::optional<LossDistribution> out;
  LossDistribution power = *this;
  for (std::uint64_t copies = 1; copies <= times; copies *= 2) {
    const double part = static_cast<double>(copies) / static_cast<double>(times) / products;
    if ((times & copies) != 0) out = out ? out->product(power, cut * part, kCutBehind * part) : power;
    if (copies <= times / 2) power = power.product(power, cut * part, kCutBehind * part);
  }
  return *out;
}

double LossDistribution::delta(double epsilon) const {
  double sum = 0;
  for (std::size_t i = probability_.size(); i-- > 0 && loss(i) > epsilon;) {
    sum += probability_[i] * one_minus_exp_minus(loss(i) - epsilon);
  }
  return infinite_ + sum;
}

// From the greatest loss downwards: delta at a point follows from that at the point above it. Between two points it is
// solved for the distance from the upper one.
double LossDistribution::epsilon(double delta) const {
  const double wanted = delta - infinite_;
  if (!(wanted >= 0)) return std::numeric_limits<double>::infinity();
  const double step = std::ldexp(1.0, exponent_);
  double above = 0, at_point = 0;  // probability of losses from the point on; delta at the point
  for (std::size_t i = probability_.size(); i-- > 0;) {
    above += probability_[i];
    if (loss(i) <= 0) return 0;
    const double most = i == 0 ? loss(i) : std::min(step, loss(i));
    const auto at = [&](double down) { return above * one_minus_exp_minus(down) + exp_minus(down) * at_point; };
    if (at(most) > wanted) {
      double low = 0, high = most;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = low + (high - low) / 2;
        (at(middle) > wanted ? high : low) = middle;
      }
      return loss(i) - low;
    }
    at_point = at(most);
  }
  return 0;
}

}  // namespace residue::numbers
