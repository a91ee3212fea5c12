#include "query/outside/anonymeter.h"

#include <algorithm>
#include <cmath>

namespace residue::query {
namespace {

struct Rate {
  double value = 0, error = 0;
};

Rate rate_of(const Successes& counted) {
  const numbers::Interval interval = numbers::wilson_interval(counted.successes, counted.attacks);
  return {(interval.high + interval.low) / 2, (interval.high - interval.low) / 2};
}

}  // namespace

ResidualRisk residual_risk(const Successes& attack, const Successes& control) {
  const Rate main = rate_of(attack), base = rate_of(control);
  const double rest = 1 - base.value;  // above 0: the centre of an interval inside of [0, 1] that is no point
  const double value = (main.value - base.value) / rest;
  const double error = std::hypot(main.error / rest, (main.value - 1) / (rest * rest) * base.error);
  const auto cut = [](double x) { return std::clamp(x, 0.0, 1.0); };
  return {cut(value), {cut(value - error), cut(value + error)}};
}

}  // namespace residue::query
