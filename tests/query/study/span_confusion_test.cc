#include "query/study/span_confusion.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace residue::query {
namespace {

text::GoldMention gold(std::size_t begin, std::size_t end, const char* type,
                       text::Identifier identifier = text::Identifier::kMask) {
  return {{begin, end}, identifier, "", "", type};
}

// "Ann Lee met Bob in Oslo." Ann Lee: replaced but for the space; Bob: half; Oslo: not; "met": nobody's mark.
TEST(SpanConfusion, CountsByType) {
  const std::string text = "Ann Lee met Bob in Oslo.";
  const std::vector<text::GoldMention> marks{gold(0, 7, "PERSON"), gold(12, 15, "PERSON"), gold(19, 23, "GPE")};
  const std::vector<ReplacedSpan> spans{{{0, 3}, "name"}, {{4, 7}, "name"}, {{8, 11}, "verb"}, {{12, 14}, "name"}};
  const SpanConfusion counts = compare_types(text, marks, spans);
  EXPECT_EQ(counts.marked,
            (std::map<std::string, TypeCounts>{{"GPE", {1, 0, {{"", 1}}}}, {"PERSON", {2, 1, {{"name", 2}}}}}));
  EXPECT_EQ(counts.replaced,
            (std::map<std::string, TypeCounts>{{"name", {3, 3, {{"PERSON", 3}}}}, {"verb", {1, 0, {{"", 1}}}}}));
}

TEST(SpanConfusion, GoesByTheTypeWithMostLetters) {
  const std::string text = "14 Crown Street, Oslo";
  const SpanConfusion counts = compare_types(text, std::vector{gold(0, 21, "ADDRESS")},
                                             std::vector<ReplacedSpan>{{{0, 2}, "number"}, {{3, 21}, "street"}});
  EXPECT_EQ(counts.marked.at("ADDRESS"), (TypeCounts{1, 1, {{"street", 1}}}));
  EXPECT_EQ(counts.replaced.at("number").others, (std::map<std::string, std::uint64_t>{{"ADDRESS", 1}}));
  // Of equals the first by name.
  const SpanConfusion tie =
      compare_types("abcd", std::vector{gold(0, 4, "X")}, std::vector<ReplacedSpan>{{{0, 2}, "b"}, {{2, 4}, "a"}});
  EXPECT_EQ(tie.marked.at("X").others.begin()->first, "a");
}

TEST(SpanConfusion, WhatNeedNotBeMaskedIsNoMark) {
  const std::vector<text::GoldMention> marks{gold(0, 3, "PERSON", text::Identifier::kNoMask)};
  const SpanConfusion counts = compare_types("Ann", marks, std::vector<ReplacedSpan>{{{0, 3}, "name"}});
  EXPECT_TRUE(counts.marked.empty());
  EXPECT_EQ(counts.replaced.at("name"), (TypeCounts{1, 0, {{"", 1}}}));
}

TEST(SpanConfusion, ReadsSpanTables) {
  const auto spans = replaced_spans(R"([[0,3,"name","[NAME]"],[4,7,"date"],["x"],[-1,2,"a","b"],[1,2,3,4]])");
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[1].type, "date");
  EXPECT_EQ(spans[1].span, (text::Span{4, 7}));
  EXPECT_TRUE(replaced_spans("nonsense").empty());
}

}  // namespace
}  // namespace residue::query
