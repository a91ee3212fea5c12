#include "index/rest.h"

#include <algorithm>
#include <cstdint>

namespace residue::index {

Rest best_of_rest(std::span<const Hit> hits, std::size_t k, std::span<const CandidateId> left_out) {
  const auto is_left_out = [&](const Hit& hit) {
    return std::binary_search(left_out.begin(), left_out.end(), hit.candidate);
  };
  const bool all = hits.size() < k;
  const auto best = std::find_if_not(hits.begin(), hits.end(), is_left_out);
  if (best == hits.end()) return {.needs = all ? 0 : left_out.size() + 1};
  // Of the candidates with this score, those left out do not count as tied. All of them have to be seen.
  const auto first = std::find_if(hits.begin(), best, [&](const Hit& hit) { return hit.score == best->score; });
  const auto after = std::find_if(best, hits.end(), [&](const Hit& hit) { return hit.score != best->score; });
  const std::size_t equal = std::size_t{best->tied} + 1;
  if (static_cast<std::size_t>(after - first) < equal && best->tied > 0 && !left_out.empty()) {
    return {.needs = static_cast<std::size_t>(first - hits.begin()) + equal};
  }
  Hit found = *best;
  found.tied -= static_cast<std::uint32_t>(std::count_if(first, after, is_left_out));
  return {.best = found};
}

}  // namespace residue::index
