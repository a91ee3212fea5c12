// The best k of the candidates shown so far, in any order, and how many of all of them tie with each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace residue::index {

// A hit by rank (index/candidates.h): score descending, then rank.
struct RankedHit {
  std::uint32_t rank = 0;
  double score = 0;
  std::uint32_t tied = 0;  // others, of all that were shown, with exactly this score

  friend bool operator==(const RankedHit&, const RankedHit&) = default;
};

class TopList {
 public:
  // `k` > 0.
  explicit TopList(std::size_t k) : k_(k) {}

  // A score that a candidate must reach to matter; 0 while any does.
  [[nodiscard]] double threshold() const { return kept_.size() < k_ ? 0 : kept_.back().score; }

  // Shows a candidate, once. Ignores a score of 0.
  void offer(std::uint32_t rank, double score) {
    if (score <= 0 || score < threshold()) return;
    const RankedHit mine{rank, score, 0};
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), mine, ahead), mine);
    if (kept_.size() <= k_) return;
    const double lost = kept_.back().score;
    kept_.pop_back();
    tied_with_last_ = kept_.back().score == lost ? tied_with_last_ + 1 : 0;
  }

  // In order.
  [[nodiscard]] std::vector<RankedHit> hits() const {
    std::vector<RankedHit> result = kept_;
    for (auto first = result.begin(); first != result.end();) {
      const auto next = std::find_if(first, result.end(), [&](const RankedHit& h) { return h.score != first->score; });
      const auto unseen = next == result.end() ? tied_with_last_ : 0;
      const auto tied = static_cast<std::uint32_t>(next - first - 1) + unseen;
      for (; first != next; ++first) first->tied = tied;
    }
    return result;
  }

 private:
  static bool ahead(const RankedHit& a, const RankedHit& b) {
    return a.score != b.score ? a.score > b.score : a.rank < b.rank;
  }

  std::size_t k_;
  std::vector<RankedHit> kept_;
  std::uint32_t tied_with_last_ = 0;  // others, not kept, with the score of the last one kept
};

}  // namespace residue::index
