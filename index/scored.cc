#include "index/scored.h"

namespace residue::index {

std::vector<Hit> best_of(std::vector<Scored>& all, std::size_t k, const Candidates& candidates) {
  std::vector<Hit> hits;
  if (k == 0 || all.empty()) return hits;
  auto end = all.end();
  if (k < all.size()) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k - 1), all.end(), better);
    const double last = all[k - 1].score;
    end = std::partition(all.begin() + static_cast<std::ptrdiff_t>(k), all.end(),
                         [&](const Scored& s) { return s.score == last; });
  }
  std::sort(all.begin(), end, better);
  for (auto first = all.begin(); first != end && hits.size() < k;) {
    const auto next = std::find_if(first, end, [&](const Scored& s) { return s.score != first->score; });
    const auto tied = static_cast<std::uint32_t>(next - first - 1);
    for (; first != next && hits.size() < k; ++first) hits.push_back({candidates.id(first->rank), first->score, tied});
    first = next;
  }
  return hits;
}

}  // namespace residue::index
