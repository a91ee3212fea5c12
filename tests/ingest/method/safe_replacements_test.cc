#include "ingest/method/safe_replacements.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

TEST(SafeReplacements, NeverPutTheTextIntoATag) {
  const std::string text = text::lower("My name is Zorbex, said Qwilla. A law.");
  for (const char* type :
       {"PERSON", "name", "Vessel", "US_SSN", "GPE", "LAW", "WORK_OF_ART", "n95", "abcdefghijklmnopqrstuvwxyzabcdef"}) {
    EXPECT_EQ(safe_type(text, type), type) << "usual, or not in the text";
  }
  for (const char* type : {"Qwilla", "qwilla", "ZORBEX", "ZORBEX_NAME", "US_Zorb", "", "x] Zorbex lives here", "[X",
                           "two words", "said", "B-Qwilla", "C-PER", "caf\u00E9", "abcdefghijklmnopqrstuvwxyzabcdefg"}) {
    EXPECT_EQ(safe_type(text, type), "masked") << type;
  }
}

TEST(SafeReplacements, LeaveOutWhereANameBegins) {
  EXPECT_EQ(safe_type("a person", "B-PER"), "PER");
  EXPECT_EQ(safe_type("the hospital", "i-hospital"), "hospital");
}

TEST(SafeReplacements, PhrasesSayNothingTelling) {
  struct Case {
    const char* words;
    const char* phrase;
    bool repeats;
  };
  for (const Case& c : std::vector<Case>{{"Anna Smith", "Anna", true},
                                         {"Anna Smith", "a woman called smith", true},
                                         {"Anna Smith", "ANNA\u2019s sister", true},
                                         {"Jos\u00E9 Nu\u00F1ez", "somebody called Nun\u0303ez or Nunez", true},
                                         {"Zorbex", "the Zorbexes", true},
                                         {"Zor\u00ADbex", "Zorbex", true},
                                         {"my wife Qwilla", "my wife qwil\u200Bla", true},
                                         {"my husband david", "my partner David", true},
                                         {"born 1983", "born in 1983", true},
                                         {"nurse", "a nurse", true},
                                         {"I work at Google", "I work at a Google-like firm", true},
                                         {"...", "so ...", true},
                                         {"Anna Smith", "a woman", false},
                                         {"Ann Lee", "my annual fleece", false},
                                         {"I live in Boston with my wife", "I live in a city with my wife", false},
                                         {"Works as a nurse", "Works in health care", false},
                                         {"Suffering from lupus", "Suffering from an illness", false},
                                         {"aged 45", "in their 40s", false},
                                         {"The Ohio plant", "The plant", false},
                                         {"", "anything", false}}) {
    SCOPED_TRACE(std::string(c.words) + " | " + c.phrase);
    EXPECT_EQ(repeats_words(c.phrase, c.words), c.repeats);
  }
}

}  // namespace
}  // namespace residue::ingest
