#include "numbers/stats/misclassification.h"

#include <algorithm>

namespace residue::numbers {

std::optional<Misclassification> misclassification(const std::array<std::array<double, 2>, 2>& matrix) {
  const double private_ones = matrix[0][0] + matrix[0][1];
  const double leaked = matrix[1][0] + matrix[1][1];
  if (private_ones <= 0 || leaked <= 0) return std::nullopt;
  return Misclassification{matrix[1][1] / leaked, matrix[0][0] / private_ones};
}

std::optional<double> rogan_gladen(double observed, const Misclassification& judge) {
  const double youden = judge.sensitivity + judge.specificity - 1;
  if (youden <= 0) return std::nullopt;
  return std::clamp((observed + judge.specificity - 1) / youden, 0.0, 1.0);
}

}  // namespace residue::numbers
