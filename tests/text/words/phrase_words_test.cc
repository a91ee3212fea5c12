#include "text/words/phrase_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/words/analyzer.h"

namespace residue::text {
namespace {

// "a b | c": two runs.
std::string runs(const std::string& text) {
  const PhraseText words(text);
  std::string out;
  for (const PhraseWord& word : words.words()) {
    if (!out.empty()) out += word.begins_run ? " | " : " ";
    out += slice(words.read(), word.span);
  }
  return out;
}

TEST(PhraseWords, AreThoseOutsideOfMasks) {
  struct Row {
    const char *text, *runs;
  };
  for (const Row& row : std::vector<Row>{
           {"Ann met Bob, in Oslo.", "Ann met Bob in Oslo"},
           {"Ann met [NAME] in Oslo", "Ann met | in Oslo"},
           {"[NAME_1] met <PERSON> and {{DATE}} left", "met | and | left"},
           {"She saw [LAST NAME], [Name] and [REDACTED].", "She saw | and"},
           {"in XXXX with NAME_1 and REDACTED too", "in | with | and | too"},
           {"saw *** on ____ at ## noon \xE2\x96\x88\xE2\x96\x88 sharp", "saw | on | at noon | sharp"},
           {"[it] is <b>no</b> mask [3]", "it is b no b mask 3"},
           {"[NAME]", ""},
           {"", ""},
       }) {
    EXPECT_EQ(runs(row.text), row.runs) << row.text;
  }
}

// What the analyzer makes of a text without masks.
TEST(PhraseWords, AreTermsOfThePlainAnalyzer) {
  PhraseVocabulary vocabulary;
  std::vector<std::uint32_t> numbers;
  for (const char* text :
       {"Ann's BEES, Köln.", "J&#111;hn keeps bees", "Jo\xCC\x81se\xCC\x81 in \xEF\xBC\xAFslo", "x"}) {
    const PhraseText words(text);
    std::vector<std::string> terms, expected;
    Analyzer::plain().terms(text, expected);
    for (const PhraseWord& word : words.words()) {
      terms.push_back(Analyzer::plain().term(slice(words.read(), word.span)));
    }
    EXPECT_EQ(terms, expected) << text;
  }
  vocabulary.add(PhraseText("Ann's bees [NAME] koln"), numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 2, kRunEnd, 3}));
  vocabulary.find(PhraseText("[NAME] Köln: BEES of ANN"), numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{3, 2, kNoWord, 1}));
  vocabulary.add(PhraseText("ann of Bees"), numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 4, 2})) << "one word, however it is written";
  EXPECT_EQ(vocabulary.size(), 4U);
}

TEST(PhraseWords, KnowWhereTheyStandInTheTextAsItIsWritten) {
  const auto places = [](const std::string& text) {
    std::string out;
    const auto spans = PhraseText(text).as_written(text);
    if (!spans) return std::string("nobody knows");
    for (const Span& span : *spans) out += "(" + std::string(slice(text, span)) + ")";
    return out;
  };
  EXPECT_EQ(places("Ann met [NAME] here"), "(Ann)(met)(here)");
  EXPECT_EQ(places("Köln ist schön"), "(Köln)(ist)(schön)");
  EXPECT_EQ(places("Jose\xCC\x81 sings"), "(Jose\xCC\x81)(sings)") << "composed where it is read";
  EXPECT_EQ(places("J o h n   i s   h e r e"), "nobody knows");
}

}  // namespace
}  // namespace residue::text
