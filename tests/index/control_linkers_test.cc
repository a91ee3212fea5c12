#include "index/control_linkers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace residue::index {
namespace {

struct Keys {
  std::vector<std::string> keys;
  explicit Keys(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) keys.push_back("record-" + std::to_string(i));
  }
  CandidateTable table(std::size_t n, std::size_t without = ~std::size_t{0}) const {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < n; ++i) {
      if (i != without) all.push_back({{static_cast<std::int64_t>(i) + 1}, keys[i]});
    }
    return std::make_shared<const Candidates>(all);
  }
  std::vector<Query> queries() const {
    std::vector<Query> all;
    for (std::size_t i = 0; i < keys.size(); ++i) all.push_back({"", keys[i], {static_cast<std::int64_t>(i) + 1}});
    return all;
  }
};

TEST(Candidates, AreRankedByTheBytesOfTheirKeys) {
  const std::vector<Candidate> all = {{{1}, "é"}, {{2}, "b"}, {{3}, "Z"}, {{4}, ""}};
  const Candidates table(all);
  EXPECT_EQ(table.rank({4}), 0U);
  EXPECT_EQ(table.rank({3}), 1U);
  EXPECT_EQ(table.rank({2}), 2U);
  EXPECT_EQ(table.rank({1}), 3U);
  EXPECT_EQ(table.id(3), CandidateId{1});
  EXPECT_EQ(table.key(3), "é");
  EXPECT_FALSE(table.rank({5}).has_value());
}

TEST(Candidates, RefuseAnIdOrAKeyTwice) {
  EXPECT_THROW(Candidates(std::vector<Candidate>{{{1}, "a"}, {{1}, "b"}}), Error);
  EXPECT_THROW(Candidates(std::vector<Candidate>{{{1}, "a"}, {{2}, "a"}}), Error);
}

TEST(OracleLinker, FindsTheOwnCandidateWhereThereIsOne) {
  const Keys keys(3);
  const OracleLinker linker(keys.table(2));
  const auto hits = linker.top(keys.queries(), 10);
  EXPECT_EQ(hits[0], (std::vector<Hit>{{{1}, 1.0, 0}}));
  EXPECT_EQ(hits[1], (std::vector<Hit>{{{2}, 1.0, 0}}));
  EXPECT_TRUE(hits[2].empty());
  EXPECT_TRUE(linker.top(std::vector<Query>{{}}, 1)[0].empty());
}

TEST(RandomLinker, GivesDistinctCandidatesInAFixedOrder) {
  const Keys keys(50);
  const RandomLinker linker(keys.table(20), 42);
  for (const auto& hits : linker.top(keys.queries(), 30)) {
    ASSERT_EQ(hits.size(), 20U);
    std::set<CandidateId> seen;
    for (const Hit& hit : hits) seen.insert(hit.candidate);
    EXPECT_EQ(seen.size(), 20U);
    EXPECT_TRUE(std::is_sorted(hits.begin(), hits.end(), [](auto& a, auto& b) { return a.score > b.score; }));
  }
  EXPECT_TRUE(RandomLinker(keys.table(0), 42).top(keys.queries(), 3)[0].empty());
}

TEST(RandomLinker, DependsOnTheSeedAndFindsRecordsNoMoreOftenThanChance) {
  const Keys keys(2'000);
  std::size_t own = 0;
  std::size_t same = 0;
  const auto first = RandomLinker(keys.table(2'000), 1).top(keys.queries(), 1);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto hits = RandomLinker(keys.table(2'000), seed).top(keys.queries(), 1);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      own += hits[i][0].candidate == CandidateId{static_cast<std::int64_t>(i) + 1} ? 1 : 0;
      same += seed > 1 && hits[i][0].candidate == first[i][0].candidate ? 1 : 0;
    }
  }
  // 40,000 draws of 1 in 2,000: 20 expected. Arcs differ in length, so agreement between seeds is near 19 too.
  EXPECT_GT(own, 3U);
  EXPECT_LT(own, 50U);
  EXPECT_LT(same, 60U);
}

TEST(RandomLinker, ChangesOnlyTheArcThatANewCandidateSplits) {
  const Keys keys(400);
  for (std::size_t added = 0; added < 50; ++added) {
    const RandomLinker before(keys.table(50, added), 7);
    const RandomLinker after(keys.table(50), 7);
    const CandidateId news{static_cast<std::int64_t>(added) + 1};
    const auto old_hits = before.top(keys.queries(), 2);
    const auto new_hits = after.top(keys.queries(), 2);
    std::set<CandidateId> successors;
    for (std::size_t i = 0; i < old_hits.size(); ++i) {
      if (new_hits[i][0].candidate == news) {
        EXPECT_EQ(new_hits[i][1].candidate, old_hits[i][0].candidate);
        successors.insert(old_hits[i][0].candidate);
      } else {
        EXPECT_EQ(new_hits[i][0], old_hits[i][0]);
      }
    }
    EXPECT_LE(successors.size(), 1U) << "one arc has one end";
  }
}

// Whichever way is shorter, places are those of full rankings.
TEST(ControlLinkers, PlaceAsTheyRank) {
  const Keys keys(40);
  for (const std::size_t size : {1U, 2U, 39U}) {
    const RandomLinker random(keys.table(size), 42);
    const OracleLinker oracle(keys.table(size));
    for (const Linker* linker : std::vector<const Linker*>{&random, &oracle}) {
      const auto hits = linker->top(keys.queries(), size);
      const auto places = linker->places(keys.queries(), size);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(places[i], place_in(hits[i], {static_cast<std::int64_t>(i) + 1}, size)) << i;
      }
    }
    EXPECT_EQ(random.places(keys.queries(), size)[39], std::nullopt);
  }
}

TEST(Places, StandLevelAfterAllHitsWithoutOne) {
  const std::vector<Hit> hits = {{{5}, 2.0, 0}, {{1}, 1.0, 1}, {{3}, 1.0, 1}, {{4}, -0.5, 0}};
  EXPECT_EQ(place_in(hits, {5}, 7), (Place{0, 0}));
  EXPECT_EQ(place_in(hits, {3}, 7), (Place{1, 1}));
  EXPECT_EQ(place_in(hits, {4}, 7), (Place{3, 0}));
  EXPECT_EQ(place_in(hits, {2}, 7), (Place{4, 2}));
  EXPECT_EQ(place_in({}, {2}, 7), (Place{0, 6}));
}

}  // namespace
}  // namespace residue::index
