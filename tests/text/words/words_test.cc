#include "text/words/words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace residue::text {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for_each_word(text, [&](std::string_view word) { out.emplace_back(word); });
  return out;
}

using Strings = std::vector<std::string>;

TEST(Words, FollowUax29) {
  EXPECT_EQ(words_of("The quick (\"brown\") fox can't jump 32.3 feet, right? @ a@b.org"),
            (Strings{"The", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right", "@", "a@b.org"}));
  EXPECT_EQ(words_of("snake_case U.S.A. 1,000;5 a,b 3rd 'q' x--y"),
            (Strings{"snake_case", "U.S.A", "1,000;5", "a", "b", "3rd", "q", "x", "y"}));
  EXPECT_EQ(words_of("don’t naïve Straße Дом"), (Strings{"don’t", "naïve", "Straße", "Дом"}));
  EXPECT_EQ(words_of(std::string_view("a\0b\xFF"
                                      "c",
                                      5)),
            (Strings{"a", "b", "c"}));
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" .,!? \n").empty());
}

RC_GTEST_PROP(Words, EqualIcuOnAscii, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::oneOf(rc::gen::elementOf(std::string("aZ09@'._,;: \"\n\r\t-@/")),
                                                      rc::gen::inRange<char>(0, 127), rc::gen::just('\x7F')));
  std::vector<Span> ours;
  words(text, ours);
  RC_ASSERT(ours == words_by_icu(text));
}

TEST(Words, EqualIcuOnEveryShortAsciiText) {
  // One character of each class, all texts of six.
  const std::string letters = "a1_,;.':@ ";
  std::string text(6, 'a');
  std::vector<Span> ours;
  for (int code = 0; code < 1000000; ++code) {
    int rest = code;
    for (char& c : text) {
      c = letters[static_cast<std::size_t>(rest % 10)];
      rest /= 10;
    }
    words(text, ours);
    ASSERT_EQ(ours, words_by_icu(text)) << text;
  }
}

RC_GTEST_PROP(Words, EqualIcuOnMixedText, ()) {
  const auto pieces = *rc::gen::container<Strings>(rc::gen::elementOf(Strings{"a",
                                                                              "1",
                                                                              "'",
                                                                              ".",
                                                                              "_",
                                                                              " ",
                                                                              "\n",
                                                                              "\r\n",
                                                                              "\t",
                                                                              "’",
                                                                              "é",
                                                                              "\u0301",
                                                                              "\u200D",
                                                                              "\u00AD",
                                                                              "漢",
                                                                              "字",
                                                                              "か",
                                                                              "カ",
                                                                              "ไทย",
                                                                              "ภาษา",
                                                                              "א",
                                                                              "\"",
                                                                              "👩",
                                                                              "ℹ",
                                                                              "\u3000",
                                                                              "\u00A0",
                                                                              "\u2003",
                                                                              "🇩",
                                                                              "\xFF",
                                                                              "\xE2\x82",
                                                                              std::string(1, '\0'),
                                                                              "٣",
                                                                              ":"}));
  std::string text;
  for (const auto& piece : pieces) text += piece;
  std::vector<Span> ours;
  words(text, ours);
  RC_ASSERT(ours == words_by_icu(text));
}

TEST(Words, ServeSeveralThreads) {
  const std::string text = "naïve words can’t differ 漢字 between threads";
  const Strings expected = words_of(text);
  std::vector<std::thread> threads;
  std::vector<int> same(4, 0);
  for (std::size_t t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) same[t] += words_of(text) == expected ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace residue::text
