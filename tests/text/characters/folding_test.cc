#include "text/characters/folding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "tests/text/nasty_text.h"

namespace residue::text {
namespace {

TEST(Folding, ReadsSignsAsTheirAsciiOnes) {
  EXPECT_EQ(folded("123\u201145\u20116789 1\u20132 3\u22124 5\u20106"), "123-45-6789 1-2 3-4 5-6");
  EXPECT_EQ(folded("Smith\u02BCs"), "Smith's");
  EXPECT_EQ(folded("+47\u00A022\u202F55\u200901"), "+47 22 55 01");
  EXPECT_EQ(folded("41\u200B11\u00AD11\u2060\u202E1"), "4111111");
  EXPECT_EQ(folded("\uFF41\uFF20\uFF42\uFF0E\uFF4F\uFF52\uFF47 \u0663\u0664 \u096B"), "a@b.org 34 5");
  for (const char* same : {"", "a - b", "\u2014 \u2019 \u00E9 \u65E5\u672C \u00BD \u2460", "\xFF\xC3 \xE2\x80"}) {
    EXPECT_EQ(folded(same), same);
    EXPECT_FALSE(FoldedText(same).changed());
  }
}

TEST(Folding, SpansLeaveOutWhatIsIgnoredAroundThem) {
  const std::string text = "\u200Ba\u00ADb\u200B c\u2011d\u200B";
  const FoldedText read(text);
  ASSERT_EQ(read.text(), "ab c-d");
  const auto written = [&](std::size_t begin, std::size_t end) { return slice(text, read.written({begin, end})); };
  EXPECT_EQ(written(0, 2), "a\u00ADb");
  EXPECT_EQ(written(1, 2), "b");
  EXPECT_EQ(written(3, 6), "c\u2011d");
  EXPECT_EQ(written(4, 5), "\u2011");
}

TEST(Folding, ReadsLowLinesAroundWordsAsSpaces) {
  EXPECT_EQ(folded("_a_b_ __c__ _"), " a_b    c    ");
  EXPECT_EQ(folded("a__b, \u00E9_\u00E9 1_2"), "a__b, \u00E9_\u00E9 1_2");
  const std::string text = "x _Ann Smith_ y";
  EXPECT_EQ(slice(text, FoldedText(text).written({3, 12})), "Ann Smith");
}

// Texts are read eight bytes at a time up to the next sign that may be another one.
TEST(Folding, FindsASignWhereverItStands) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t behind = 0; behind < 12; ++behind) {
      const std::string left(before, 'a'), right(behind, 'b');
      EXPECT_EQ(folded(left + "\u2011" + right), left + "-" + right);
      EXPECT_EQ(folded(left + " _" + right), left + "  " + right);
      EXPECT_EQ(folded(left + "^`\x7F" + right), left + "^`\x7F" + right);
    }
  }
}

// Of the character at `at`: a low line stays only in a run of them that stands between letters or digits.
std::string read_alone(const std::string& text, std::size_t at, std::size_t bytes) {
  if (text[at] != '_') return folded(text.substr(at, bytes));
  const auto in_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || (text[i] & 0x80) != 0);
  };
  std::size_t first = at, last = at;
  while (first > 0 && text[first - 1] == '_') --first;
  while (last < text.size() && text[last] == '_') ++last;
  return first > 0 && in_word(first - 1) && in_word(last) ? "_" : " ";
}

// By definition: character after character, and for each byte that is read the bytes that were written.
RC_GTEST_PROP(Folding, IsThatOfEachCharacter, ()) {
  const std::string text = *nasty_text(false);
  std::string all;
  std::vector<Span> written;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = code_point_at(text, at).bytes;
    const std::string one = read_alone(text, at, bytes);
    all += one;
    for (std::size_t i = 0; i < one.size(); ++i)
      written.push_back(one.size() == bytes ? Span{at + i, at + i + 1} : Span{at, at + bytes});
    at += bytes;
  }
  const FoldedText read(text);
  RC_ASSERT(read.text() == all);
  for (std::size_t begin = 0; begin < all.size(); ++begin) {
    const std::size_t end = begin + 1 + (begin * 7) % (all.size() - begin);
    RC_ASSERT(read.written({begin, end}) == (Span{written[begin].begin, written[end - 1].end}));
  }
}

}  // namespace
}  // namespace residue::text
