#include "text/characters/scripts.h"

#include <gtest/gtest.h>
#include <unicode/uscript.h>

#include <string_view>

namespace residue::text {
namespace {

TEST(MainScript, IsThatOfMostLetters) {
  struct Case {
    std::string_view text;
    Script script;
  };
  for (const Case& c :
       {Case{"She keeps bees.", USCRIPT_LATIN}, Case{"Élodie wohnt in Zürich.", USCRIPT_LATIN},
        Case{"Она держит пчёл.", USCRIPT_CYRILLIC},
        Case{"Kelvin Carraway живёт в Стромнессе, где держит пчёл.", USCRIPT_CYRILLIC},
        Case{"Kelvin Carraway lives in Стромнесс.", USCRIPT_LATIN},
        Case{"她住在北京,在那里养蜂很多年了。", USCRIPT_HAN}, Case{"かのじょはみつばちをかっています", USCRIPT_HAN},
        Case{"[***] 12.03.2020 -- 17", kNoScript}, Case{"", kNoScript}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(main_script(c.text, kTextLetters), c.script);
  }
  EXPECT_EQ(main_script("He is 4.", kTextLetters), kNoScript);
  EXPECT_EQ(main_script("He is 4.", kClaimLetters), USCRIPT_LATIN);
}

TEST(MainScript, SaysWhatCanBeCompared) {
  EXPECT_TRUE(comparable(USCRIPT_LATIN, USCRIPT_LATIN));
  EXPECT_TRUE(comparable(USCRIPT_LATIN, kNoScript)) << "mask signs say nothing in any script";
  EXPECT_FALSE(comparable(USCRIPT_LATIN, USCRIPT_HAN));
}

}  // namespace
}  // namespace residue::text
