#include "index/rest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace residue::index {
namespace {

// All candidates with a score, in order, with their ties.
std::vector<Hit> ranking(const std::vector<int>& scores) {
  std::vector<Hit> all;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] == 0) continue;
    const auto tied = static_cast<std::uint32_t>(std::count(scores.begin(), scores.end(), scores[i])) - 1;
    all.push_back({CandidateId{static_cast<std::int64_t>(i + 1)}, static_cast<double>(scores[i]), tied});
  }
  std::stable_sort(all.begin(), all.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  return all;
}

// What is left out is taken out of the scores before anything is ranked.
std::optional<Hit> by_definition(std::vector<int> scores, const std::vector<CandidateId>& left_out) {
  for (const CandidateId id : left_out) scores[static_cast<std::size_t>(id.value - 1)] = 0;
  const auto rest = ranking(scores);
  return rest.empty() ? std::nullopt : std::optional(rest.front());
}

TEST(Rest, IsTheBestWithoutThoseLeftOutOrSaysHowDeepToSearch) {
  std::mt19937 random(7);
  std::size_t known = 0, deeper = 0, tied = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<int> scores(1 + random() % 12);
    for (int& score : scores) score = static_cast<int>(random() % 4);
    std::vector<CandidateId> left_out;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (random() % 3 == 0) left_out.push_back({static_cast<std::int64_t>(i + 1)});
    }
    const std::vector<Hit> all = ranking(scores);
    const auto expected = by_definition(scores, left_out);
    const auto best = [&](std::size_t k) {
      return best_of_rest(std::span(all).first(std::min(k, all.size())), k, left_out);
    };
    std::size_t k = 1 + random() % 4;
    Rest rest = best(k);
    (rest.needs == 0 ? known : deeper) += 1;
    for (int again = 0; rest.needs > 0; ++again) {
      ASSERT_GT(rest.needs, k);
      ASSERT_LT(again, 2);  // once for the best, once for its ties
      k = rest.needs;
      rest = best(k);
    }
    ASSERT_EQ(rest.best, expected) << "round " << round;
    tied += expected && expected->tied > 0 ? 1 : 0;
  }
  EXPECT_GT(known, 500U);
  EXPECT_GT(deeper, 500U);
  EXPECT_GT(tied, 500U);
}

}  // namespace
}  // namespace residue::index
