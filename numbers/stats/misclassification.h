// What a rate is when the judge that counted it errs as often as people found.
#pragma once

#include <array>
#include <optional>

namespace residue::numbers {

// How often a judge is right about claims that people say leaked, and about those they say did not.
struct Misclassification {
  double sensitivity = 1, specificity = 1;
};

// matrix[people][judge], 1 = leaked; the cells may be weighted. Nothing where people found none of one kind.
std::optional<Misclassification> misclassification(const std::array<std::array<double, 2>, 2>& matrix);

// (observed + specificity - 1) / (sensitivity + specificity - 1), within [0, 1] (Rogan and Gladen 1978). Nothing where
// the judge is no better than chance.
std::optional<double> rogan_gladen(double observed, const Misclassification& judge);

}  // namespace residue::numbers
