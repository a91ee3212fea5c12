#include "text/measures/rouge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/text/oracles.h"
#include "tests/text/parity.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

using Numbers = std::vector<std::uint32_t>;

void expect_bits(const Prf& ours, const nlohmann::json& theirs) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ours.p), std::bit_cast<std::uint64_t>(theirs.at("p").get<double>()));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ours.r), std::bit_cast<std::uint64_t>(theirs.at("r").get<double>()));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ours.f), std::bit_cast<std::uint64_t>(theirs.at("f").get<double>()));
}

TEST(Rouge, EqualsTheReferenceBitForBit) {
  const auto cases = parity_cases("rouge.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/rouge.jsonl: set RESIDUE_PARITY";
  for (const bool stem : {false, true}) {
    RougeTokenizer tokenizer(stem);
    for (const auto& row : cases) {
      SCOPED_TRACE(row.at("id").dump() + (stem ? " stemmed" : ""));
      const auto reference = row.at("ref").get<std::string>();
      const auto hypothesis = row.at("hyp").get<std::string>();
      const auto& expected = row.at(stem ? "stem" : "nostem");
      const auto a = tokenizer.tokens(reference);
      const auto b = tokenizer.tokens(hypothesis);
      expect_bits(rouge_n(a, b, 1), expected.at("rouge1"));
      expect_bits(rouge_n(a, b, 2), expected.at("rouge2"));
      expect_bits(rouge_n(a, b, 3), expected.at("rouge3"));
      expect_bits(rouge_l(a, b), expected.at("rougeL"));
      expect_bits(rouge_lsum(reference, hypothesis, stem), expected.at("rougeLsum"));
      EXPECT_EQ(lcs_length(a, b), expected.at("lcs_len").get<std::uint32_t>());
      EXPECT_EQ(rouge_tokens(reference, stem), expected.at("tokens_ref").get<std::vector<std::string>>());
      EXPECT_EQ(rouge_tokens(hypothesis, stem), expected.at("tokens_hyp").get<std::vector<std::string>>());
    }
  }
}

// Lengths around the words of 64 bits, few symbols so that much matches.
rc::Gen<Numbers> numbers() {
  return rc::gen::mapcat(rc::gen::pair(rc::gen::inRange<std::size_t>(0, 200), rc::gen::inRange<std::uint32_t>(1, 30)),
                         [](const std::pair<std::size_t, std::uint32_t>& shape) {
                           return rc::gen::container<Numbers>(shape.first,
                                                              rc::gen::inRange<std::uint32_t>(0, shape.second));
                         });
}

RC_GTEST_PROP(Lcs, EqualsTheDynamicProgramme, ()) {
  const Numbers a = *numbers();
  const Numbers b = *numbers();
  RC_ASSERT(lcs_length(a, b) == lcs_by_definition(a, b));
}

RC_GTEST_PROP(Lcs, TellsThePlacesOfOne, ()) {
  const Numbers a = *numbers();
  const Numbers b = *numbers();
  const auto places = lcs_places(a, b);
  RC_ASSERT(places.size() == lcs_by_definition(a, b));
  std::size_t at = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0) RC_ASSERT(places[i - 1] < places[i]);  // the macro evaluates both sides of ||
    while (at < b.size() && b[at] != a[places[i]]) ++at;
    RC_ASSERT(at++ < b.size());
  }
}

