#include "numbers/learn/ordinal.h"

#include <algorithm>
#include <cmath>

#include "numbers/learn/logistic.h"

namespace residue::numbers {
namespace {

using Vector = std::vector<double>;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The penalized negative log-likelihood of (slopes, first threshold, logarithm of the gap to the second).
class Objective {
 public:
  Objective(std::span<const double> rows, std::span<const std::uint8_t> grades, double ridge)
      : rows_(rows), grades_(grades), columns_(rows.size() / grades.size()), ridge_(ridge) {}

  [[nodiscard]] std::size_t size() const { return columns_ + 2; }

  // The value; its gradient into `gradient`.
  double operator()(const Vector& at, Vector& gradient) const {
    const std::span slopes(at.data(), columns_);
    const double gap = exponential(at[columns_ + 1]);
    double value = ridge_ / 2 * dot(slopes, slopes);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (std::size_t j = 0; j < columns_; ++j) gradient[j] = ridge_ * slopes[j];
    for (std::size_t i = 0; i < grades_.size(); ++i) {
      const auto row = rows_.subspan(i * columns_, columns_);
      const double above = dot(row, slopes) - at[columns_];
      const double p1 = logistic(above);
      const double p2 = logistic(above - gap);
      const double q1 = p1 * (1 - p1);
      const double q2 = p2 * (1 - p2);
      const double middle = std::max(p1 - p2, 1e-12);
      double by_score = 0;
      double by_gap = 0;
      switch (grades_[i]) {
        case 0:
          value -= std::log(std::max(1 - p1, 1e-12));
          by_score = -p1;
          break;
        case 1:
          value -= std::log(middle);
          by_score = (q1 - q2) / middle;
          by_gap = q2 / middle;
          break;
        default:
          value -= std::log(std::max(p2, 1e-12));
          by_score = 1 - p2;
          by_gap = -(1 - p2);
      }
      for (std::size_t j = 0; j < columns_; ++j) gradient[j] -= by_score * row[j];
      gradient[columns_] += by_score;
      gradient[columns_ + 1] -= by_gap * gap;
    }
    return value;
  }

 private:
  std::span<const double> rows_;
  std::span<const std::uint8_t> grades_;
  std::size_t columns_;
  double ridge_;
};

// Broyden, Fletcher, Goldfarb and Shanno with backtracking: a handful of parameters.
Vector minimize(const Objective& objective, Vector at) {
  constexpr int kSteps = 500;
  const std::size_t n = objective.size();
  Vector inverse(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  Vector gradient(n);
  double value = objective(at, gradient);
  Vector direction(n), next(n), next_gradient(n), change(n), bend(n), image(n);
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < n; ++i) direction[i] = -dot({&inverse[i * n], n}, gradient);
    const double slope = dot(direction, gradient);
    double length = 1;
    double next_value = value;
    for (; length > 1e-12; length /= 2) {
      for (std::size_t i = 0; i < n; ++i) next[i] = at[i] + length * direction[i];
      next_value = objective(next, next_gradient);
      if (next_value <= value + 1e-4 * length * slope) break;
    }
    if (length <= 1e-12) break;
    for (std::size_t i = 0; i < n; ++i) {
      change[i] = next[i] - at[i];
      bend[i] = next_gradient[i] - gradient[i];
    }
    const double curvature = dot(change, bend);
    if (curvature > 1e-14) {
      for (std::size_t i = 0; i < n; ++i) image[i] = dot({&inverse[i * n], n}, bend);
      const double scale = (1 + dot(bend, image) / curvature) / curvature;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          inverse[i * n + j] +=
              scale * change[i] * change[j] - (image[i] * change[j] + change[i] * image[j]) / curvature;
        }
      }
    }
    const bool settled = value - next_value < 1e-11 * (1 + std::abs(value));
    at = next;
    gradient = next_gradient;
    value = next_value;
    if (settled) break;
  }
  return at;
}

}  // namespace

OrdinalFit fit_ordinal(std::span<const double> rows, std::span<const std::uint8_t> grades, double ridge) {
  const std::size_t columns = rows.size() / grades.size();
  const auto count = static_cast<double>(grades.size());
  Vector mean(columns, 0.0), deviation(columns, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) mean[i % columns] += rows[i] / count;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double off = rows[i] - mean[i % columns];
    deviation[i % columns] += off * off / count;
  }
  for (std::size_t j = 0; j < columns; ++j) {  // What only varies by rounding does not vary.
    const double spread = std::sqrt(deviation[j]);
    deviation[j] = spread > 1e-9 * (1 + std::abs(mean[j])) ? spread : 1;
  }
  Vector standard(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    standard[i] = (rows[i] - mean[i % columns]) / deviation[i % columns];
  }
  Vector start(columns + 2, 0.0);
  start[columns] = -1;
  const Vector best = minimize(Objective(standard, grades, ridge), start);
  OrdinalFit fit;
  double offset = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    fit.slopes.push_back(best[j] / deviation[j]);
    offset += fit.slopes[j] * mean[j];
  }
  fit.thresholds[0] = best[columns] + offset;
  fit.thresholds[1] = fit.thresholds[0] + exponential(best[columns + 1]);
  return fit;
}

std::array<double, 2> even_thresholds(const OrdinalFit& fit, const std::array<double, 3>& shares) {
  // Is grade `upper` likelier than the one below it, at this score? Grows with the score.
  const auto prefers = [&](std::size_t upper, double score) {
    const double p1 = logistic(score - fit.thresholds[0]);
    const double p2 = logistic(score - fit.thresholds[1]);
    const std::array<double, 3> p = {1 - p1, p1 - p2, p2};
    return p[upper] / shares[upper] > p[upper - 1] / shares[upper - 1];
  };
  std::array<double, 2> out{};
  for (std::size_t k = 0; k < out.size(); ++k) {
    double low = fit.thresholds[0] - 20;
    double high = fit.thresholds[1] + 20;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (prefers(k + 1, middle) ? high : low) = middle;
    }
    out[k] = high;
  }
  // Too rare a middle grade is nowhere the likeliest: half way then.
  if (out[0] > out[1]) out[0] = out[1] = (fit.thresholds[0] + fit.thresholds[1]) / 2;
  return out;
}

}  // namespace residue::numbers
