#include "index/relink_bound.h"

#include <algorithm>

namespace residue::index {

double saturation_stretch(double before, double now) { return std::max(1.0, now / before); }

double bound_of_rest(double rest, double stretch, std::span<BoundTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const BoundTerm& a, const BoundTerm& b) { return a.now * b.before > b.now * a.before; });
  double gain = 0;
  double left = rest;
  for (const BoundTerm& term : terms) {
    if (term.now <= term.before || left <= 0) break;
    const double share = std::min(left, term.before * term.most);
    gain += share * (term.now / term.before - 1);
    left -= share;
  }
  return (rest + gain) * stretch * kRoundingMargin;
}

}  // namespace residue::index