TEST(Lcs, CarriesThroughManyWords) {
  for (const std::size_t length : {63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
    SCOPED_TRACE(length);
    const Numbers same(length, 7);
    EXPECT_EQ(lcs_length(same, same), length);
    EXPECT_EQ(lcs_length(same, Numbers(length + 1, 7)), length);
    EXPECT_EQ(lcs_length(same, Numbers(length, 8)), 0U);
  }
  EXPECT_EQ(lcs_length(Numbers{0xFFFFFFFF, 0}, Numbers{0, 0xFFFFFFFF}), 1U);
}

TEST(Lcs, CarriesAcrossAWordWithoutMatches) {
  for (const std::size_t between : {100U, 130U, 200U, 400U}) {
    SCOPED_TRACE(between);
    Numbers a(between + 2, 1);
    a.front() = a.back() = 7;
    Numbers b(between + 3, 2);
    b.front() = 7;
    EXPECT_EQ(lcs_length(a, b), 1U);
  }
}

RC_GTEST_PROP(RougeN, CountsAsByDefinition, ()) {
  const Numbers a = *numbers();
  const Numbers b = *numbers();
  for (const unsigned n : {1U, 2U, 3U, 4U})
    RC_ASSERT(rouge_n_overlap(a, b, n).common == overlap_by_definition(a, b, n));
}

RC_GTEST_PROP(RougeOverlaps, AreThoseOfTheSingleFunctions, (bool large)) {
  Numbers a = *numbers();
  Numbers b = *numbers();
  // Numbers beyond those that have a place each are numbered another way.
  if (large && !a.empty()) a.front() = 0xFFFFFFFE;
  const RougeOverlaps all = rouge_overlaps(a, b);
  RC_ASSERT(all.rouge1 == rouge_n_overlap(a, b, 1));
  RC_ASSERT(all.rouge2 == rouge_n_overlap(a, b, 2));
  RC_ASSERT(all.rouge_l == rouge_l_overlap(a, b));
}

TEST(RougeOverlaps, CountPairsOnceAndNoneBehindTheEnd) {
  EXPECT_EQ(rouge_overlaps(Numbers{1, 2}, Numbers{1, 2, 1, 2}).rouge2.common, 1U);
  EXPECT_EQ(rouge_overlaps(Numbers{1, 1, 1}, Numbers{1, 1, 1, 1}).rouge2.common, 2U);
  EXPECT_EQ(rouge_overlaps(Numbers{1, 2}, Numbers{2, 1}).rouge2.common, 0U);
  EXPECT_EQ(rouge_overlaps(Numbers{7}, Numbers{7}), (RougeOverlaps{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
  EXPECT_EQ(rouge_overlaps(Numbers{}, Numbers{1, 2}), (RougeOverlaps{{0, 0, 2}, {0, 0, 1}, {0, 0, 2}}));
}

TEST(RougeN, IsZeroWhereTheTextIsShorterThanTheGram) {
  EXPECT_EQ(rouge_n(Numbers{1}, Numbers{1}, 2), Prf{});
  EXPECT_EQ(rouge_n_overlap(Numbers{1, 2, 3}, Numbers{1}, 2), (Overlap{0, 2, 0}));
  EXPECT_EQ(rouge_n(Numbers{}, Numbers{}, 1), Prf{});
}

TEST(RougeTokens, LowerCasesAsUnicodeDoes) {
  // Every character, between two letters: lower-case it all, then keep [a-z0-9].
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text = "x";
    append_utf8(text, c);
    text += "y";
    std::vector<std::string> expected(1);
    for (const char folded : lower(text)) {
      const bool kept = (folded >= 'a' && folded <= 'z') || (folded >= '0' && folded <= '9');
      if (kept) expected.back() += folded;
      if (!kept && !expected.back().empty()) expected.emplace_back();
    }
    ASSERT_EQ(rouge_tokens(text, false), expected) << static_cast<unsigned>(c);
  }
}

TEST(RougeTokenizer, NumbersEqualStemsEqually) {
  RougeTokenizer tokenizer(true);
  const auto tokens = tokenizer.tokens("Walks walked WALKING; walker was");
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_EQ(tokens[0], tokens[1]);
  EXPECT_EQ(tokens[0], tokens[2]);
  EXPECT_NE(tokens[0], tokens[3]);
  EXPECT_EQ(tokenizer.tokens("was")[0], tokens[4]);
  EXPECT_TRUE(tokenizer.tokens("").empty());
}

RC_GTEST_PROP(RougeTokenizer, AgreesWithTheWords, (bool stem)) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcs yingED 09-'\xC4\xB0")));
  RougeTokenizer tokenizer(stem);
  const auto numbers_of = tokenizer.tokens(text);
  const auto words_of = rouge_tokens(text, stem);
  RC_ASSERT(numbers_of.size() == words_of.size());
  for (std::size_t i = 0; i < words_of.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) RC_ASSERT((words_of[i] == words_of[j]) == (numbers_of[i] == numbers_of[j]));
  }
}

TEST(RougeTokenizer, ForgetsWhenItHasSeenTooMuch) {
  RougeTokenizer tokenizer(false);
  tokenizer.tokens("a few words");
  EXPECT_FALSE(tokenizer.clear_if_large());
  bool cleared = false;
  for (int i = 0; i < 4000000 && !cleared; ++i) {
    tokenizer.tokens("word" + std::to_string(i));
    cleared = i % 1000 == 0 && tokenizer.clear_if_large();
  }
  EXPECT_TRUE(cleared);
  EXPECT_EQ(tokenizer.tokens("new"), Numbers{0});
}

TEST(RougeLsum, TakesTheUnionOverTheLinesAndCountsNoTokenTwice) {
  // Lin 2004, section 3.2: w1 w2 w3 w4 w5 against "w1 w2 w6 w7 w8" and "w1 w3 w8 w9 w5" share w1 w2 w3 w5.
  EXPECT_EQ(rouge_lsum_overlap("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", false), (Overlap{4, 5, 10}));
  EXPECT_EQ(rouge_lsum_overlap("a\na", "a", false), (Overlap{1, 2, 1}));
  EXPECT_EQ(rouge_lsum("", "a", false), Prf{});
  EXPECT_EQ(rouge_lsum("...\n\n", "a\n", false), Prf{});
}

}  // namespace
}  // namespace residue::text
