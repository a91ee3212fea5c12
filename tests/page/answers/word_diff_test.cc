// What a sanitizer did to a text, as pieces.
#include "page/answers/word_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace residue::page {
namespace {

TEST(WordDiff, SaysWhatIsGoneAndWhatStandsInItsPlace) {
  EXPECT_EQ(word_diff("The nurse Ann Lee, 45, sings.", "The nurse [NAME], [AGE], sings.").dump(),
            R"([["same","The nurse"],["gone"," Ann Lee, 45, "],["new"," [NAME], [AGE], "],["same","sings."]])");
  EXPECT_EQ(word_diff("", "").dump(), "[]");
  EXPECT_EQ(word_diff("a b", "").dump(), R"([["gone","a b"]])");
  EXPECT_EQ(word_diff("", "a b").dump(), R"([["new","a b"]])");
}

// Whatever is cut: the pieces that are not gone are the sanitized text.
TEST(WordDiff, GivesTheSanitizedTextBack) {
  std::mt19937 random(7);
  const char* const words[] = {"Ann", "a", "B", "[NAME]", "45", "ö", "—", "x.", "\n", "zz"};
  for (int round = 0; round < 500; ++round) {
    std::string a, b;
    for (int i = 0; i < 12; ++i) {
      const std::string word = words[random() % 10];
      if (random() % 4 != 0) a += word + " ";
      if (random() % 4 != 0) b += word + " ";
    }
    std::string back;
    const Json pieces = word_diff(a, b);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i][0].get<std::string>() != "gone") back += pieces[i][1].get<std::string>();
    }
    EXPECT_EQ(back, b);
  }
}

}  // namespace
}  // namespace residue::page
