#include "index/linker.h"

#include <algorithm>

namespace residue::index {

Place place_in(std::span<const Hit> hits, CandidateId own, std::size_t candidates) {
  const auto found = std::find_if(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.candidate == own; });
  const auto all = static_cast<std::uint32_t>(hits.size());
  if (found == hits.end()) return {all, static_cast<std::uint32_t>(candidates) - all - 1};
  const auto first = std::find_if(hits.begin(), found, [&](const Hit& hit) { return hit.score == found->score; });
  return {static_cast<std::uint32_t>(first - hits.begin()), found->tied};
}

std::vector<std::optional<Place>> Linker::places(std::span<const Query> queries, std::size_t candidates) const {
  std::vector<std::optional<Place>> result(queries.size());
  const std::size_t at_once = std::max<std::size_t>(1, kHitsAtOnce / std::max<std::size_t>(1, candidates));
  for (std::size_t begin = 0; begin < queries.size(); begin += at_once) {
    const auto some = queries.subspan(begin, std::min(at_once, queries.size() - begin));
    const auto hits = top(some, candidates);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (some[i].own.value != 0) result[begin + i] = place_in(hits[i], some[i].own, candidates);
    }
  }
  return result;
}

}  // namespace residue::index
