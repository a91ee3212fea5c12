#include "text/characters/token_diff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text/oracles.h"
#include "text/measures/rouge.h"

namespace residue::text {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

Texts tokens(std::string_view text) {
  Texts out;
  for (const Span token : word_tokens(text)) out.emplace_back(slice(text, token));
  return out;
}

TEST(WordTokens, AreLettersNumbersAndUnderscores) {
  EXPECT_EQ(tokens("John_2's 3.5 naïve—x² ٣ Ⅳ"), (Texts{"John_2", "s", "3", "5", "naïve", "x²", "٣", "Ⅳ"}));
  EXPECT_EQ(tokens("日本 का"), (Texts{"日本", "क"}));  // a vowel sign is a mark
  EXPECT_EQ(tokens(" .\xff!"), Texts{});
}

bool is_common_subsequence(const Numbers& a, const Numbers& b, const std::vector<Pair>& pairs) {
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (pairs[k].a >= a.size() || pairs[k].b >= b.size() || a[pairs[k].a] != b[pairs[k].b]) return false;
    if (k > 0 && (pairs[k].a <= pairs[k - 1].a || pairs[k].b <= pairs[k - 1].b)) return false;
  }
  return true;
}

RC_GTEST_PROP(LcsPairs, AreOneLongestCommonSubsequence, ()) {
  const auto symbols = *rc::gen::inRange<std::uint32_t>(1, 20);
  const auto text = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 150), [symbols](std::size_t length) {
    return rc::gen::container<Numbers>(length, rc::gen::inRange<std::uint32_t>(0, symbols));
  });
  const Numbers a = *text;
  const Numbers b = *text;
  const auto pairs = lcs_pairs(a, b);
  RC_ASSERT(is_common_subsequence(a, b, pairs));
  RC_ASSERT(pairs.size() == lcs_by_definition(a, b));
}

TEST(LcsPairs, StayLongestWhereTextsAreCutInHalves) {
  Numbers a(17000);
  Numbers b(17001);
  std::uint32_t state = 1;
  for (auto* numbers : {&a, &b}) {
    for (std::uint32_t& number : *numbers) {
      state = state * 1664525 + 1013904223;
      number = state >> 26;
    }
  }
  const auto pairs = lcs_pairs(a, b);
  EXPECT_TRUE(is_common_subsequence(a, b, pairs));
  EXPECT_EQ(pairs.size(), lcs_length(a, b));
}

Texts slices(std::string_view text, const std::vector<Span>& spans) {
  Texts out;
  for (const Span span : spans) out.emplace_back(slice(text, span));
  return out;
}

// Words replaced here and there, a part of half a window added and one removed.
TEST(NearbyPairs, AreAsManyAsTheLongestWhereTextsDifferNearby) {
  Numbers a(40'000), b;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint32_t>(i * i % 7'919);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i == 10'000) b.insert(b.end(), 1'500, 9'000);
    if (i >= 20'000 && i < 21'500) continue;
    b.push_back(i % 3 == 0 ? 8'000 : a[i]);
    if (i % 50 == 0) b.push_back(8'001);
  }
  const auto pairs = nearby_pairs(a, b);
  EXPECT_TRUE(is_common_subsequence(a, b, pairs));
  EXPECT_GE(pairs.size() + 20, lcs_pairs(a, b).size());
}

RC_GTEST_PROP(NearbyPairs, AreACommonSubsequenceOfWhateverTexts, ()) {
  const auto length = rc::gen::inRange<std::size_t>(0, 20'000);
  const auto symbols = *rc::gen::inRange<std::uint32_t>(1, 3'000), step = *rc::gen::inRange<std::uint32_t>(1, 99);
  Numbers a(*length), b(*length);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint32_t>(i * step % symbols);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::uint32_t>(i * (step + 1) % symbols);
  RC_ASSERT(is_common_subsequence(a, b, nearby_pairs(a, b)));
}

TEST(TokenDiff, TellsWhatIsGoneAndWhatStandsThere) {
  const std::string original = "Mrs. Ann Lee, 47, met John.";
  const std::string sanitized = "[PERSON], 47, then met ***.";
  const TokenDiff diff = token_diff(original, sanitized);
  const auto gone = removals(diff);
  ASSERT_EQ(gone.size(), 2U);
  EXPECT_EQ(slice(original, gone[0].removed), "Mrs. Ann Lee");
  EXPECT_EQ(slice(sanitized, *gone[0].by), "PERSON");
  EXPECT_EQ(slice(original, gone[1].removed), "John");
  EXPECT_EQ(gone[1].by, std::nullopt);
  EXPECT_EQ(slices(original, masked_spans(diff, original.size())), (Texts{"Mrs. Ann Lee, ", " John."}));
}

TEST(TokenDiff, KnowsWordsInOtherLettersAndOtherPlaces) {
  // The alignment keeps one of the two names; the other one can be read all the same.
  const TokenDiff diff = token_diff("Mary met JOHN", "John was met by Mary");
  EXPECT_EQ(std::ranges::count(diff.fate, Fate::kGone), 0);
  EXPECT_EQ(std::ranges::count(diff.fate, Fate::kMoved), 2);
  EXPECT_TRUE(removals(diff).empty());
  EXPECT_TRUE(masked_spans(diff, 13).empty());
  // Only as often as it is there.
  const TokenDiff twice = token_diff("Ann x Ann", "Ann");
  EXPECT_EQ(std::ranges::count(twice.fate, Fate::kGone), 2);
}

TEST(TokenDiff, TellsEqualTokensApartByWhatStandsAroundThem) {
  const auto gone = [](const std::string& original, const std::string& sanitized) {
    return slices(original, masked_spans(token_diff(original, sanitized), original.size()));
  };
  EXPECT_EQ(gone("by Mr A. Lee, a lawyer", "by Mr ***, a lawyer"), Texts{" A. Lee, "});
  EXPECT_EQ(gone("On 14 and 27 July and 24 March we", "On *** and 24 March we"), Texts{" 14 and 27 July "});
  EXPECT_EQ(gone("seen (the Court) by the Court", "seen (the Court) by ***"), Texts{" the Court"});
  EXPECT_EQ(gone("seen (the Court) by the Court", "seen (***) by the Court"), Texts{" (the Court) "});
  // Nothing tells them apart: the number of words is right all the same.
  EXPECT_EQ(gone("x a a a y", "x a y").size(), 1U);
}

TEST(TokenDiff, OfNothingAndOfEverything) {
  EXPECT_EQ(slices("Ann, 47", masked_spans(token_diff("Ann, 47", ""), 7)), Texts{"Ann, 47"});
  EXPECT_TRUE(masked_spans(token_diff("Ann, 47", "Ann, 47"), 7).empty());
  EXPECT_TRUE(masked_spans(token_diff("", "x"), 0).empty());
  EXPECT_TRUE(removals(token_diff("", "")).empty());
}

}  // namespace
}  // namespace residue::text
