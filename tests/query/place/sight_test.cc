// Who is tied at the top, and how sure the best hit is: by hand, and against their definitions on random rankings.
#include "query/place/sight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "query/place/people.h"

namespace residue::query {
namespace {

using index::Hit;

// Records 1, 2 ... of these persons; equal numbers in `originals` say the same.
struct World {
  DatasetView dataset;
  std::vector<std::size_t> equal;
  World(const std::vector<std::uint64_t>& persons, const std::vector<int>& originals) {
    dataset.independent = false;
    for (std::size_t i = 0; i < persons.size(); ++i) {
      RecordView record;
      record.id = RecordId{static_cast<std::int64_t>(i) + 1};
      record.unit = persons[i];
      dataset.records.push_back(record);
      dataset.position.emplace(record.id, i);
      equal.push_back(static_cast<std::size_t>(std::ranges::find(originals, originals[i]) - originals.begin()));
    }
  }
};

std::vector<CandidateId> candidates(const std::vector<std::int64_t>& numbers) {
  std::vector<CandidateId> all;
  for (const std::int64_t number : numbers) all.push_back({number});
  return all;
}

TEST(People, CountPersonsOnceAndEqualOriginalsOnce) {
  // 1 and 2 are of one person; 3 says what 2 says; 6 and 5 say the same.
  const World world({10, 10, 30, 40, 50, 60}, {1, 2, 2, 4, 5, 5});
  const People people(world.dataset, world.equal);
  EXPECT_EQ(people.crowd(candidates({1}), 0), (Crowd{1, true}));
  EXPECT_EQ(people.crowd(candidates({1, 2}), 0), (Crowd{1, true}));
  EXPECT_EQ(people.crowd(candidates({1, 4, 5}), 0), (Crowd{3, true}));
  EXPECT_EQ(people.crowd(candidates({4, 5}), 0), (Crowd{2, false}));
  EXPECT_EQ(people.crowd(candidates({4, 5, 6}), 5), (Crowd{2, true}));
  EXPECT_EQ(people.crowd(candidates({2, 3}), 3), (Crowd{1, false}));     // the same original
  EXPECT_EQ(people.crowd(candidates({1, 2, 3}), 3), (Crowd{1, false}));  // 1 is 2's person, 2 says what 3 says
  EXPECT_EQ(people.crowd(candidates({1, 3}), 3), (Crowd{2, false}));     // 2 is not among them
  EXPECT_EQ(people.crowd(candidates({1, 3}), 1), (Crowd{1, true}));      // but the target is 2
  EXPECT_EQ(people.crowd({}, 0), (Crowd{0, false}));
  EXPECT_TRUE(people.same({1}, {2}));
  EXPECT_TRUE(people.same({2}, {3}));
  EXPECT_FALSE(people.same({1}, {3}));
  EXPECT_GE(people.same_at_most({2}), 3U);
}

Sight looked(const World& world, const std::vector<Hit>& hits, bool all, std::size_t target = 0) {
  const People people(world.dataset, world.equal);
  return sight_of({hits, all}, target, {nullptr, &people});
}

TEST(Sure, IsTheDistanceToTheNextPerson) {
  const World world({10, 10, 30, 40}, {1, 2, 3, 4});
  const std::vector<Hit> hits = {{{1}, 8, 0}, {{2}, 6, 0}, {{3}, 2, 0}};
  EXPECT_EQ(looked(world, hits, true).sure, (Sure{kOne * 3 / 4, false}));
  EXPECT_EQ(looked(world, hits, true).looked, 3U);
  // Two persons are tied: nothing to be sure of.
  EXPECT_EQ(looked(world, {{{1}, 8, 1}, {{3}, 8, 1}}, true).sure, (Sure{0, false}));
  EXPECT_EQ(looked(world, {{{1}, 8, 1}, {{3}, 8, 1}}, true).crowd, (Crowd{2, true}));
  // Nobody else: sure, and flagged; nothing found, or nothing above 0: no claim.
  EXPECT_EQ(looked(world, {{{1}, 8, 0}, {{2}, 6, 0}}, true).sure, (Sure{kOne, true}));
  EXPECT_EQ(looked(world, {}, true).sure, std::nullopt);
  EXPECT_EQ(looked(world, {{{1}, 0, 0}, {{3}, -1, 0}}, true).sure, std::nullopt);
  EXPECT_EQ(looked(world, {{{1}, 1, 0}, {{3}, -1, 0}}, true).sure, (Sure{kOne, false}));
}

TEST(Sight, AsksForMoreWhereTheHitsCannotTell) {
  const World world({10, 10, 30, 40}, {1, 2, 3, 4});
  EXPECT_EQ(looked(world, {{{1}, 8, 3}, {{2}, 8, 3}}, false).needs, 4U);  // all that are tied
  EXPECT_GT(looked(world, {{{1}, 8, 0}, {{2}, 6, 0}}, false).needs, 2U);  // another person
  EXPECT_EQ(looked(world, {{{1}, 8, 0}, {{3}, 6, 0}}, false).needs, 0U);
  EXPECT_GT(looked(world, {}, false).needs, 0U);
  EXPECT_EQ(looked(world, {}, true).needs, 0U);
}

// A ranking with many ties, of all or of the first candidates.
std::vector<Hit> ranking(std::mt19937& random, std::size_t records) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < records; ++i) {
    if (random() % 4 != 0) hits.push_back({{static_cast<std::int64_t>(i) + 1}, double(1 + random() % 3), 0});
  }
  std::shuffle(hits.begin(), hits.end(), random);
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  for (Hit& hit : hits) {
    hit.tied = static_cast<std::uint32_t>(std::ranges::count(hits, hit.score, &Hit::score)) - 1;
  }
  return hits;
}

