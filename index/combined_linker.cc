#include "index/combined_linker.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/parallel_ranges.h"
#include "index/scored.h"

namespace residue::index {
CombinedLinker::CombinedLinker(std::vector<std::unique_ptr<Linker>> releases, CandidateTable candidates)
    : releases_(std::move(releases)), candidates_(std::move(candidates)) {
  if (releases_.empty()) throw Error(Code::kInternal, "no release to combine", "please report this");
}

std::vector<std::vector<Hit>> CombinedLinker::top(std::span<const Query> queries, std::size_t k) const {
  const std::size_t all = candidates_->size();
  const std::size_t at_once = std::max<std::size_t>(1, kHitsAtOnce / std::max<std::size_t>(1, all));
  std::vector<std::vector<Hit>> results(queries.size());
  for (std::size_t begin = 0; begin < queries.size(); begin += at_once) {
    const auto some = queries.subspan(begin, std::min(at_once, queries.size() - begin));
    std::vector<std::vector<std::vector<Hit>>> rankings;
    for (const auto& release : releases_) rankings.push_back(release->top(some, all));
    parallel_ranges(some.size(), 1, [&](const TaskRange& range) {
      std::vector<double> sums(all);
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (const auto& ranking : rankings) {
          for (const Hit& hit : ranking[i]) {
            const auto rank = candidates_->rank(hit.candidate);
            if (!rank) throw Error(Code::kInternal, "a release has a candidate of its own", "please report this");
            sums[*rank] += hit.score;
          }
        }
        std::vector<Scored> scored;
        for (std::uint32_t rank = 0; rank < all; ++rank) {
          if (sums[rank] > 0) scored.push_back({rank, sums[rank]});
        }
        results[begin + i] = best_of(scored, k, *candidates_);
      }
    });
  }
  return results;
}

}  // namespace residue::index
