#include "query/score/linked_overlap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"

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

// Audit A11: what is only encoded is no distance.
TEST(LinkedOverlap, ComparesWhatIsOnlyEncodedAsItReads) {
  const std::string original = "She keeps bees near the old village. She sells honey there on Sundays.";
  const LinkedTexts plain{original, "", {"She keeps bees."}, original, {}};
  std::string entities, spaced, underscores, invisible;
  for (const char c : original) {
    entities += "&#" + std::to_string(static_cast<int>(c)) + ";";
    spaced += spaced.empty() ? std::string(1, c) : std::string(" ") + c;
    underscores += c == ' ' ? '_' : c;
    invisible += std::string(1, c) + "\u200B";
  }
  for (const std::string& encoded : {entities, spaced, underscores, invisible}) {
    LinkedTexts texts = plain;
    texts.linked = encoded;
    EXPECT_EQ(compared(texts).whole, compared(plain).whole) << encoded;
    EXPECT_EQ(compared(texts).without_known, compared(plain).without_known) << encoded;
  }
  // The words that are left count as they are written where they are closer so.
  const LinkedTexts kept{"s3ll th3 h0n3y n34r th3 0ld v1ll4g3", "", {}, "s3ll th3 h0n3y n34r th3 0ld v1ll4g3", {}};
  EXPECT_EQ(compared(kept).whole.common, compared(kept).whole.reference);
}

// Audit A11: who drops accents or adds them changes nothing that a reader sees.
TEST(LinkedOverlap, TakesDroppedAccentsForNoDistance) {
  const std::string accented = "Élodie keeps bees near Zürich. Sören sells honey there.";
  const std::string without = "Elodie keeps bees near Zurich. Soren sells honey there.";
  for (const auto& [original, linked] : {std::pair(accented, without), std::pair(without, accented)}) {
    const LinkedOverlap overlap = compared({original, "", {"Bees near the city."}, linked, {}});
    EXPECT_EQ(overlap.whole.common, overlap.whole.reference);
    EXPECT_EQ(overlap.without_known->common, overlap.without_known->reference);
  }
  // Where nobody did, ROUGE compares what it reads: é ends a word.
  const LinkedOverlap kept = compared({accented, "", {}, accented, {}});
  EXPECT_EQ(kept.whole.reference, 11U);
  // Marks of their own are the letters' own, and ß is no other letter then.
  const LinkedOverlap apart = compared({"Die Straße in Zürich.", "", {}, "Die Straße in Zu\u0308rich.", {}});
  EXPECT_EQ(apart.whole.common, apart.whole.reference);
  const LinkedTexts mail{"Mail zoë@example.org.", "", {}, "Mail zoe@example.org.", {}};
  EXPECT_EQ(compared(mail).identifiers.count, 0);
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

void expect_same(const LinkedOverlap& a, const LinkedOverlap& b) {
  EXPECT_EQ(a.whole, b.whole);
  EXPECT_EQ(a.without_known, b.without_known);
  EXPECT_EQ(a.known_bigrams, b.known_bigrams);
  EXPECT_TRUE(a.identifiers == b.identifiers);
  EXPECT_EQ(a.linked_identifiers.has_value(), b.linked_identifiers.has_value());
  if (a.linked_identifiers && b.linked_identifiers) {
    EXPECT_TRUE(*a.linked_identifiers == *b.linked_identifiers);
  }
  EXPECT_EQ(a.no_words, b.no_words);
  EXPECT_EQ(a.no_rest, b.no_rest);
}

TEST(OverlapMemory, RemembersWhatComparingFinds) {
  const std::vector<std::string> texts = {"",
                                          "Write to Ann@Example.org. She was born on 2 March 1950. She runs.",
                                          "Bob, 45 years old, keeps bees. Mail bob@example.org or call 555-123-4567.",
                                          "日本語。 Bees hum. Élodie hums with Ann@Exämple.org.",
                                          "[NAME] keeps b&#101;es, and Elodie hums. Ann@Example.org",
                                          "She was born in March.",
                                          "He keeps bees.",
                                          "Write to ann@example.org."};
  const auto read = [&](TextId id) { return texts[static_cast<std::size_t>(id.value)]; };
  for (const std::size_t room : {std::size_t{0}, std::size_t{5'000}, std::size_t{1} << 30U}) {
    OverlapMemory memory(room);
    std::uint64_t seed = 1;
    const auto draw = [&](std::uint64_t below) { return static_cast<std::int64_t>(mix(seed++) % below); };
    for (int i = 0; i < 3'000; ++i) {
      LinkedIds ids{{draw(3) + 1}, {draw(8)}, {}, {}, {}};
      for (std::int64_t n = draw(3); n > 0; --n) ids.known_claims.push_back({draw(3) + 5});
      if (draw(4) > 0) ids.linked = TextId{draw(5)};
      if (ids.linked && draw(3) > 0) ids.linked_original = TextId{draw(3) + 1};
      LinkedTexts all{read(ids.original), read(ids.known), {}, {}, {}};
      for (const TextId claim : ids.known_claims) all.known_claims.push_back(read(claim));
      if (ids.linked) all.linked = read(*ids.linked);
      if (ids.linked_original) all.linked_original = read(*ids.linked_original);
      const LinkedOverlap expected = compared(all);
      expect_same(memory.compare(ids, read), expected);
      if (HasFailure()) FAIL() << room << " " << i;
      const auto no_more = [&](TextId id) {
        EXPECT_LT(room, 1'000'000U) << "the same texts are not read again";
        return read(id);
      };
      expect_same(memory.compare(ids, no_more), expected);
    }
  }
}

}  // namespace
}  // namespace residue::query
