// The score of a pair, and the best candidates of one query.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"
#include "text/measures/rouge.h"

namespace residue::index {

// The query is the reference, the text the hypothesis: recall is the share of the query that the text has.
enum class RougeScore { kF, kRecall };

struct RougePair {
  std::uint32_t common = 0;
  std::uint32_t query = 0;
  std::uint32_t text = 0;
};

inline double rouge_score(RougeScore score, const RougePair& pair) {
  const text::Prf prf = text::prf({pair.common, pair.query, pair.text});
  return score == RougeScore::kF ? prf.f : prf.r;
}

// No pair of these lengths, or of a longer text, whose subsequence is shorter can score `threshold`. Doubles are exact
// to 2^-50: the margin is wider than what they hide, and far narrower than one token.
inline std::uint32_t least_common(RougeScore score, double threshold, std::uint32_t query, std::uint32_t text) {
  const double tokens = score == RougeScore::kF ? (static_cast<double>(query) + text) / 2 : query;
  const double least = std::ceil(threshold * tokens * (1 - 1e-9));
  return least < 1 ? 1 : static_cast<std::uint32_t>(least);
}

// The best `k` of all that are offered, in any order, each once, and how many are tied with each.
class RougeBest {
 public:
  struct Scored {
    double score;
    std::uint32_t rank;
  };

  explicit RougeBest(std::size_t k = 0) : k_(k) {}

  // A score that at least `k` candidates have; they must still be offered.
  void expect(double score) { expected_ = std::max(expected_, score); }

  // Candidates below this need not be offered.
  [[nodiscard]] double threshold() const {
    return best_.size() < k_ ? expected_ : std::max(expected_, best_.back().score);
  }

  // True if the threshold may have risen.
  bool offer(double score, std::uint32_t rank) {
    if (score <= 0 || score < threshold()) return false;
    const Scored scored{score, rank};
    const bool full = best_.size() == k_;
    const double last = full ? best_.back().score : 0;
    if (full && score == last) ++tied_with_last_;
    if (full && !before(scored, best_.back())) return false;
    if (full) best_.pop_back();
    best_.insert(std::upper_bound(best_.begin(), best_.end(), scored, before), scored);
    if (best_.size() == k_ && best_.back().score != last) tied_with_last_ = equal_to_last();
    return best_.size() == k_;
  }

  [[nodiscard]] std::vector<Hit> hits(const Candidates& candidates) const {
    std::vector<Hit> result;
    for (const Scored& scored : best_) {
      const bool in_last = best_.size() == k_ && scored.score == best_.back().score;
      const auto tied = in_last ? tied_with_last_ : std::count_if(best_.begin(), best_.end(), [&](const Scored& other) {
        return other.score == scored.score;
      });
      result.push_back({candidates.id(scored.rank), scored.score, static_cast<std::uint32_t>(tied - 1)});
    }
    return result;
  }

 private:
  static bool before(const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.rank < b.rank;
  }

  // All that were offered with the last one's score: none of them was dropped before it became the last.
  [[nodiscard]] std::ptrdiff_t equal_to_last() const {
    return std::count_if(best_.begin(), best_.end(), [&](const Scored& s) { return s.score == best_.back().score; });
  }

  std::size_t k_;
  double expected_ = 0;
  std::vector<Scored> best_;           // the best first
  std::ptrdiff_t tied_with_last_ = 0;  // candidates with the last one's score, itself too, once there are `k`
};

}  // namespace residue::index
