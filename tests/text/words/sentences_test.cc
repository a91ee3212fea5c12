#include "text/words/sentences.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace residue::text {
namespace {

using Strings = std::vector<std::string>;

Strings sentences_of(std::string_view text) {
  Strings out;
  for (const Span span : sentences(text)) out.emplace_back(slice(text, span));
  return out;
}

struct Case {
  const char* text;
  Strings expected;
};

void expect_all(const std::vector<Case>& table) {
  for (const Case& row : table) {
    SCOPED_TRACE(row.text);
    EXPECT_EQ(sentences_of(row.text), row.expected);
  }
}

TEST(Sentences, EndAtTerminalPunctuation) {
  expect_all({
      {"", {}},
      {" \n\t ", {}},
      {"One.", {"One."}},
      {"He left. She stayed! Did it rain? Yes.", {"He left.", "She stayed!", "Did it rain?", "Yes."}},
      {"He said \"Go away.\" Then he left.", {"He said \"Go away.\"", "Then he left."}},
      {"\"Why?\" he asked. (Nobody knew.) It rained.", {"\"Why?\" he asked.", "(Nobody knew.)", "It rained."}},
      {"Il est là. Élodie aussi.", {"Il est là.", "Élodie aussi."}},
      {"今日は雨です。明日は晴れ。", {"今日は雨です。", "明日は晴れ。"}},
      {"I use the app. It works.", {"I use the app.", "It works."}},
      {"no end", {"no end"}},
  });
}

TEST(Sentences, DoNotEndAtAbbreviations) {
  expect_all({
      {"Dr. Smith saw Mrs. Jones. She was ill.", {"Dr. Smith saw Mrs. Jones.", "She was ill."}},
      {"Give e.g. Aspirin. Stop Ibuprofen.", {"Give e.g. Aspirin.", "Stop Ibuprofen."}},
      {"See Fig. 3 and No. 5. No. He left.", {"See Fig. 3 and No. 5.", "No.", "He left."}},
      {"J. Smith met John F. Kennedy. They spoke.", {"J. Smith met John F. Kennedy.", "They spoke."}},
      {"She had hepatitis C. Treatment began.", {"She had hepatitis C.", "Treatment began."}},
      {"The U.S. Army came at 5 p.m. The town slept.", {"The U.S. Army came at 5 p.m.", "The town slept."}},
      {"Morphine i.v. Furosemide b.i.d. He slept.", {"Morphine i.v. Furosemide b.i.d.", "He slept."}},
      {"(Dr. Lee agreed.) Fine.", {"(Dr. Lee agreed.)", "Fine."}},
  });
}

TEST(Sentences, DoNotEndInsideNumbers) {
  expect_all({
      {"It was 3.5 mg. Then 2.0 L.", {"It was 3.5 mg.", "Then 2.0 L."}},
      {"1. Aspirin daily. 2. Rest.", {"1. Aspirin daily.", "2. Rest."}},
      {"At 10:30 a.m. on 4.5.2020 it began.", {"At 10:30 a.m. on 4.5.2020 it began."}},
  });
}

TEST(Sentences, EndAtLinesOnlyWhereTheTextDoes) {
  expect_all({
      {"A wrapped\nline goes on. Next", {"A wrapped\nline goes on.", "Next"}},
      {"A wrapped\r\nline.\r\nNext", {"A wrapped\r\nline.", "Next"}},
      {"A heading\n\nA text", {"A heading", "A text"}},
      {"A heading\r\n \r\nA text", {"A heading", "A text"}},
      {"Findings\n- cough\n- fever\n* rash", {"Findings", "- cough", "- fever", "* rash"}},
      {"Plan\n1. rest\n2. water", {"Plan", "1. rest", "2. water"}},
      {"It fell\n-5 degrees\n3.5 times", {"It fell\n-5 degrees\n3.5 times"}},
      {"He ended.\nthen came", {"He ended.", "then came"}},
      {"Seen by Dr.\nSmith today.", {"Seen by Dr.\nSmith today."}},
  });
}

TEST(Sentences, KnowAboutAHundredAbbreviations) {
  EXPECT_GE(abbreviations().size(), 100U);
  for (const std::string_view word : abbreviations()) {
    SCOPED_TRACE(word);
    EXPECT_TRUE(word.ends_with('.'));
    EXPECT_EQ(sentences_of("Here " + std::string(word) + " 5 Things.").size(), 1U);
  }
}

RC_GTEST_PROP(Sentences, HoldEveryCharacterOnceAndInOrder, ()) {
  const auto pieces = *rc::gen::container<Strings>(rc::gen::elementOf(
      Strings{"A",  "b", "Dr.", ".", "!", "?",  " ",  "  ", "\n",   "\r\n",     "\u00A0", "\u2029", "- ",   "1.",
              "\"", "”", "(",   ")", "5", "漢", "。", "…",  "\xFF", "\xE2\x80", "é",      "\u0301", "The ", "no. "}));
  std::string text;
  for (const auto& piece : pieces) text += piece;
  std::size_t at = 0;
  const auto only_space = [&](std::size_t end) { return trim(text, {at, end}).begin == end; };
  for (const Span span : sentences(text)) {
    RC_ASSERT(span.begin >= at);
    RC_ASSERT(span.begin < span.end);
    RC_ASSERT(only_space(span.begin));
    RC_ASSERT(trim(text, span) == span);
    at = span.end;
  }
  RC_ASSERT(only_space(text.size()));
}

}  // namespace
}  // namespace residue::text
