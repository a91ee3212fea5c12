// Words that one original alone has; masks.
#include "verbs/two_files/own_words.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace residue::verbs {
namespace {

TEST(OwnWords, SayWhoseTextItIs) {
  OwnWords words;
  words.add("She lives in Bergen and owns a red boat");
  words.add("He lives in Oslo and plays the cello by night");
  words.add("He lives in Oslo and drives a van");
  EXPECT_FALSE(words.of_another(0, "somebody in BERGEN with a red boat"));
  EXPECT_TRUE(words.of_another(1, "somebody in BERGEN with a RED boat"));
  EXPECT_FALSE(words.of_another(1, "a red boat")) << "two words of one other original are too few";
  EXPECT_FALSE(words.of_another(1, "bergen, red boat, plays cello")) << "three against two of its own";
  EXPECT_FALSE(words.of_another(0, "he lives in oslo")) << "words of several";
}

TEST(OwnWords, OfMasksAreCounted) {
  struct Case {
    const char* text;
    std::uint64_t expected;
  };
  for (const Case& one : {Case{"Ann [NAME] and <DATE_1>, [PHONE NUMBER].", 3},
                          Case{"*** **** ___ XX"
                               "XX",
                               4},
                          Case{"\u2588\u2588\u2588\u2588 **", 1}, Case{"[see below] <b>A</b> [", 0},
                          Case{"a * b, __x, MAXXI", 0}, Case{"", 0}}) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(masks(one.text), one.expected);
  }
}

}  // namespace
}  // namespace residue::verbs
