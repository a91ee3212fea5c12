#include "text/words/analyzer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {
namespace {

using Strings = std::vector<std::string>;

Strings terms(const Analyzer& analyzer, std::string_view text) {
  Strings out{"stale"};
  analyzer.terms(text, out);
  return out;
}

TEST(Analyzer, FspDropsPossessivesAndStopWordsAndStems) {
  EXPECT_EQ(terms(Analyzer::fsp(), "The patient's daughters were WALKING to Dr. Smith’S office with no cough."),
            (Strings{"patient", "daughter", "were", "walk", "dr", "smith", "offic", "cough"}));
  EXPECT_EQ(terms(Analyzer::fsp(), "It's its"), (Strings{"it"})) << "its is no stop word; it is";
  EXPECT_EQ(terms(Analyzer::fsp(), "can't possibly"), (Strings{"can't", "possibl"}));
  EXPECT_EQ(terms(Analyzer::fsp(), ""), Strings{});
}

TEST(Analyzer, FspHasExactlyThe33StopWordsOfLucene) {
  const std::string all =
      "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
      "this "
      "to was will with";
  EXPECT_TRUE(terms(Analyzer::fsp(), all).empty());
  EXPECT_EQ(terms(Analyzer::plain(), all).size(), 33U);
}

TEST(Analyzer, PlainDropsPossessivesAndLowers) {
  EXPECT_EQ(terms(Analyzer::plain(), "The Patient's ÉTÉ walking"), (Strings{"the", "patient", "ete", "walking"}));
  EXPECT_EQ(terms(Analyzer::plain(), "Smith's SMITH\u2019S smith\uFF07s it's its can't"),
            (Strings{"smith", "smith", "smith", "it", "its", "can't"}));
}

// A name that somebody can still read is the name, to an attacker too.
TEST(Analyzer, TakesWhatReadsTheSameForTheSame) {
  const Strings name = {"jose", "smith", "40", "\u30AC"};
  for (const char* text :
       {"Jos\u00E9 Smith 40 \u30AC", "Jose\u0301 Smith 40 \uFF76\uFF9E",
        "Jo\u200Bs\u00E9 Smi\u00ADth 4\u20600 \u30AB\u3099", "\uFF2Aos\u00E9 \uFF33mith \uFF14\uFF10 \u30AC"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(terms(Analyzer::plain(), text), name);
  }
  EXPECT_EQ(terms(Analyzer::fsp(), "She wal\u200Bked."), (Strings{"she", "walk"}));
  // What says something else stays.
  EXPECT_EQ(terms(Analyzer::plain(), "Nike\u2122 m\u00B2"), (Strings{"nike", "m"}));
}

// A text whose accents were dropped is as easily found as before.
TEST(Analyzer, TakesAccentsForNothing) {
  for (const Analyzer* analyzer : {&Analyzer::fsp(), &Analyzer::plain()}) {
    EXPECT_EQ(terms(*analyzer, "Élodie's Straße in Łódź, to the été, für ÆON"),
              terms(*analyzer, "Elodie's Strasse in Lodz, to the ete, fur AEON"));
  }
  EXPECT_EQ(terms(Analyzer::fsp(), "to Åre, du thé"), (Strings{"ar", "du", "the"})) << "no stop words as written";
  EXPECT_EQ(terms(Analyzer::plain(), "Мой ёж"), (Strings{"мой", "ёж"})) << "other scripts keep theirs";
}

TEST(Analyzer, HasNames) {
  EXPECT_EQ(Analyzer::fsp().name(), "fsp/5");
  EXPECT_EQ(Analyzer::plain().name(), "plain/6");
}

TEST(Analyzer, FitsLongTermsToXapian) {
  EXPECT_EQ(terms(Analyzer::plain(), std::string(245, 'x'))[0], std::string(245, 'x'));
  const auto cut = terms(Analyzer::plain(), std::string(246, 'x'))[0];
  EXPECT_EQ(cut.size(), 217U);
  EXPECT_EQ(cut.substr(0, 201), std::string(200, 'x') + "#");
  EXPECT_NE(cut, terms(Analyzer::plain(), std::string(247, 'x'))[0]);
  std::string wide = "x";
  for (int i = 0; i < 200; ++i) wide += "ж";
  EXPECT_EQ(terms(Analyzer::plain(), wide)[0].substr(0, 200), wide.substr(0, 199) + "#") << "cut at a character";
}

RC_GTEST_PROP(Analyzer, MakesTermsThatFitAnyIndex, (const std::string& noise)) {
  const std::string text = noise + std::string(*rc::gen::inRange<std::size_t>(0, 400), 'q') + noise + "'s";
  for (const Analyzer* analyzer : {&Analyzer::fsp(), &Analyzer::plain()}) {
    for (const auto& term : terms(*analyzer, text)) {
      RC_ASSERT(!term.empty());
      RC_ASSERT(term.size() <= 245U);
      RC_ASSERT(term.find('\0') == std::string::npos);
      RC_ASSERT(valid_utf8(term));
    }
  }
}

using Counted = std::map<std::string, std::uint32_t>;

Counted counted(TermCounter& counter, std::string_view text) {
  Counted all;
  for (const auto& [term, times] : counter.count(text)) {
    EXPECT_TRUE(all.emplace(counter.spelling(term), times).second) << "a term is counted twice";
  }
  return all;
}

RC_GTEST_PROP(TermCounter, CountsTheTermsOfEachText, (const std::vector<std::string>& texts)) {
  for (const Analyzer* analyzer : {&Analyzer::fsp(), &Analyzer::plain()}) {
    TermCounter counter(*analyzer);
    for (const std::string& part : texts) {
      for (const std::string& text : {part, "The patient's Patients walked, walking. " + part + " the walk " + part}) {
        Counted expected;
        for (const std::string& term : terms(*analyzer, text)) ++expected[term];
        RC_ASSERT(counted(counter, text) == expected);
        Strings sequence;
        for (const std::uint32_t term : counter.sequence(text)) sequence.push_back(counter.spelling(term));
        RC_ASSERT(sequence == terms(*analyzer, text));
      }
    }
  }
}

TEST(TermCounter, TellsWordsOfAnyLengthApartByEachLetter) {
  TermCounter counter(Analyzer::plain());
  for (std::size_t length = 1; length <= 40; ++length) {
    const std::string word(length, 'b');
    Counted expected{{word, 2}};
    std::string text = word + " " + word;
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = word;
      other[at] = 'x';
      text += " " + other;
      expected.emplace(other, 1);
    }
    EXPECT_EQ(counted(counter, text), expected) << length;
    EXPECT_EQ(counted(counter, text), expected) << length << ", met before";
  }
}

TEST(TermCounter, WordsOfOneTermAreCountedTogether) {
  TermCounter counter(Analyzer::fsp());
  EXPECT_EQ(counted(counter, "walk Walks walking the WALKED dog"), (Counted{{"walk", 4}, {"dog", 1}}));
  EXPECT_EQ(counted(counter, "the dogs"), (Counted{{"dog", 1}})) << "nothing is left of the text before";
  EXPECT_TRUE(counted(counter, "").empty());
}

}  // namespace
}  // namespace residue::text
