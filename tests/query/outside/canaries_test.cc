#include "query/outside/canaries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "text/words/analyzer.h"

namespace residue::query {
namespace {

const CanaryKey kKey = {"00112233445566778899aabbccddeeff", 20, 40};

const CanaryFound& of(const std::vector<CanaryFound>& found, std::size_t canary) { return found.at(canary); }

TEST(Canaries, AreWhatTheirSeedSays) {
  const auto made = make_canaries(kKey), again = make_canaries(kKey);
  ASSERT_EQ(made.size(), 20U);
  std::set<std::string> ids, texts;
  std::set<std::vector<std::string>> secrets;
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i].text, again[i].text);
    EXPECT_EQ(made[i].id, again[i].id);
    EXPECT_EQ(made[i].kind, i % 2 == 0 ? "phrase" : "number");
    EXPECT_EQ(made[i].secret.size(), i % 2 == 0 ? 4U : 3U);
    ids.insert(made[i].id);
    secrets.insert(made[i].secret);
    std::vector<std::string> words;
    text::Analyzer::plain().terms(made[i].text, words);
    EXPECT_GE(words.size(), kKey.words);
    EXPECT_NE(std::search(words.begin(), words.end(), made[i].secret.begin(), made[i].secret.end()), words.end())
        << made[i].text;
  }
  EXPECT_EQ(ids.size(), 20U);
  EXPECT_EQ(secrets.size(), 20U);
  EXPECT_NE(make_canaries({"ff112233445566778899aabbccddeeff", 20, 40})[0].secret, made[0].secret);
}

TEST(Canaries, AreFoundWholeWhereTheirWordsStandInARow) {
  const auto made = make_canaries(kKey);
  CanarySearch search(kKey);
  search.read(made[0].text);
  const auto& phrase = made[2].secret;
  search.read(fmt::format("Well, {}, {}. {}; {}!", phrase[0], phrase[1], phrase[2], phrase[3]));
  const auto& number = made[1].secret;
  search.read(fmt::format("call ({}) {} {}", number[0], number[1], number[2]));
  const auto found = search.found();
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_TRUE(of(found, i).whole());
    EXPECT_EQ(of(found, i).rank, 1);
    EXPECT_DOUBLE_EQ(of(found, i).exposure, std::log2(1000.0));
  }
  EXPECT_EQ(std::ranges::count_if(found, [](const CanaryFound& one) { return one.whole(); }), 3);
}

// Two words in one text and two in another are two in a row, and no whole.
TEST(Canaries, AreFoundInPartByTheLongestRunInOneText) {
  const auto made = make_canaries(kKey);
  const auto& phrase = made[0].secret;
  CanarySearch search(kKey);
  search.read(phrase[0] + " " + phrase[1]);
  search.read(phrase[2] + " " + phrase[3]);
  const auto found = search.found();
  EXPECT_EQ(of(found, 0).longest, 2U);
  EXPECT_FALSE(of(found, 0).whole());
  EXPECT_GT(of(found, 0).exposure, 8) << "hardly an alternative has two of these words in a row";
}

// Of a release that knows none of them nothing is exposed: all are tied.
TEST(Canaries, AreAtTheMiddleWhereNothingIsKnown) {
  CanarySearch search(kKey);
  search.read("Nothing of this kind stands here.");
  for (const CanaryFound& one : search.found()) {
    EXPECT_EQ(one.longest, 0U);
    EXPECT_DOUBLE_EQ(one.rank, 1 + 999 / 2.0);
  }
}

// Common words of the list in a text help all secrets alike: the mean exposure stays near that of chance.
TEST(Canaries, AreNoMoreExposedThanOthersByWordsThatAnybodyUses) {
  const CanaryKey many = {"00112233445566778899aabbccddeeff", 200, 40};
  const auto others = make_canaries({"aa112233445566778899aabbccddeeff", 200, 40});
  CanarySearch search(many);
  for (const Canary& one : others) search.read(one.text);
  double sum = 0;
  for (const CanaryFound& one : search.found()) sum += one.exposure;
  EXPECT_LT(sum / 200, chance_exposure() + 0.3);
  EXPECT_NEAR(chance_exposure(), 1 / std::log(2.0), 0.01);
}

}  // namespace
}  // namespace residue::query
