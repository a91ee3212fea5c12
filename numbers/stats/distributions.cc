#include "query/distributions.h"

#include <cmath>
#include <limits>

namespace residue::query {
namespace {

constexpr double kEnough = 1e-16;
constexpr double kTiny = std::numeric_limits<double>::min() / kEnough;
constexpr int kMostTerms = 10'000;

// P(a, x) for x < a + 1.
double gamma_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kMostTerms && term > sum * kEnough; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Q(a, x) for x >= a + 1, by Lentz's way of reading a continued fraction.
double gamma_fraction(double a, double x) {
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double h = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    h *= d * c;
    if (std::abs(d * c - 1) < kEnough * 4) break;
  }
  return h * std::exp(a * std::log(x) - x - std::lgamma(a));
}

double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  if (std::abs(d) < kTiny) d = kTiny;
  d = 1 / d;
  double h = d;
  const auto step = [&](double numerator) {
    d = 1 + numerator * d;
    if (std::abs(d) < kTiny) d = kTiny;
    c = 1 + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    h *= d * c;
    return std::abs(d * c - 1);
  };
  for (int m = 1; m < kMostTerms; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) < kEnough * 4) break;
  }
  return h;
}

}  // namespace

double gamma_q(double a, double x) {
  if (x <= 0) return 1;
  return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

double beta_i(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double chi_squared_tail(double x, double freedom) { return gamma_q(freedom / 2, x / 2); }

double student_two_sided(double t, double freedom) { return beta_i(freedom / 2, 0.5, freedom / (freedom + t * t)); }

}  // namespace residue::query
