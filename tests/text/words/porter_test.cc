#include "text/words/porter.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/text/parity.h"

namespace residue::text {
namespace {

TEST(Porter, EqualsNltkOnEveryWordOfTheParityFile) {
  const auto cases = parity_cases("porter.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no parity/porter.jsonl: set RESIDUE_PARITY";
  for (const auto& row : cases) {
    const auto word = row.at("w").get<std::string>();
    SCOPED_TRACE(word);
    EXPECT_EQ(porter_stem(word, Porter::kNltk), row.at("stem").get<std::string>());
  }
}

struct Forms {
  const char* word;
  const char* nltk;
  const char* martin;
};

TEST(Porter, HasTwoFormsThatDifferWhereTheirAuthorsDo) {
  const Forms table[] = {{"skies", "sky", "ski"},
                         {"dying", "die", "dy"},
                         {"news", "news", "new"},
                         {"ties", "tie", "ti"},
                         {"died", "die", "di"},
                         {"spied", "spi", "spi"},
                         {"enjoy", "enjoy", "enjoi"},
                         {"happy", "happi", "happi"},
                         {"by", "by", "by"},
                         {"succeed", "succeed", "succe"},
                         {"geology", "geolog", "geologi"},
                         {"archaeology", "archaeolog", "archaeolog"},
                         {"relational", "relat", "relat"},
                         {"possibly", "possibl", "possibl"},
                         {"hopefully", "hope", "hopefulli"},
                         {"owed", "owe", "ow"},
                         {"caresses", "caress", "caress"},
                         {"hopping", "hop", "hop"},
                         {"falling", "fall", "fall"},
                         {"filing", "file", "file"},
                         {"adoption", "adopt", "adopt"},
                         {"radically", "radic", "radic"},
                         {"controlling", "control", "control"},
                         {"is", "is", "is"},
                         {"howe", "howe", "how"},
                         {"say", "say", "sai"},
                         {"syzygy", "syzygi", "syzygi"}};
  for (const Forms& row : table) {
    SCOPED_TRACE(row.word);
    EXPECT_EQ(porter_stem(row.word, Porter::kNltk), row.nltk);
    EXPECT_EQ(porter_stem(row.word, Porter::kMartin), row.martin);
  }
}

TEST(Porter, CountsCharactersAndNotBytes) {
  // Two characters stay as they are although they are three or four bytes.
  EXPECT_EQ(porter_stem("és", Porter::kMartin), "és");
  EXPECT_EQ(porter_stem("és", Porter::kNltk), "és");
  EXPECT_EQ(porter_stem("cafés", Porter::kMartin), "café");
  // A doubled letter outside ASCII is a doubled consonant.
  EXPECT_EQ(porter_stem("axññing", Porter::kMartin), "axñ");
  EXPECT_EQ(porter_stem("axéñing", Porter::kMartin), "axéñ");
  EXPECT_EQ(porter_stem("éies", Porter::kNltk), "éie");
  EXPECT_EQ(porter_stem("naïveness", Porter::kMartin), "naïv");
}

TEST(Porter, TakesAnything) {
  for (const Porter form : {Porter::kNltk, Porter::kMartin}) {
    EXPECT_EQ(porter_stem("", form), "");
    EXPECT_EQ(porter_stem(std::string(100000, 'y'), form).size(), 100000U);
    EXPECT_EQ(porter_stem("1990s", form), "1990");
  }
}

}  // namespace
}  // namespace residue::text
