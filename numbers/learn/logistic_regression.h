// Logistic regression with an L2 penalty on texts given by what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::numbers {

// A text: `weight` for each of its features. All of a text's weights squared sum up to at most 1.
struct FeatureRow {
  struct Group {
    std::span<const std::uint32_t> features;
    double weight = 0;
  };
  Group words, characters;
};

struct LinearModel {
  std::vector<double> weights;  // by feature
  double bias = 0;

  // Above 0: more likely true than not.
  [[nodiscard]] double score(const FeatureRow& row) const;
};

// Minimizes sum of ln(1 + exp(-+score)) over rows + (|weights|^2 + bias^2)/2 by accelerated gradient steps that start
// anew when they go uphill (O'Donoghue and Candes 2015), until the gradient is a thousandth of what it was, or
// `iterations` are done. Sums are in the order of the rows, and exponentials from products alone: the same bits
// everywhere.
LinearModel fit_logistic(std::span<const FeatureRow> rows, const std::vector<bool>& truth, std::size_t features,
                         std::size_t iterations);

}  // namespace residue::numbers
