#include "text/measures/rare_phrases.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "tests/text/measures/rare_phrase_oracle.h"

namespace residue::text {
namespace {

using Text = std::vector<std::uint32_t>;

WordRuns runs(const std::vector<Text>& texts) {
  WordRuns all;
  for (const Text& text : texts) all.add(text);
  return all;
}

std::string written(const std::vector<Reach>& reach, const WordRuns& texts, std::size_t text) {
  std::string out;
  for (std::size_t at = texts.begin(text); at < texts.end(text); ++at) {
    out += (out.empty() ? "" : " ") + std::to_string(reach[at].alone) + "/" + std::to_string(reach[at].longest);
  }
  return out;
}

// Person 0: "1 2 3 4" and "1 2 9"; person 1: "1 2 3 5".
const WordRuns kOriginals = runs({{1, 2, 3, 4}, {1, 2, 9}, {1, 2, 3, 5}});
const Text kPersons = {0, 0, 1};

TEST(RarePhrases, AreThoseThatOnePersonAloneHas) {
  const WordRuns released = runs({{1, 2, 3, 4, 7}, {1, 2, 9}, {3, 5}, {7}, {}});
  const auto reach = rare_phrases(kOriginals, kPersons, released);
  // "1 2 3" is both persons', "1 2 3 4" is one's; "4" alone is one's; nobody has "7".
  EXPECT_EQ(written(reach, released, 0), "4/4 3/3 2/2 1/1 0/0");
  EXPECT_EQ(written(reach, released, 1), "3/3 2/2 1/1");
  EXPECT_EQ(written(reach, released, 2), "2/2 1/1");
  EXPECT_EQ(written(reach, released, 3), "0/0");
}

TEST(RarePhrases, OfOneLengthAreThoseOfThatLength) {
  const WordRuns released = runs({{1, 2, 3, 4, 7}, {1, 2, 9}, {3, 5}});
  RarePhraseOptions options;
  options.least = options.most = 3;
  const auto reach = rare_phrases(kOriginals, kPersons, released, options);
  EXPECT_EQ(written(reach, released, 0), "0/3 3/3 0/0 0/0 0/0");
  EXPECT_EQ(written(reach, released, 1), "3/3 0/0 0/0");
  EXPECT_EQ(written(reach, released, 2), "0/0 0/0");
}

TEST(RarePhrases, OfAPersonWhoRepeatsThemAreStillTheirs) {
  const WordRuns originals = runs({{1, 2, 3, 4}, {1, 2, 3, 5}, {6, 1}});
  const Text persons = {4, 4, 4};
  const WordRuns released = runs({{1, 2, 3, 5, 1}});
  EXPECT_EQ(written(rare_phrases(originals, persons, released), released, 0), "1/4 1/3 1/2 1/1 1/1")
      << "the longest is looked for in all places of a phrase";
}

TEST(RarePhrases, NeverGoBeyondARun) {
  const WordRuns originals = runs({{1, 2, 0, 3, 4}, {5, 6}});
  const Text persons = {0, 1};
  const WordRuns released = runs({{2, 3}, {1, 2, 3}, {4, 5}, {1, 2, 0, 3, 4}});
  const auto reach = rare_phrases(originals, persons, released);
  EXPECT_EQ(written(reach, released, 0), "1/1 1/1");
  EXPECT_EQ(written(reach, released, 1), "1/2 1/1 1/1");
  EXPECT_EQ(written(reach, released, 2), "1/1 1/1");
  EXPECT_EQ(written(reach, released, 3), "1/2 1/1 0/0 1/2 1/1");
}

// Little memory means many parts; hashes of three bits collide all the time; words come up again and again.
TEST(RarePhrases, AreThoseOfTheDefinition) {
  std::uint64_t state = 11;
  const auto draw = [&](std::uint64_t n) { return static_cast<std::uint32_t>(mix(++state) % n); };
  std::size_t rare = 0;
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t words = 1 + draw(round % 3 == 0 ? 3 : 40);
    const auto texts = [&](std::size_t count) {
      std::vector<Text> all(count);
      for (Text& text : all) {
        const std::size_t length = draw(25);
        for (std::size_t i = 0; i < length; ++i) text.push_back(draw(12) == 0 ? 0 : 1 + draw(words));
      }
      return all;
    };
    std::vector<Text> sources = texts(1 + draw(round % 5 == 0 ? 400 : 12));
    std::vector<Text> copies = texts(1 + draw(8));
    for (std::size_t i = 0; i < 4; ++i) {  // pieces of the originals
      const Text& from = sources[draw(sources.size())];
      const std::size_t at = from.empty() ? 0 : draw(from.size());
      copies.emplace_back(from.begin() + static_cast<std::ptrdiff_t>(at), from.end());
      copies.back().push_back(1 + draw(words));
    }
    const WordRuns originals = runs(sources), released = runs(copies);
    Text persons;
    for (std::size_t i = 0; i < originals.texts(); ++i) persons.push_back(draw(1 + draw(6)));
    RarePhraseOptions options;
    options.least = 1 + draw(4);
    options.most = options.least + draw(kLongestPhrase - options.least + 1);
    options.memory_bytes = draw(2) == 0 ? 1 : std::size_t{1} << 20;
    if (draw(2) == 0) options.hash_mask = 7;
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 1 + draw(3));
    const auto found = rare_phrases(originals, persons, released, options);
    const auto owners = testing::owners_by_definition(originals, persons, options.least, options.most);
    for (std::size_t text = 0; text < released.texts(); ++text) {
      for (std::size_t at = released.begin(text); at < released.end(text); ++at) {
        const Reach expected = testing::reach_by_definition(owners, released.words().first(released.end(text)), at,
                                                            options.least, options.most);
        ASSERT_EQ(found[at].alone, expected.alone) << "round " << round;
        ASSERT_EQ(found[at].longest, expected.longest) << "round " << round;
        rare += expected.alone > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(rare, 1000U);
}

TEST(RarePhrases, StopWhereTheyAreAskedTo) {
  RarePhraseOptions options;
  options.interrupted = [] { return true; };
  EXPECT_THROW(rare_phrases(kOriginals, kPersons, runs({{1, 2}}), options), Error);
}

std::vector<Reach> reach_of(const std::vector<std::pair<int, int>>& numbers) {
  std::vector<Reach> reach;
  for (const auto& [alone, longest] : numbers) {
    reach.emplace_back();
    reach.back().alone = static_cast<unsigned>(alone) & 15U;
    reach.back().longest = static_cast<unsigned>(longest) & 15U;
  }
  return reach;
}

std::string listed(const std::vector<Reach>& reach) {
  std::string out;
  for (const RarePhrase& one : listed_phrases(reach)) {
    out += (out.empty() ? "" : " ") + std::to_string(one.word) + "+" + std::to_string(one.words) + "(" +
           std::to_string(one.alone) + ")";
  }
  return out;
}

TEST(RarePhrases, AreListedWithoutTheirParts) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed(reach_of({{0, 1}, {0, 2}, {0, 1}})), "") << "others have them too";
  EXPECT_EQ(listed(reach_of({{3, 4}, {2, 3}, {1, 2}, {0, 1}, {0, 0}, {1, 1}})), "0+4(1) 5+1(1)");
  EXPECT_EQ(listed(reach_of({{3, 4}, {0, 3}, {2, 4}, {0, 3}, {0, 2}, {0, 1}})), "0+4(2) 2+4(2)") << "they overlap";
}

// Of a copy of twenty words, three phrases hold each word: not all thirteen.
TEST(RarePhrases, AreTheFewestThatHoldEveryWord) {
  std::vector<std::pair<int, int>> copied;
  for (int i = 0; i < 20; ++i) copied.emplace_back(std::min(2, 20 - i) == 2 ? 2 : 0, std::min(8, 20 - i));
  EXPECT_EQ(listed(reach_of(copied)), "0+8(2) 8+8(2) 12+8(2)");
}

}  // namespace
}  // namespace residue::text
