#include "text/encodings/decoded.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/text/encodings/plain_text.h"
#include "tests/text/linear_time.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/entities.h"
#include "text/encodings/escaped/escapes.h"
#include "text/encodings/escaped/markup.h"
#include "text/encodings/escaped/mojibake.h"
#include "text/encodings/fonts.h"
#include "text/encodings/joined_words.h"
#include "text/encodings/leet.h"
#include "text/encodings/look_alikes.h"
#include "text/encodings/marks.h"
#include "text/encodings/separators.h"
#include "text/encodings/spacing.h"
#include "text/encodings/wide.h"

namespace residue::text {
namespace {

std::string replaced(std::string_view from, std::string_view to) {
  std::string out(kPlain);
  for (char& c : out) {
    if (const auto at = from.find(c); at != std::string_view::npos) c = to[at];
  }
  return out;
}

TEST(Decoded, LeavesPlainTextsAlone) {
  for (const std::string_view text : {
           kPlain,
           std::string_view(""),
           std::string_view(
               "H1N1, covid19, B12, T4 and vitamin A, C, D, E; A B C D E; mp3, b2b, 4th, Units4th, 1990s, FEV1"),
           std::string_view(
               "J. R. R. Tolkien, U.S.S.R., e.g. i.e. F.R.C.S.C., M.A.S.H., y/n/m, A-B-C-D, state-of-the-art-of-it"),
           std::string_view("[NAME_1] met PERSON_2 on {{date_of_birth}} <first_name> NAME_OF_A"),
           std::string_view("Write to ada_l@example.org or see, as many do, www.example.co.uk/some_page_here "
                            "https://a.example.org/an_old_page"),
           std::string_view("TNFα and IFNα, β1, µg, 5 Ω"),
           std::string_view("Мама мыла раму. Windowsа. Χαίρετε, Ελλάδα"),
           std::string_view("R&D, AT&T; a & b; &nothing; &#; &#x;"),
           std::string_view("1 0 1 1  0 1\n2 3 4 5"),
           std::string_view("red, green/blue, a/b/c, 12-13-14, 2017-10-31"),
           std::string_view("/ˈdʒɪnɪ/ 🇺🇸 Ⓐ ①"),
           std::string_view("\xFF\xFE_a &\xC3 J\xE2\x80"),
           std::string_view("HR=72, BP=80, EF=55%, Na=14A; 50%50 of 5%-10%, 20%de 3%, 10%20"),
           std::string_view("\\alpha and \\nu, C:\\notes\\today, and\\or, yes\\no \\u12 \\x \\"),
           std::string_view("if a<b and c>d, x<y>z, p <0.05, <b, <i>H. pylori</i>, List<b> <PERSON> <name>"),
           std::string_view("Élodie naïve »Spaß« „QUALITÄ“ AMANHÃ” Âge Ång São “é” à © Ñandú Über ß"),
           std::string_view("PubMed, McDonald, iPhone, JavaScript: YouTube has GitHub, LaTeX and eBay"),
           std::string_view("getElementById('anOldPage').thenDoIt({aKey: [b]}); /Home/aUser/MyFiles/AnyThing"),
           std::string_view("C:\\notes\\today\\new\\table and all"),
           std::string_view(
               "one two - three four - five six - seven eight - nine ten - one two - three four - five six - "
               "seven eight - nine"),
           std::string_view("a - b - c; one - two - three - four, and so on - or not; A\nB\nC\nD\nE\nF\nG\nH\n"),
           std::string_view("Signs: one -- two, 3 / 4, a | b | c | d | e | f | g | h with many other words than those "
                            "alone"),
       }) {
    EXPECT_FALSE(decoded(text)) << *decoded(text);
  }
}

TEST(Decoded, UndoesEntities) {
  EXPECT_EQ(without_entities("J&#111;hn &amp; Jos&eacute;"), "John & José");
  EXPECT_EQ(without_entities("&#x4A;&#X6f;&#104 &#110;"), "Joh n");
  EXPECT_EQ(without_entities("&amp;amp;#74;"), "J");
  EXPECT_EQ(without_entities("it&#146;s &rsquo;&period;"), "it’s ’.");
  EXPECT_EQ(without_entities("&#xD800; &#0; &#99999999999; &#128512;"), "&#xD800; &#0; &#99999999999; 😀");
  std::string all;
  for (const char c : kPlain) all += "&#" + std::to_string(static_cast<int>(c)) + ";";
  EXPECT_EQ(read(all), kPlain);
}

TEST(Decoded, UndoesLookAlikes) {
  EXPECT_EQ(without_look_alikes("Jоhn Ѕmіth соmes"), "John Smith comes");
  EXPECT_EQ(without_look_alikes("І sее а сор nоw"), "I see a cop now") << "words of nothing else too";
  EXPECT_EQ(without_look_alikes("Jоhn и сор"), "John и сор") << "unless words of that script stand there";
  EXPECT_EQ(without_look_alikes("Jοhn Smαrt, TNFα"), "John Smart, TNFa");
  EXPECT_EQ(without_look_alikes("ᴊᴏʜɴ Sᴍɪᴛʜ, ᴀ man"), "john Smith, a man");
  EXPECT_EQ(without_look_alikes("ⓙⓞⓗⓝ 🅢🅜🅘🅣🅗"), "john SMITH");
}

TEST(Decoded, UndoesMarksThatNoLetterHas) {
  std::string struck, accented, buried;
  for (const char c : kPlain) {
    const bool letter = c != ' ' && c != '.';
    struck += std::string(1, c) + "\u0336";
    accented += std::string(1, c) + (letter ? "\u0301" : "");
    buried += std::string(1, c) + (letter ? "\u0316\u0317\u0300\u0311" : "");
  }
  EXPECT_EQ(read(struck), kPlain);
  EXPECT_EQ(read(accented), kPlain);
  EXPECT_EQ(read(buried), kPlain);
  EXPECT_EQ(without_marks("J\u0336o\u0336s\u0336é\u0336 F\u0336l\u0336y\u0336n\u0336n\u0336 went to Málaga"),
            "José Flynn went to Málaga");
  for (const std::string_view text :
       {"Tiếng Việt, e\u0302\u0301 o\u031B\u0301 u\u0309", "M\u0300 Ọ\u0301ba\u0300 ń lọ sí ẹ\u0301kọ\u0301 n\u0304",
        "a\u0308rger o\u0308l Straße C\u030Cesky\u0301 s\u030C z\u030C c\u030C r\u030C d\u030C t\u030C",
        "x\u0304 and p\u0302 of the sample", "cafe\u0301, g\u0303uarani\u0301"}) {
    EXPECT_FALSE(without_marks(text)) << text;
  }
}

TEST(Decoded, UndoesWideLetters) {
  std::string wide;
  for (const char c : kPlain) append_utf8(wide, c == ' ' ? U'\u3000' : static_cast<char32_t>(c) + 0xFEE0);
  EXPECT_EQ(read(wide), kPlain);
  EXPECT_EQ(without_wide("Ｊｏｈｎ é 人"), "John é 人");
  EXPECT_FALSE(without_wide("ＩＢＭＸの会社に勤めています"));
  EXPECT_FALSE(without_wide("ＩＢＭ, ！？"));
}

TEST(Decoded, UndoesSignsForSpaces) {
  for (const char sign : std::string_view("_.-+|/~*=#,:;^")) {
    const std::string hidden = replaced(" ", std::string(1, sign));
    EXPECT_EQ(without_separators(hidden)->find("Ann Holt is"), 0U) << hidden;
    EXPECT_NE(without_separators(hidden)->find("her sister keeps bees."), std::string::npos) << hidden;
  }
  EXPECT_EQ(read(replaced(" ", "_")), kPlain);
  EXPECT_EQ(without_separators("I met Ann_Holt and Bo_Li there"), "I met Ann Holt and Bo Li there");
  EXPECT_EQ(without_separators("Here: she.lives.in.old.Oslo now"), "Here: she lives in old Oslo now");
}

TEST(Decoded, UndoesSpacedLetters) {
  std::string spaced, joined;
  for (const char c : kPlain) (spaced += c) += ' ';
  for (const char c : kPlain)
    joined += c == ' ' ? std::string(" ") : std::string(1, c) + (c == '.' || c == ',' ? "" : "-");
  EXPECT_EQ(read(spaced), std::string(kPlain) + " ");
  EXPECT_EQ(without_spacing("I saw a J o h n there"), "I saw a John there");
  EXPECT_EQ(without_spacing("J o h n  i s  a  m a n"), "John is a man");
  EXPECT_EQ(without_spacing("Z o ë  i s  h e r e"), "Zoë is here");
  EXPECT_EQ(without_spacing("J-o-h-n l-i-v-e-s i-n O-s-l-o"), "John lives in Oslo");
  EXPECT_EQ(without_spacing("J-o-h-n- -l-i-v-e-s-"), "John lives");
  EXPECT_EQ(without_spacing("S.m.i.t.h and S-M-I-T-H"), "Smith and SMITH");
}

TEST(Decoded, UndoesLeet) {
  EXPECT_EQ(read(replaced("aeioAEIO", "43104310")),
            "ann Holt is 54 years old and lives in oslo. She sells old clocks, and her "
            "sister keeps bees.");
  EXPECT_EQ(without_leet("I met J0hn Sm1th of L0nd0n"), "I met John Smith of London");
  EXPECT_EQ(without_leet("A1ice"), "Alice");
  EXPECT_EQ(without_leet("7h3 p@7i3n7 0f 7h3 h0u$3 h3lp$"), "the patient of the house helps");
}

TEST(Decoded, UndoesAnyWhiteSpaceBetweenLetters) {
  for (const char* gap : {" ", "\t", "\n", "\r\n", "\u00A0", "\u2009", "\u3000", "   ", "\u202F \u00A0"}) {
    std::string spaced;
    for (const char c : kPlain) (spaced += spaced.empty() ? "" : gap) += c;
    EXPECT_EQ(read(spaced), kPlain) << gap;
  }
  EXPECT_EQ(read("K 3 l v 1 n   l 1 v 3 5   w 1 7 h   7 h 3   g 0 4 7   1 n   5 7 r 0 m n 3 5 5"),
            "Kelvin lives with the goat in stromness");
  EXPECT_EQ(read("I met A n n a H o l t and B o r i s . There"), "I met Anna Holt and Boris . There");
  EXPECT_EQ(read("in O s l o . H o l t works"), "in Oslo . Holt works");
}

TEST(Decoded, UndoesSignsOfManyKinds) {
  for (const char* sign : {"__", "___", " - ", " _ ", " | ", " . ", "||", "~~"}) {
    std::string joined;
    for (const char c : kPlain) joined += c == ' ' ? std::string(sign) : std::string(1, c);
    std::string words = read(joined);
    std::erase_if(words, [last = 'x'](char c) mutable { return std::exchange(last, c) == ' ' && c == ' '; });
    EXPECT_EQ(words, kPlain) << sign;
  }
  for (const char sign : std::string_view("_.-|*,")) {
    std::string joined, words;
    for (const char c : kPlain) (joined += joined.empty() ? "" : std::string(1, sign)) += c;
    EXPECT_EQ(read(joined), kPlain) << sign << " between all characters";
    for (const char c : kPlain) {
      if (!words.empty() && words.back() != ' ' && c != ' ') words += sign;
      words += c;
    }
    EXPECT_EQ(read(words), kPlain) << sign << " within words";
  }
}

TEST(Decoded, UndoesFonts) {
  std::string bold, some;
  for (const char c : kPlain) {
    const bool small = c >= 'a' && c <= 'z', capital = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    const char32_t font = small ? U'𝐚' + (c - 'a') : capital ? U'𝐀' + (c - 'A') : digit ? U'𝟎' + (c - '0') : U'\0';
    append_utf8(bold, font != 0 ? font : static_cast<char32_t>(c));
    some += c == 'e' ? "ℯ" : c == 'l' ? "ⅼ" : std::string(1, c);
  }
  EXPECT_EQ(read(bold), kPlain);
  EXPECT_EQ(read(some), kPlain);
  EXPECT_FALSE(decoded("Let 𝑥, 𝑦 ∈ ℝ and 𝑎𝑏 = ℵ, ℃, № 5, Ⅻ, ™, 𝑑𝑥 / 𝑑𝑦, ℓ, ℕ, ℤ, ℚ"));
}

TEST(Decoded, UndoesTags) {
  std::string hidden = "Removed. ";
  for (const char c : kPlain) append_utf8(hidden, 0xE0000U + static_cast<char32_t>(c));
  EXPECT_EQ(read(hidden), "Removed. " + std::string(kPlain));
  EXPECT_FALSE(decoded("\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F")) << "England's flag";
}

TEST(Decoded, IsComparedWithoutAccentsAndShapes) {
  std::string store;
  EXPECT_EQ(compared("Élodie l\u200Bives in Zu\u0308rich, 𝐊𝐞𝐥𝐯𝐢𝐧 &eacute;", store), "Elodie lives in Zurich, Kelvin e");
  EXPECT_EQ(compared(kPlain, store).data(), kPlain.data());
}

TEST(Decoded, UndoesSeveral) {
  EXPECT_EQ(read("J&#48;hn_l1v3s_1n_0sl0_w17h_m3"), "John lives in oslo with me");
  EXPECT_EQ(read("Ј о h n   i s   h е r е"), "John is here");
}

// Of its own work nothing is left to do: a text and what it reads as are one.
TEST(Decoded, IsDoneAfterOnce) {
  for (const auto& text : {replaced(" ", "_"), replaced("aeio", "4310"), replaced("aeo", "@30"),
                           std::string("J o h n  i s"), std::string("Jоhn &amp;amp; _a_")}) {
    const std::string once = read(text);
    EXPECT_EQ(read(once), once) << text;
  }
}

// A first look leaves out what finds nothing: it must not leave out more, wherever that stands.
TEST(Decoded, LooksWhereAStepWouldFindSomething) {
  constexpr std::string_view kBefore = "she is at home there, and so it goes";
  for (const std::string_view said : {"a_b c_d",
                                      "ab_cd",
                                      "S-m-i-t-h",
                                      "x S.m.i.t.h",
                                      "J o h n",
                                      "I saw Z o ë y",
                                      "é é é é  é",
                                      "A1ice",
                                      "of L0nd0n",
                                      "Ann%20Holt",
                                      "one+two+three+four+five",
                                      "&amp;",
                                      "h e r e",
                                      "T h e  e n d",
                                      "a b   o f",
                                      "b\u0336l\u0336t\u0336k\u0336",
                                      "Ｊｏｈｎ",
                                      "\\u004A",
                                      "%C3%A9",
                                      "=C3=A9",
                                      "a<i></i>b",
                                      "Ã©",
                                      "AnnLivesInOslo",
                                      "J\u00A0o\u00A0h\u00A0n",
                                      "j\u2009o\u2009h\u2009n",
                                      "a__b c",
                                      "a - b - c - d - e - f - g - h - i",
                                      "J\no\nh\nn\ni\ns\nn\no\nt\n",
                                      "\U000E004A\U000E006F\U000E0068\U000E006E",
                                      "a b\u00A0o\u00A0f c d"}) {
    for (std::size_t around = 0; around <= kBefore.size(); ++around) {
      std::string text(kBefore.substr(kBefore.size() - around));
      if (around > 0) text += ' ';
      text += said;
      const bool any = without_entities(text) || without_escapes(text) || without_mojibake(text) ||
                       without_markup(text) || without_fonts(text) || without_wide(text) || without_marks(text) ||
                       without_separators(text) || without_spacing(text) || without_joined_words(text) ||
                       without_look_alikes(text) || without_leet(text);
      EXPECT_EQ(decoded(text).has_value(), any) << text;
    }
  }
}

TEST(Decoded, TakesLinearTime) {
  for (const std::string_view piece : {"&",
                                       "&#",
                                       "&amp;",
                                       "_",
                                       "a_",
                                       "a.",
                                       "a ",
                                       "a  ",
                                       "1a",
                                       "a1b",
                                       "оa",
                                       "ᴀ",
                                       "ⓐ",
                                       "%20",
                                       "a@",
                                       "\xC3",
                                       "a\n",
                                       "-a-b ",
                                       "J0hn ",
                                       "оо ",
                                       "b\u0336",
                                       "\u0336",
                                       "Ａ",
                                       "\\",
                                       "\\u00",
                                       "\\u{",
                                       "\\x4",
                                       "\\x41",
                                       "%4",
                                       "%41",
                                       "=41",
                                       "=4a",
                                       "\\n",
                                       "<",
                                       "<b>",
                                       "<b></b>x",
                                       "<!--",
                                       "<!-- x -->",
                                       "<a b=\"",
                                       "<a b='c'>",
                                       "a<a b=c></a>b",
                                       "Ã",
                                       "Ã©",
                                       "â€™",
                                       "ÃƒÂ©",
                                       "AnnLives",
                                       "aB",
                                       "__",
                                       "a__b",
                                       " - ",
                                       "a - ",
                                       "\u00A0",
                                       "a\u00A0",
                                       "a\n",
                                       "\n\n",
                                       "_-",
                                       "%41://",
                                       "\U000E0041",
                                       "𝐊",
                                       "a𝐊",
                                       "ℯ "}) {
    EXPECT_TRUE(takes_linear_time(piece, [](const std::string& text) { (void)decoded(text); })) << piece;
  }
}

TEST(Decoded, KeepsUtf8Valid) {
  for (const std::string_view text : {"ё_ё_ё_ё_ё_ё", "é é é é  é é", "é-é-é-é-é", "ё.ё.ё.ё.ё.ё.ё", "Ã©é\u0301Ã",
                                      "\\ud83d\\xc3%C3=C3%41%42%43\\x41\\x42\\xff", "é<b></b>é<!--é-->é", "éA éAéBéCéD",
                                      "é\u00A0é\u00A0é\u00A0é", "=A9=C3a=41b=41c=42d"}) {
    EXPECT_TRUE(valid_utf8(read(text))) << text;
  }
}

}  // namespace
}  // namespace residue::text
