#include "numbers/learn/logistic_regression.h"

#include <algorithm>
#include <cmath>

namespace residue::numbers {
namespace {

constexpr double kSmallGradient = 1e-3;  // of the first one

// e^x to a few units in the last place, for x in [-700, 0]: std::exp may differ between machines.
double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  const double power = std::nearbyint(x * kLog2E);
  const double rest = (x - power * kLn2High) - power * kLn2Low;  // in [-0.35, 0.35]
  double sum = 1;
  for (int n = 13; n > 0; --n) sum = 1 + sum * rest / n;
  return std::ldexp(sum, static_cast<int>(power));
}

double logistic(double x) {
  const double small = exponential(-std::min(std::abs(x), 700.0));
  return x < 0 ? small / (1 + small) : 1 / (1 + small);
}

double sum_of(const std::vector<double>& weights, const FeatureRow::Group& group) {
  double sum = 0;
  for (const std::uint32_t feature : group.features) sum += weights[feature];
  return sum * group.weight;
}

void add(const FeatureRow::Group& group, double amount, std::vector<double>& sums) {
  for (const std::uint32_t feature : group.features) sums[feature] += amount * group.weight;
}

// Of the mean loss with its penalty at `model`.
void gradient(std::span<const FeatureRow> rows, const std::vector<bool>& truth, const LinearModel& model,
              LinearModel& out) {
  std::fill(out.weights.begin(), out.weights.end(), 0.0);
  out.bias = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double off = logistic(model.score(rows[i])) - (truth[i] ? 1 : 0);
    add(rows[i].words, off, out.weights);
    add(rows[i].characters, off, out.weights);
    out.bias += off;
  }
  const auto n = static_cast<double>(rows.size());
  for (std::size_t j = 0; j < out.weights.size(); ++j) out.weights[j] = (out.weights[j] + model.weights[j]) / n;
  out.bias = (out.bias + model.bias) / n;
}

double square(const LinearModel& model) {
  double sum = model.bias * model.bias;
  for (const double weight : model.weights) sum += weight * weight;
  return sum;
}

}  // namespace

double LinearModel::score(const FeatureRow& row) const {
  return sum_of(weights, row.words) + sum_of(weights, row.characters) + bias;
}

LinearModel fit_logistic(std::span<const FeatureRow> rows, const std::vector<bool>& truth, std::size_t features,
                         std::size_t iterations) {
  LinearModel now{std::vector<double>(features, 0.0), 0};
  if (rows.empty()) return now;
  // A row has length 1 and a bias of 1, and the logistic function is at most 1/4 steep.
  const double step = 1 / (0.5 + 1 / static_cast<double>(rows.size()));
  LinearModel ahead = now, slope = now;
  double momentum = 1, first = 0;
  for (std::size_t n = 0; n < iterations; ++n) {
    gradient(rows, truth, ahead, slope);
    const double length = square(slope);
    if (n == 0) first = length;
    if (length <= kSmallGradient * kSmallGradient * first) break;
    // Where the slope at `ahead` points along the last move, that move went too far.
    double along = 0;
    const auto advance = [&](double& value, double& looked_from, double gradient_there, double carry) {
      const double next = looked_from - step * gradient_there;
      along += gradient_there * (next - value);
      looked_from = next + carry * (next - value);
      value = next;
    };
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const double carry = (momentum - 1) / next_momentum;
    for (std::size_t j = 0; j < features; ++j) advance(now.weights[j], ahead.weights[j], slope.weights[j], carry);
    advance(now.bias, ahead.bias, slope.bias, carry);
    momentum = next_momentum;
    if (along > 0) {
      ahead = now;
      momentum = 1;
    }
  }
  return now;
}

}  // namespace residue::numbers