// Persons among the tied, by joining any two that are the same until nothing changes.
Crowd crowd_by_definition(const World& world, const std::vector<Hit>& hits, std::size_t target) {
  std::vector<std::size_t> records = {target};
  for (const Hit& hit : hits) {
    if (hit.score == hits[0].score) records.push_back(static_cast<std::size_t>(hit.candidate.value - 1));
  }
  std::vector<std::size_t> group(records.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  for (std::size_t round = 0; round < records.size(); ++round) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      for (std::size_t j = 0; j < records.size(); ++j) {
        const bool same = world.dataset.records[records[i]].unit == world.dataset.records[records[j]].unit ||
                          world.equal[records[i]] == world.equal[records[j]];
        if (same) group[i] = group[j] = std::min(group[i], group[j]);
      }
    }
  }
  const std::set<std::size_t> persons(group.begin() + 1, group.end());
  return {static_cast<std::uint32_t>(persons.size()), persons.count(group[0]) != 0};
}

std::optional<Sure> sure_by_definition(const World& world, const std::vector<Hit>& hits) {
  if (hits.empty()) return std::nullopt;
  const std::size_t best = static_cast<std::size_t>(hits[0].candidate.value - 1);
  double rival = -1;
  for (const Hit& hit : hits) {
    const std::size_t one = static_cast<std::size_t>(hit.candidate.value - 1);
    const bool other =
        world.dataset.records[one].unit != world.dataset.records[best].unit && world.equal[one] != world.equal[best];
    if (other) rival = std::max(rival, hit.score);
  }
  if (rival < 0) return Sure{kOne, true};
  return Sure{fixed((hits[0].score - rival) / hits[0].score), false};
}

TEST(Sight, IsThatOfTheWholeRankingHoweverDeepItBegins) {
  std::mt19937 random(5);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t records = 1 + random() % 12;
    std::vector<std::uint64_t> persons;
    std::vector<int> originals;
    for (std::size_t i = 0; i < records; ++i) {
      persons.push_back(random() % 6);
      originals.push_back(static_cast<int>(random() % 8));
    }
    const World world(persons, originals);
    const People people(world.dataset, world.equal);
    const std::vector<Hit> all = ranking(random, records);
    const std::size_t target = random() % records, depth = 1 + random() % 5;
    const std::vector<std::size_t> targets = {target};
    const std::vector<std::vector<Hit>> hits = {{all.begin(), all.begin() + std::min(depth, all.size())}};
    std::size_t searches = 0;
    const auto search = [&](std::span<const std::size_t>, std::size_t deep) {
      ++searches;
      return std::vector<std::vector<Hit>>{{all.begin(), all.begin() + std::min(deep, all.size())}};
    };
    const Sight sight = sights_of(targets, hits, depth, {nullptr, &people}, search)[0];
    ASSERT_LE(searches, 3U);
    ASSERT_EQ(sight.crowd, crowd_by_definition(world, all, target)) << round;
    ASSERT_EQ(sight.sure, sure_by_definition(world, all)) << round;
    // What it looked at says the same.
    const Sight again = sight_of({std::span(all).first(sight.looked), sight.to_the_end}, target, {nullptr, &people});
    ASSERT_EQ(again.needs, 0U) << round;
    ASSERT_EQ(again.crowd, sight.crowd);
    ASSERT_EQ(again.sure, sight.sure);
  }
}

}  // namespace
}  // namespace residue::query
