#include "query/judge/judging.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

// Rates 1 if the passage contains the claim, 3 if not, and refuses a claim "?".
class Contains final : public Judge {
 public:
  explicit Contains(const std::string& version = "1") : spec_("{\"judge\":\"contains\",\"version\":" + version + "}") {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& spec() const override { return spec_; }
  [[nodiscard]] bool embedded() const override { return true; }
  [[nodiscard]] std::vector<std::vector<std::optional<Rating>>> rate(std::span<const Request> requests) const override {
    std::vector<std::vector<std::optional<Rating>>> all;
    for (const Request& request : requests) {
      all.emplace_back();
      for (const std::string_view claim : request.claims) {
        ++asked;
        if (claim == "?") {
          all.back().emplace_back();
          continue;
        }
        Rating rating{};
        rating.rating = request.passage.find(claim) != std::string_view::npos ? 1 : 3;
        all.back().push_back(rating);
      }
    }
    return all;
  }
  [[nodiscard]] Explanation explain(std::string_view /*passage*/, std::string_view /*claim*/) const override {
    return {};
  }
  mutable std::atomic<std::uint64_t> asked{0};

 private:
  std::string name_ = "contains";
  std::string spec_;
};

class Judging : public QueryStore {};

TEST_F(Judging, AsksForEveryPairOnceAndKeepsTheAnswer) {
  const Contains judge;
  const JudgeId id = register_judge(store(), judge);
  const TextId passage = put("Ann is a nurse"), other = put("Bob"), ann = put("Ann"), bob = put("Bob");
  std::uint64_t rated = 0;
  const std::vector<Pair> pairs = {{passage, ann}, {other, bob}, {passage, bob}, {passage, ann}};
  const RatingMap first = rate_pairs(store(), judge, id, pairs, rated);
  EXPECT_EQ(rated, 3U);
  EXPECT_EQ(judge.asked, 3U);
  EXPECT_EQ(first.at({passage, ann}), 1);
  EXPECT_EQ(first.at({passage, bob}), 3);
  EXPECT_EQ(first.at({other, bob}), 1);
  EXPECT_EQ(rate_pairs(store(), judge, id, pairs, rated), first);
  EXPECT_EQ(judge.asked, 3U);
  EXPECT_EQ(rated, 3U);
  EXPECT_EQ(known_ratings(store().db(), id, {{other, ann}}).size(), 0U);
}

TEST_F(Judging, FindsFewPairsOfAPassageThatManyClaimsWereJudgedWith) {
  const Contains judge;
  const JudgeId id = register_judge(store(), judge);
  const TextId passage = put("1 2 3"), other = put("7");
  std::vector<TextId> claims;
  for (int i = 0; i < 60; ++i) claims.push_back(put(std::to_string(i)));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < 60; ++i) {
    if (i % 10 != 9) pairs.push_back({passage, claims[i]});
    if (i % 10 == 0) pairs.push_back({other, claims[i]});
  }
  std::uint64_t rated = 0;
  const RatingMap all = rate_pairs(store(), judge, id, pairs, rated);
  ASSERT_EQ(all.size(), 60U);
  // Any two or three of them, known or not, near or far from each other.
  for (std::size_t i = 0; i < 60; ++i) {
    for (const std::size_t step : {1U, 7U, 30U}) {
      std::vector<Pair> some;
      for (std::size_t j = i; j < 60 && some.size() < 3; j += step) some.push_back({passage, claims[j]});
      some.push_back({other, claims[i]});
      RatingMap expected;
      for (const Pair& pair : some) {
        if (const auto found = all.find(pair); found != all.end()) expected.insert(*found);
      }
      EXPECT_EQ(known_ratings(store().db(), id, some), expected) << i << " " << step;
      std::uint64_t more = 0;
      if (expected.size() == some.size()) {
        EXPECT_EQ(rate_pairs(store(), judge, id, some, more), expected);
      }
      EXPECT_EQ(more, 0U);
    }
  }
  EXPECT_EQ(
      rate_pairs(store(), judge, id, {{passage, claims[9]}, {passage, claims[8]}, {other, claims[1]}}, rated).size(),
      3U);
  EXPECT_EQ(rated, 62U);
}

TEST_F(Judging, AsksAgainWhatHadNoRating) {
  const Contains judge;
  const JudgeId id = register_judge(store(), judge);
  const TextId passage = put("Ann"), unclear = put("?");
  std::uint64_t rated = 0;
  EXPECT_TRUE(rate_pairs(store(), judge, id, {{passage, unclear}}, rated).empty());
  EXPECT_TRUE(rate_pairs(store(), judge, id, {{passage, unclear}}, rated).empty());
  EXPECT_EQ(judge.asked, 2U);
}

TEST_F(Judging, NeverMixesVersionsOfAJudge) {
  const Contains one("1"), two("2");
  const JudgeId first = register_judge(store(), one);
  EXPECT_EQ(register_judge(store(), one), first);
  const TextId ann = put("Ann");
  std::uint64_t rated = 0;
  rate_pairs(store(), one, first, {{ann, ann}}, rated);
  const JudgeId second = register_judge(store(), two);
  EXPECT_NE(second, first);
  EXPECT_TRUE(known_ratings(store().db(), second, {{ann, ann}}).empty());
  EXPECT_EQ(rows("SELECT name FROM judge ORDER BY id"),
            (std::vector<std::string>{fmt::format("contains (superseded {})", first.value), "contains"}));
  EXPECT_EQ(register_judge(store(), one), first);
  EXPECT_EQ(known_ratings(store().db(), first, {{ann, ann}}).size(), 1U);
}

}  // namespace
}  // namespace residue::query::testing
