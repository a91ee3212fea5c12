// What a sanitizer did to a text, as pieces.
#include "page/answers/word_diff.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <random>
#include <string>
#include <utility>

namespace residue::page {
namespace {

// What the pieces say the two texts are.
std::pair<std::string, std::string> texts_of(const Json& pieces) {
  std::string original, sanitized;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string kind = pieces[i][0].get<std::string>(), words = pieces[i][1].get<std::string>();
    if (kind != "gone") sanitized += words;
    if (kind != "new") original += pieces[i].size() > 2 ? pieces[i][2].get<std::string>() : words;
  }
  return {original, sanitized};
}

TEST(WordDiff, SaysWhatIsGoneAndWhatStandsInItsPlace) {
  EXPECT_EQ(word_diff("The nurse Ann Lee, 45, sings.", "The nurse [NAME], [AGE], sings.").dump(),
            R"([["same","The nurse "],["gone","Ann Lee, 45"],["new","[NAME], [AGE]"],["same",", sings."]])");
  EXPECT_EQ(word_diff("", "").dump(), "[]");
  EXPECT_EQ(word_diff("a b", "").dump(), R"([["gone","a b"]])");
  EXPECT_EQ(word_diff("", "a b").dump(), R"([["new","a b"]])");
}

TEST(WordDiff, SignsOfOneTextDoNotStandInTheOther) {
  EXPECT_EQ(word_diff("nurse0. Zebra0 eats cake. Final words.", "nurse0 eats. Final words..").dump(),
            R"([["same","nurse0"],["gone",". Zebra0"],["same"," eats"],["gone"," cake"],["same",". Final words."],)"
            R"(["new","."]])");
  EXPECT_EQ(word_diff("a, b", "a; b").dump(), R"([["same","a"],["gone",","],["new",";"],["same"," b"]])");
  // A sign of two bytes is not cut where another begins with the same byte.
  EXPECT_EQ(word_diff("a«", "a»").dump(), R"([["same","a"],["gone","«"],["new","»"]])");
}

TEST(WordDiff, WhatIsSpelledInTwoWaysHasBoth) {
  EXPECT_EQ(word_diff("ANN \n sings", "Ann sings").dump(),
            R"([["same","Ann","ANN"],["same"," "],["same","","\n "],["same","sings"]])");
}

// Whatever is cut, put in or spelled in another way: the pieces are both texts.
TEST(WordDiff, GivesBothTextsBack) {
  std::mt19937 random(7);
  const char* const words[] = {"Ann", "ANN", "a", "B", "[NAME]",    "45",  "ö", "Ö", "—", "x.", "\n",
                               "zz",  "«",   "»", ",", "Zo\u200Be", "Zoe", "",  "–", "é", ".."};
  const char* const spaces[] = {" ", " ", " ", "", "  ", "\n", ", ", ". ", "\u00A0"};
  const auto one_of = [&](const auto& all) { return std::string(all[random() % std::size(all)]); };
  for (int round = 0; round < 3000; ++round) {
    std::string a, b;
    for (int i = 0; i < 12; ++i) {
      const std::string word = one_of(words), space = one_of(spaces);
      if (random() % 4 != 0) a += word + (random() % 3 != 0 ? space : one_of(spaces));
      if (random() % 4 != 0) b += word + (random() % 3 != 0 ? space : one_of(spaces));
    }
    const auto [original, sanitized] = texts_of(word_diff(a, b));
    ASSERT_EQ(original, a) << b;
    ASSERT_EQ(sanitized, b) << a;
  }
}

}  // namespace
}  // namespace residue::page
