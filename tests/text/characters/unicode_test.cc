#include "text/characters/unicode.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace residue::text {
namespace {

TEST(Unicode, AcceptsExactlyWellFormedUtf8) {
  const char* const good[] = {"",
                              "plain",
                              "\x7F",
                              "é",
                              "\xE0\xA0\x80",
                              "\xED\x9F\xBF",
                              "\xEE\x80\x80",
                              "\xF0\x90\x80\x80",
                              "\xF4\x8F\xBF\xBF",
                              "twelve bytes é"};
  for (const char* text : good) EXPECT_TRUE(valid_utf8(text)) << text;
  const char* const bad[] = {"\x80",
                             "\xC0\xAF",
                             "\xC1\xBF",
                             "\xC3",
                             "\xE0\x9F\xBF",
                             "\xED\xA0\x80",
                             "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xE2\x82",
                             "\xE2\x28\xA1",
                             "0123456789\xFF",
                             "\xF0\x9F\x98"};
  for (const char* text : bad) EXPECT_FALSE(valid_utf8(text)) << text;
}

TEST(Unicode, WritesAndReadsEveryCharacter) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text = "é";
    append_utf8(text, c);
    ASSERT_TRUE(valid_utf8(text));
    ASSERT_EQ(code_point_at(text, 2).value, c);
    ASSERT_EQ(code_point_at(text, 2).bytes, text.size() - 2);
    ASSERT_EQ(before(text, text.size()), 2U);
    ASSERT_EQ(code_points(text), 2U);
  }
}

RC_GTEST_PROP(Unicode, WalksBackTheWayItCame, (const std::string& noise)) {
  std::string text =
      noise + *rc::gen::container<std::string>(rc::gen::elementOf(std::string("\xE2\x82\xAC\xF0\x9F\xC3")));
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes) starts.push_back(at);
  std::size_t at = text.size();
  for (; !starts.empty(); starts.pop_back()) {
    at = before(text, at);
    RC_ASSERT(at == starts.back());
  }
}

TEST(Unicode, LowersAsPythonDoes) {
  EXPECT_EQ(lower("Plain ASCII 123 [Z]"), "plain ascii 123 [z]");
  EXPECT_EQ(lower("ÀÉÎ ŻÓŁĆ ДОМ"), "àéî żółć дом");
  EXPECT_EQ(lower("İ"), "i\u0307");
  EXPECT_EQ(lower("ΟΔΟΣ"), "οδος");
  EXPECT_EQ(lower("ΟΔΟΣ. Σ ΑΣΑ ΑΣ\u00ADΑ"), "οδος. σ ασα ασ\u00ADα");
  EXPECT_EQ(lower("ẞ \u212A \U00010400"), "ß k \U00010428");
  EXPECT_EQ(lower("É\xFF"), "é\xFF");
}

TEST(Unicode, FindsOffsetsInThreeUnits) {
  const std::string text = "aé€😀z";
  const std::int64_t lengths[] = {5, 11, 6};
  const Unit units[] = {Unit::kCodepoint, Unit::kByte, Unit::kUtf16};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(byte_offset(text, 0, units[i]), 0U);
    EXPECT_EQ(byte_offset(text, lengths[i], units[i]), text.size());
    EXPECT_FALSE(byte_offset(text, lengths[i] + 1, units[i]));
    EXPECT_FALSE(byte_offset(text, -1, units[i]));
  }
  EXPECT_EQ(byte_offset(text, 3, Unit::kCodepoint), 6U);
  EXPECT_EQ(byte_offset(text, 3, Unit::kByte), 3U);
  EXPECT_FALSE(byte_offset(text, 2, Unit::kByte));
  EXPECT_EQ(byte_offset(text, 5, Unit::kUtf16), 10U);
  EXPECT_FALSE(byte_offset(text, 4, Unit::kUtf16)) << "between the surrogates";
}

TEST(Unicode, MeasuresColumns) {
  struct Case {
    const char* text;
    std::size_t width;
  };
  const Case table[] = {
      {"", 0},   {"abc", 3},    {"é", 1},      {"e\u0301", 1}, {"漢字", 4}, {"ｱ", 1}, {"👩‍👩‍👧", 2},
      {"🇩🇪", 2}, {"\u200B", 0}, {"❤️", 2}, {"\x1B[", 2},   {"…", 1}};
  for (const Case& row : table) EXPECT_EQ(display_width(row.text), row.width) << row.text;
}

TEST(Unicode, CutsToAWidthBetweenGraphemes) {
  struct Case {
    const char* text;
    std::size_t width;
    const char* cut;
  };
  const Case table[] = {{"abc", 3, "abc"},
                        {"abcd", 3, "ab…"},
                        {"abc", 0, ""},
                        {"abc", 1, "…"},
                        {"漢字", 4, "漢字"},
                        {"漢字", 3, "漢…"},
                        {"漢字", 2, "…"},
                        {"e\u0301xyz", 2, "e\u0301…"},
                        {"a👩‍👩‍👧b", 3, "a…"},
                        {"a\nb\tc", 9, "a b c"},
                        {"a\r\nb", 9, "a b"},
                        {"\x1B[31m", 9, "\uFFFD[31m"},
                        {"x\u202Ey", 9, "x\uFFFDy"}};
  for (const Case& row : table) EXPECT_EQ(cut_to_width(row.text, row.width), row.cut) << row.text;
}

RC_GTEST_PROP(Unicode, NeverExceedsTheWidth, (const std::string& noise)) {
  const auto width = *rc::gen::inRange<std::size_t>(0, 12);
  const std::string text =
      noise +
      *rc::gen::elementOf(std::vector<std::string>{"", "漢字", "e\u0301", "👩‍👩‍👧", "\r\n", "\x1B"}) +
      noise;
  const std::string cut = cut_to_width(text, width);
  RC_ASSERT(display_width(cut) <= width);
  RC_ASSERT(valid_utf8(cut));
  RC_ASSERT(escape_controls(cut, Breaks::kEscape) == cut);
}

TEST(Unicode, MakesControlCharactersVisible) {
  EXPECT_EQ(escape_controls("plain é"), "plain é");
  EXPECT_EQ(escape_controls("\x1B[31m\x07\x7F"), "\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(escape_controls("\u009B\u202E\u2066\u200F"), "\\x9b\\u{202e}\\u{2066}\\u{200f}");
  EXPECT_EQ(escape_controls("a\n\tb\r"), "a\n\tb\\x0d");
  EXPECT_EQ(escape_controls("a\n\tb", Breaks::kEscape), "a\\x0a\\x09b");
  EXPECT_EQ(escape_controls(std::string("\0\xFF", 2)), "\\x00\uFFFD");
}

TEST(Unicode, TrimsUnicodeWhiteSpace) {
  const std::string text = "\u00A0 \t a b\u3000\n";
  EXPECT_EQ(slice(text, trim(text, {0, text.size()})), "a b");
  EXPECT_EQ(trim("  ", {0, 2}), (Span{2, 2}));
}

}  // namespace
}  // namespace residue::text
