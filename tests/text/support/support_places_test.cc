// The fast ways to ask where the words of a claim stand, against their definitions on random passages.
#include "text/support/support_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "text/support/occurrences.h"

namespace residue::text {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct RandomPassage {
  std::vector<Numbers> places;  // of each word of the claim
  std::vector<PlacedWord> words;
  Numbers sentence_of, first_word;

  explicit RandomPassage(std::mt19937_64& dice) {
    const auto upto = [&](std::uint64_t most) { return static_cast<std::uint32_t>(dice() % (most + 1)); };
    const std::uint32_t sentences = 1 + upto(dice() % 8 == 0 ? 400 : 12);
    for (std::uint32_t sentence = 0; sentence < sentences; ++sentence) {
      first_word.push_back(static_cast<std::uint32_t>(sentence_of.size()));
      sentence_of.insert(sentence_of.end(), upto(9), sentence);
    }
    const auto tokens = static_cast<std::uint32_t>(sentence_of.size());
    first_word.push_back(tokens);
    places.resize(1 + upto(9));
    for (Numbers& of_word : places) {
      const std::uint32_t one_in = 1U << upto(8);
      for (std::uint32_t at = 0; at < tokens; ++at) {
        if (dice() % one_in == 0) of_word.push_back(at);
      }
    }
    for (const Numbers& of_word : places) {
      words.push_back({of_word, std::int64_t{upto(3)} * 16, static_cast<std::int64_t>(1 + upto(27))});
    }
  }
};

BestWindow window_by_definition(const RandomPassage& passage, std::uint32_t length) {
  const auto sentences = static_cast<std::uint32_t>(passage.first_word.size() - 1);
  BestWindow best;
  for (std::uint32_t window = 0; window == 0 || window + length <= sentences; ++window) {
    std::int64_t worth = 0;
    for (const PlacedWord& word : passage.words) {
      const bool there = std::any_of(word.places.begin(), word.places.end(), [&](std::uint32_t at) {
        return passage.sentence_of[at] >= window && passage.sentence_of[at] < window + length;
      });
      worth += there ? word.worth : 0;
    }
    if (worth > best.worth) best = {window, worth};
  }
  return best;
}

TEST(SupportPlaces, FindTheFirstBestWindow) {
  std::mt19937_64 dice(7);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const RandomPassage passage(dice);
    for (const std::uint32_t length : {1U, 3U}) {
      const BestWindow wanted = window_by_definition(passage, length);
      const BestWindow found = best_window(passage.words, passage.sentence_of, passage.first_word, length);
      ASSERT_EQ(found.worth, wanted.worth);
      ASSERT_EQ(found.sentence, wanted.sentence);
    }
  }
}

// Every place belongs to the last word that has it; a word is near if the words that own the eight places on either
// side, of the three words before and behind it in the claim, have a third of their weight.
bool near_by_definition(const std::vector<PlacedWord>& words, std::size_t n) {
  std::map<std::uint32_t, std::size_t> owners;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::uint32_t at : words[i].places) owners[at] = i;
  }
  const auto is_neighbour = [&](std::size_t i) { return i != n && i + 3 >= n && i <= n + 3; };
  std::int64_t around = 0;
  for (std::size_t i = 0; i < words.size(); ++i) around += is_neighbour(i) ? words[i].weight : 0;
  for (std::size_t k = 0; around > 0 && k < words[n].places.size() && k < 64; ++k) {
    const std::uint32_t at = words[n].places[k];
    std::vector<bool> seen(words.size());
    std::int64_t there = 0;
    for (std::uint32_t place = at - std::min(at, 8U); place <= at + 8; ++place) {
      const auto owner = owners.find(place);
      if (owner == owners.end() || !is_neighbour(owner->second) || seen[owner->second]) continue;
      seen[owner->second] = true;
      there += words[owner->second].weight;
    }
    if (there * 3 >= around) return true;
  }
  return false;
}

TEST(SupportPlaces, KnowWhatStandsNear) {
  std::mt19937_64 dice(8);
  int near = 0, apart = 0;
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    const RandomPassage passage(dice);
    for (std::size_t n = 0; n < passage.words.size(); ++n) {
      const bool wanted = near_by_definition(passage.words, n);
      ASSERT_EQ(stands_near(passage.words, n), wanted) << n;
      (wanted ? near : apart) += passage.words[n].places.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(near, 1000);
  EXPECT_GT(apart, 1000);
}

// A frequent word in a long passage: only the places near the rare one are looked at, or this takes minutes.
TEST(SupportPlaces, CostNoMoreForAWordThatIsEverywhere) {
  constexpr std::uint32_t kTokens = 2'000'000, kASentence = 10;
  Numbers everywhere(kTokens), sentence_of(kTokens), first_word;
  for (std::uint32_t at = 0; at < kTokens; ++at) {
    everywhere[at] = at;
    sentence_of[at] = at / kASentence;
    if (at % kASentence == 0) first_word.push_back(at);
  }
  first_word.push_back(kTokens);
  const Numbers once = {kTokens / 2};
  const std::vector<PlacedWord> words = {{everywhere, 16, 1}, {once, 32, 2}, {everywhere, 15, 1}};
  for (int claim = 0; claim < 20'000; ++claim) {
    const BestWindow best = best_window(words, sentence_of, first_word, 3);
    ASSERT_EQ(best.worth, 63);
    ASSERT_EQ(best.sentence, kTokens / 2 / kASentence - 2);
    ASSERT_TRUE(stands_near(words, 1));
  }
}

TEST(Occurrences, LieInARow) {
  Occurrences table;
  EXPECT_FALSE(table.has(3));
  for (int again = 0; again < 2; ++again) {
    table.clear();
    std::mt19937_64 dice(9);
    std::map<std::uint64_t, Numbers> wanted;
    for (std::uint32_t place = 0; place < 5000; ++place) {
      const std::uint64_t key = dice() % (again == 0 ? 64 : 4096) << 8U;  // many share the lowest bits
      wanted[key].push_back(place);
      table.add(key, place);
    }
    table.finish();
    for (const auto& [key, places] : wanted) {
      const Places found = table.of(key);
      ASSERT_EQ(Numbers(found.begin(), found.end()), places);
      ASSERT_FALSE(table.has(key + 1));
    }
  }
  table.clear();
  table.finish();
  EXPECT_FALSE(table.has(0));
}

TEST(Occurrences, AreTakenBetweenTwoWords) {
  const Numbers places = {1, 4, 4, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 30};
  for (std::uint32_t from = 0; from < 33; ++from) {
    for (std::uint32_t to = from; to < 33; ++to) {
      const Places found = between(places, from, to);
      Numbers wanted;
      std::copy_if(places.begin(), places.end(), std::back_inserter(wanted),
                   [&](std::uint32_t place) { return place >= from && place < to; });
      ASSERT_EQ(Numbers(found.begin(), found.end()), wanted);
    }
  }
}

}  // namespace
}  // namespace residue::text
