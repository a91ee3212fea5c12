#include "query/agree/cascade_bands.h"

#include <cstdlib>

namespace residue::query {
namespace {

// Weights of the pairs that were not asked about, by how far label and rating are apart.
struct Apart {
  std::vector<std::uint8_t> steps;  // 0, 1, 2
  std::vector<std::uint64_t> units;

  [[nodiscard]] std::optional<double> share(std::uint8_t wanted, std::span<const std::uint8_t> weights) const {
    std::uint64_t part = 0;
    std::uint64_t whole = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint64_t weight = weights.empty() ? 1 : weights[i];
      whole += weight;
      if (steps[i] == wanted) part += weight;
    }
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace

BandAgreement band_agreement(const std::vector<LabelledPair>& pairs, const std::vector<std::optional<Rating>>& ratings,
                             Band band) {
  BandAgreement out;
  out.band = band;
  Apart apart;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!ratings[i]) continue;
    ++out.pairs;
    if (in_band(*ratings[i], band)) {
      ++out.asked;
      continue;
    }
    ++(ratings[i]->score < band.low ? out.below : out.above)[pairs[i].rating - 1][ratings[i]->rating - 1];
    apart.steps.push_back(static_cast<std::uint8_t>(std::abs(pairs[i].rating - ratings[i]->rating)));
    apart.units.push_back(numbers::resampling_unit(pairs[i].record, std::nullopt));
  }
  out.right = apart.share(0, {});
  out.reversed = apart.share(2, {});
  if (out.right) {
    out.right_interval = numbers::resampled_interval(
        apart.units, [&](std::span<const std::uint8_t> weights) { return apart.share(0, weights); });
  }
  return out;
}

}  // namespace residue::query
