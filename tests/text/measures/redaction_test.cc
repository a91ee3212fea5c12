#include "text/measures/redaction.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/characters/token_diff.h"

namespace residue::text {
namespace {

// The place of `part` in `text`.
Span at(std::string_view text, std::string_view part) {
  const std::size_t begin = text.find(part);
  return {begin, begin + part.size()};
}

TEST(CompareSpans, IsTheWorkedExample) {
  const std::string text = "John Smith met Mary in Oslo.";
  const std::vector<GoldMention> gold = {{at(text, "John Smith"), Identifier::kDirect, "e1", "a1", "PERSON"},
                                         {at(text, "John Smith"), Identifier::kDirect, "e1", "a2", "PERSON"},
                                         {at(text, "Oslo"), Identifier::kQuasi, "e2", "a2", "LOC"}};
  const SpanCounts counts = compare_spans(text, gold, std::vector{at(text, "Smith"), at(text, "Oslo")});
  EXPECT_EQ(counts.recall.tokens, (Share{3, 5}));
  EXPECT_EQ(counts.recall.mentions, (Share{1, 3}));
  EXPECT_EQ(counts.recall.direct, (Share{0, 2}));
  EXPECT_EQ(counts.recall.quasi, (Share{1, 1}));
  EXPECT_EQ(counts.precision, (Share{3, 4}));
  EXPECT_EQ(counts.by_type.at("PERSON").tokens, (Share{2, 4}));
  EXPECT_EQ(counts.by_type.at("LOC").tokens, (Share{1, 1}));
  // From a sanitized text the same.
  const auto masked = masked_spans(token_diff(text, "John *** met Mary in [PLACE]."), text.size());
  EXPECT_EQ(compare_spans(text, gold, masked), counts);
}

SpanCounts of_mention(std::string_view text, const std::string& mention, const std::vector<std::string>& masked) {
  std::vector<Span> spans;
  for (const std::string& part : masked) spans.push_back(at(text, part));
  return compare_spans(text, std::vector{GoldMention{at(text, mention), Identifier::kDirect, "e", "a", "T"}}, spans);
}

TEST(CompareSpans, ForgivesFunctionWordsTitlesAndPunctuation) {
  struct Case {
    const char* text;
    const char* mention;
    std::vector<std::string> masked;
    bool forgiven;
  };
  const Case cases[] = {
      {"Mr A. Lee came", "Mr A. Lee", {"A", "Lee"}, true},
      {"MRS Lee came", "MRS Lee", {"Lee"}, true},
      {"Bank of Oslo, Ltd", "Bank of Oslo, Ltd", {"Bank", "Oslo", "Ltd"}, true},
      {"the Lees’s house", "the Lees’s", {"Lees"}, true},
      {"the s house", "the s", {"the"}, false},  // no genitive
      {"Dr Lee came", "Dr Lee", {"Lee"}, false},
      {"paid $500 now", "$500", {"500"}, false},
      {"theory of all", "theory", {"the"}, false},  // part of a word is no word
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.text);
    const SpanCounts counts = of_mention(one.text, one.mention, one.masked);
    EXPECT_EQ(counts.recall.mentions, (Share{one.forgiven ? 1U : 0U, 1}));
    EXPECT_EQ(counts.recall.direct, (Share{one.forgiven ? 1U : 0U, 1}));
  }
}

TEST(CompareSpans, ForgivesNothingWhereNothingIsMasked) {
  const SpanCounts counts = of_mention("Mr of the Oslo came", "Mr of the Oslo", {});
  EXPECT_EQ(counts.recall.tokens, (Share{0, 4}));
  EXPECT_EQ(counts.precision, (Share{0, 0}));
  // Elsewhere in the text is enough.
  EXPECT_EQ(of_mention("Mr of the Oslo came", "Mr of the Oslo", {"came"}).recall.tokens, (Share{3, 4}));
}

TEST(CompareSpans, KnowsEntitiesOfWhichNobodySaysHowTheyIdentify) {
  const std::string text = "Ann Lee came";
  const std::vector<GoldMention> gold = {{at(text, "Ann Lee"), Identifier::kMask, "e", "a", "P"}};
  const RecallCounts recall = compare_spans(text, gold, std::vector{at(text, "Ann Lee")}).recall;
  EXPECT_EQ(recall, (RecallCounts{{2, 2}, {1, 1}, {0, 0}, {0, 0}}));
}

TEST(CompareSpans, CountsTokensOfAllMentionsButAsksForThoseToBeMasked) {
  const std::string text = "Ann Lee said that Lee left. Bob stayed.";
  const Span second{text.find("Lee left"), text.find("Lee left") + 3};
  // The second mention need not be masked; Bob not at all.
  const std::vector<GoldMention> gold = {{second, Identifier::kNoMask, "e1", "a", "PERSON"},
                                         {at(text, "Ann Lee"), Identifier::kDirect, "e1", "a", "PERSON"},
                                         {at(text, "Bob"), Identifier::kNoMask, "e2", "a", "PERSON"}};
  const SpanCounts counts = compare_spans(text, gold, std::vector{at(text, "Ann Lee"), at(text, "Bob")});
  EXPECT_EQ(counts.recall.tokens, (Share{2, 3}));
  EXPECT_EQ(counts.recall.mentions, (Share{1, 2}));
  EXPECT_EQ(counts.recall.direct, (Share{1, 1}));
  EXPECT_EQ(counts.recall.quasi, (Share{0, 0}));
  EXPECT_EQ(counts.precision, (Share{2, 3}));
}

TEST(CompareSpans, TakesTwoWordsOfDifferentTokensAsMaskedOnlyIfBothAre) {
  const std::string text = "Ann Lee came";
  const std::vector<GoldMention> gold = {{at(text, "Ann"), Identifier::kQuasi, "", "a", "P"},
                                         {at(text, "Lee"), Identifier::kQuasi, "", "a", "P"}};
  // Without a name each mention is an entity of its own.
  EXPECT_EQ(compare_spans(text, gold, std::vector{at(text, "Ann")}).recall.quasi, (Share{1, 2}));
  // Overlapping and touching masks together cover what none covers alone.
  EXPECT_EQ(of_mention(text, "Ann Lee", {"nn L", "A", "Lee c"}).recall.tokens, (Share{2, 2}));
  EXPECT_EQ(compare_spans(text, gold, {}).precision, (Share{0, 0}));
  EXPECT_EQ(compare_spans(text, {}, std::vector{at(text, "Ann")}), SpanCounts{});
}

TEST(CompareTerms, IsTheWorkedExample) {
  const std::string text = "my name is John Smith zip 12345";
  const std::vector<std::string> terms = {"John", "Smith", "12345"};
  std::vector<Span> masked;
  for (const char* part : {"name", "is", "John", "12345"}) masked.push_back(at(text, part));
  EXPECT_EQ(compare_terms(text, terms, masked), (TermCounts{3, 4, 2}));
  // Substituted is redacted.
  const auto spans = masked_spans(token_diff(text, "my *** *** Peter Smith zip 99999"), text.size());
  EXPECT_EQ(compare_terms(text, terms, spans), (TermCounts{3, 4, 2}));
}

TEST(CompareTerms, FindsTermsOfSeveralWords) {
  const std::string text = "Bank of Oslo; the bank, of oslo. A bank of mine.";
  EXPECT_EQ(compare_terms(text, std::vector<std::string>{"bank of Oslo", "of Oslo", "Paris", "--"}, {}),
            (TermCounts{6, 0, 0}));
}

TEST(HasTerm, LooksForWholeWordsInAnyLetters) {
  EXPECT_TRUE(has_term("with ann-marie LEE.", "Ann Marie Lee"));
  EXPECT_FALSE(has_term("with Annmarie", "Ann"));
  EXPECT_FALSE(has_term("Ann and Lee", "Ann Lee"));
  EXPECT_TRUE(has_term("it is :-) so", ":-)"));
  EXPECT_FALSE(has_term("anything", ""));
}

}  // namespace
}  // namespace residue::text
