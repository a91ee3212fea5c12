#include "query/linked_overlap.h"

#include <gtest/gtest.h>

namespace residue::query {
namespace {

LinkedOverlap compared(const LinkedTexts& texts) {
  text::RougeTokenizer tokenizer(true);
  return compare(tokenizer, texts);
}

// By hand: "bees hum daily" is in "bees hum he runs daily"; without the sentence of the claim, "bees hum" is left.
TEST(LinkedOverlap, CountsWordsOfAllAndOfWhatIsNotKnown) {
  const LinkedOverlap overlap = compared({"Bees hum. He runs daily.", "", {"He runs far."}, "bees hum daily", {}});
  EXPECT_EQ(overlap.whole, (text::Overlap{3, 5, 3}));
  EXPECT_EQ(overlap.without_known, (text::Overlap{2, 2, 3}));
}

TEST(LinkedOverlap, FindsIdentifiersInOtherCaseAndWithinWords) {
  const LinkedTexts texts{
      "Write to Ann@Example.org or call. She was born on 2 March 1950.", "", {}, "see ann@example.ORGS, March", {}};
  const LinkedOverlap overlap = compared(texts);
  EXPECT_EQ(overlap.identifiers.of, 2);
  EXPECT_EQ(overlap.identifiers.count, 1);  // the date is gone
}

TEST(LinkedOverlap, FindsIdentifiersThatReadTheSame) {
  for (const char* linked :
       {"see ann@ex\u200Bample.org", "see a\u00ADnn@example.org", "see \uFF41nn\uFF20example\uFF0Eorg"}) {
    const LinkedTexts texts{"Write to Ann@Example.org or call.", "", {}, linked, {}};
    EXPECT_EQ(compared(texts).identifiers.of, 1) << linked;
    EXPECT_EQ(compared(texts).identifiers.count, 0) << linked;
  }
}

TEST(LinkedOverlap, CountsAnIdentifierOnce) {
  const LinkedTexts texts{"Mail ann@example.org. Again ANN@example.org!", "", {}, "nothing", {}};
  EXPECT_EQ(compared(texts).identifiers.of, 1);
}

TEST(LinkedOverlap, LeavesOutSentencesThatCarryAuxiliaryClaims) {
  LinkedTexts texts{"He keeps bees. His mail is ann@example.org.", "", {"His mail is known."}, "nothing", {}};
  EXPECT_EQ(compared(texts).identifiers.of, 0);
  texts.known_claims = {"He keeps bees."};
  EXPECT_EQ(compared(texts).identifiers.of, 1);
  EXPECT_EQ(compared(texts).identifiers.count, 1);
}

TEST(LinkedOverlap, SaysWithoutAnyTextWhetherWordsAreLeft) {
  LinkedTexts texts{"Bees hum. He runs.", "", {"Bees hum."}, std::nullopt, {}};
  EXPECT_FALSE(compared(texts).no_rest);
  texts.known_claims.emplace_back("He runs.");
  EXPECT_TRUE(compared(texts).no_rest);
  EXPECT_FALSE(compared(texts).no_words);
  texts.original = "Bees hum. 日本語。";  // a sentence is left, but no word that ROUGE sees
  EXPECT_TRUE(compared(texts).no_rest);
}

TEST(LinkedOverlap, LooksAtTheLinkedRecordsOriginalAsTheReferenceDoes) {
  const LinkedTexts texts{"Mail ann@example.org.", "", {}, "Mail bob@example.org.", "Mail bob@example.org."};
  const LinkedOverlap overlap = compared(texts);
  EXPECT_EQ(overlap.identifiers.count, 1);
  ASSERT_TRUE(overlap.linked_identifiers);
  EXPECT_EQ(overlap.linked_identifiers->count, 0);
  EXPECT_EQ(overlap.linked_identifiers->of, 1);
}

}  // namespace
}  // namespace residue::query
