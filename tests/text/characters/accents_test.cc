#include "text/characters/accents.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/text/linear_time.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

std::string plain(std::string_view text) {
  std::string store;
  return std::string(without_accents(text, store));
}

TEST(Accents, GoFromLatinLetters) {
  EXPECT_EQ(plain("Élodie lives in Zürich."), "Elodie lives in Zurich.");
  EXPECT_EQ(plain("Łukasz Wójcik, Søren Håkansson, Dvořák"), "Lukasz Wojcik, Soren Hakansson, Dvorak");
  EXPECT_EQ(plain("Straße, Æsir, œuvre, İzmir, Iğdır, Đorđe"), "Strasse, Aesir, oeuvre, Izmir, Igdir, Dorde");
  EXPECT_EQ(plain("Nguyễn Thị Ước"), "Nguyen Thi Uoc");
  EXPECT_EQ(plain("Zu\u0308rich e\u0302\u0301 x\u0336"), "Zurich e x") << "marks of their own too";
  EXPECT_EQ(plain("\u01D8"), "u") << "a letter that is taken apart twice";
}

TEST(Accents, LeaveAllElse) {
  for (const std::string_view text : {"", "Zurich", "“It’s 5 µg — ½ Ω”", "й ё и\u0306 Мама", "かが カ\u3099", "Ελλάδα",
                                      "\xFF\xC3", "\u0301", "5\u0301"}) {
    EXPECT_FALSE(without_accents(text)) << text;
  }
}

TEST(Accents, AreDroppedWhereAWordStandsWithoutThem) {
  EXPECT_TRUE(accents_dropped("Élodie lives here", "elodie LIVES here"));
  EXPECT_TRUE(accents_dropped("the Strasse", "die Straße"));
  EXPECT_TRUE(accents_dropped("Kelvin", "Ke\u0301lvin"));
  EXPECT_FALSE(accents_dropped("Élodie lives here", "Élodie lives there"));
  EXPECT_FALSE(accents_dropped("Élodie lives here", "[NAME] lives here"));
  EXPECT_FALSE(accents_dropped("“Ann”", "Ann"));
}

TEST(Accents, TakeLinearTime) {
  for (const std::string_view piece : {"é", "e\u0301", "\u0301", "ß", "a", "\xC3"}) {
    EXPECT_TRUE(takes_linear_time(piece, [](const std::string& text) { (void)without_accents(text); })) << piece;
  }
}

TEST(Accents, KeepUtf8Valid) {
  for (const std::string_view text : {"é\u0301\u0301x", "ßæœ", "йé"}) EXPECT_TRUE(valid_utf8(plain(text)));
}

}  // namespace
}  // namespace residue::text
