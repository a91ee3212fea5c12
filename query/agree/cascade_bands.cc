#include "query/agree/cascade_bands.h"

#include <algorithm>
#include <cstdlib>

namespace residue::query {
namespace {

// The pairs that were not asked about: which share of them is `wanted` steps apart, label from rating.
struct Apart {
  std::vector<std::uint8_t> steps;  // 0, 1, 2
  std::vector<std::uint64_t> units;

  [[nodiscard]] std::optional<double> share(std::uint8_t wanted) const {
    if (steps.empty()) return std::nullopt;
    return static_cast<double>(std::ranges::count(steps, wanted)) / static_cast<double>(steps.size());
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
    if (is_unsure(*ratings[i], band)) {
      ++out.asked;
      continue;
    }
    ++(ratings[i]->score < band.low ? out.below : out.above)[pairs[i].rating - 1][ratings[i]->rating - 1];
    apart.steps.push_back(static_cast<std::uint8_t>(std::abs(pairs[i].rating - ratings[i]->rating)));
    apart.units.push_back(numbers::resampling_unit(pairs[i].record, std::nullopt));
  }
  out.right = apart.share(0);
  out.reversed = apart.share(2);
  std::vector<std::uint8_t> right;
  for (const std::uint8_t steps : apart.steps) right.push_back(steps == 0 ? 1 : 0);
  out.right_interval = numbers::share_interval(apart.units, right);
  return out;
}

}  // namespace residue::query
