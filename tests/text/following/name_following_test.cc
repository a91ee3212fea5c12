#include "text/following/name_following.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/text/linear_time.h"
#include "tests/text/nasty_text.h"
#include "text/following/name_words.h"

namespace residue::text {
namespace {

// What is found again of `type`, joined by '|'.
std::string followed(std::string_view text, EntityType type = EntityType::kName) {
  std::string all;
  for (const Entity& entity : follow_names(text, recognize(text), NameLists::own())) {
    if (entity.type != type) continue;
    if (!all.empty()) all += '|';
    all += text.substr(entity.begin, entity.end - entity.begin);
  }
  return all;
}

struct FollowCase {
  const char* text;
  const char* expected;
};

void expect_followed(const std::vector<FollowCase>& cases, EntityType type = EntityType::kName) {
  for (const FollowCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(followed(c.text, type), c.expected);
  }
}

TEST(NameFollowing, FindsOtherWaysToWriteIt) {
  expect_followed({{"Mr de la Cruz came, with De La Cruz and DE LA CRUZ", "De La Cruz|DE LA CRUZ"},
                   {"Mr Παπαδόπουλος, ΠΑΠΑΔΟΠΟΥΛΟΣ, Παπαδοπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ|Παπαδοπουλος"},
                   {"Mr Ковалёв, Ковалев, КОВАЛЕВ", "Ковалев|КОВАЛЕВ"},
                   {"Mr Demirtaş, Demirtaş’ın, DEMİRTAŞ'IN, Demirtas'in", "Demirtaş|DEMİRTAŞ|Demirtas"},
                   {"Mr O'Brien, OBrien, O Brien, O’BRIEN", "OBrien|O Brien|O’BRIEN"},
                   {"Mr Griffith, Griﬃth", "Griﬃth"}});
}

TEST(NameFollowing, FindsThemWithinTokens) {
  expect_followed({
      {"Mr Cem Polatkan: polatkan_cv.pdf, Polatkan2020, polatkan99", "polatkan|Polatkan|polatkan"},
      {"Mr Polatkan: cv_polatkan_final, 2020polatkan, PDFPolatkan, polatkan-2020",
       "polatkan|polatkan|Polatkan|polatkan"},
      {"Mr Polatkan: myPolatkan, PolatkansBlog, PolatkanX, POLATKAN_1", "Polatkan|Polatkans|Polatkan|POLATKAN"},
      {"Mr Cem Polatkan: cem_polatkan, CemPolatkan2, PolatkanCem, x_Cem", "cem_polatkan|CemPolatkan|PolatkanCem"},
      {"Mr \u00D6zt\u00FCrk: ozturk_1, \u00D6zt\u00FCrk2, \u00C7\u00D6ZT\u00FCRK1", "ozturk|\u00D6zt\u00FCrk"},
      {"Mr Ruth Blau: Ruth_Blau2.jpg, blau_notes", "Blau|blau"},
      // No border, too short, a word besides, another name.
      {"Mr Polatkan: polatkanlar_1, xpolatkan1, cempolatkan", ""},
      {"Mr Cem Aba: aba_1, Aba2, cem_aba, AbaCem", ""},
      {"Mr Mark Young: mark_up, young_age, markdown2, YoungMark", ""},
      {"Mr Kerrigan came: McKerrigan2, mcKerrigan, VanKerrigan, Kerrigan_1", "Kerrigan"},
  });
  expect_followed({{"Siemens AG: siemens_x.pdf, mySiemens, SiemensAG", "siemens|Siemens|SiemensAG"},
                   {"She works at Rexford Marble Ltd. See RexfordMarble_1, rexford_marble.pdf, rexford_1, marble_2",
                    "RexfordMarble|rexford_marble"}},
                  EntityType::kOrganisation);
}

// Lists may know a part of a name and not the rest.
TEST(NameFollowing, FindsTheOtherHalf) {
  expect_followed({
      {"change it to Robinette Dennis now", "Robinette"},
      {"I'm Katie E Miles, from", "E Miles"},
      {"I am Katie E. Miles, from", "E. Miles"},
      // Not where a sentence begins, not a known word or an office, not before a title, not across a comma.
      {"Frankly Dennis came, with Producer Dennis", ""},
      {"Then Dennis, Robinette, Dennis and in Robinette Dennis", ""},
      {"They saw Wrexford Mr Dennis", ""},
      {"for Dennis\u2019s Wrexford, with Dennis Monday", ""},
  });
}

TEST(NameFollowing, FindsPartsOfANameInAnyForm) {
  expect_followed({
      {"Mr Cengiz Polat was arrested. Polat's lawyer", "Polat"},
      {"Mr Cengiz Polat came. CENGIZ POLAT and cengiz polat", "CENGIZ POLAT|cengiz polat"},
      {"Mrs Wittling-Gerber came with Gerber.", "Gerber"},
      {"Mr Polat came. The Polats left, the Polat-led group", "Polats|Polat"},
      {"Mr Polat came. Asked, Cengiz Polat left. Then Cengiz", "Cengiz Polat|Cengiz"},
      {"Mr Polat came with E. Polat and J.-P. Polat.", "E. Polat|J.-P. Polat"},
      {"Mr K\u0131l\u0131\u00E7 came. KILI\u00C7 left.", "KILI\u00C7"},
      {"Mr N\u2019Diaye came, N'Diaye left, N\u2019Diaye\u2019s", "N'Diaye|N\u2019Diaye"},
      {"Mr Po\u00ADlat came. Then Pol\u00ADat left", "Pol\u00ADat"},
      {"Polatli, polatx, Xpolat and Mr Polat", ""},
      {"Nobody is named here. Polat's", ""},
  });
}

TEST(NameFollowing, FindsNamesBehindEverySign) {
  for (const char* sign :
       {"\u201C", "\u2018", "\u201E", "\u201A", "\u00AB", "\u2039", "\u00BB", "\u203A", "\u2013", "\u2014",
        "\u2026", "\u20AC", "\u00BF", "\u00A7", "\u300C", "\u2028", "\u2022", "\u00B0", "\u2122", "\U0001F600"}) {
    SCOPED_TRACE(sign);
    const std::string begin = "Mr Polat spoke. ";
    EXPECT_EQ(followed(begin + sign + "Polat lied"), "Polat");
    EXPECT_EQ(followed(begin + sign + "Polat\u2019s car" + sign), "Polat");
    EXPECT_EQ(followed(begin + "him" + sign + "Polat" + sign + "who"), "Polat");
    EXPECT_EQ(followed(begin + sign + sign + "polat" + sign), "polat");
  }
  // Not behind a letter.
  EXPECT_EQ(followed("Mr Polat spoke. \u00E9polat, Polat\u00E9"), "");
}

TEST(NameFollowing, ReadsTheApostropheThatIsALetter) {
  expect_followed({
      {"Mr Polat spoke. Polat\u02BCs car, \u02BCPolat\u02BC", "Polat|Polat"},
      {"Mr N\u02BCDiaye came, N'Diaye left, N\u2019Diaye\u02BCs", "N'Diaye|N\u2019Diaye"},
      {"Mr Polat\u02BCs car. Then Polat left", "Polat"},
  });
}

TEST(NameFollowing, FindsNamesWithoutTheirAccents) {
  expect_followed({
      {"Mr Jos\u00E9 Nu\u00F1ez came. Nunez left, NU\u00D1EZ and Nun\u0303ez and nunez",
       "Nunez|NU\u00D1EZ|Nun\u0303ez|nunez"},
      {"Mr Nunez came. Nu\u00F1ez left", "Nu\u00F1ez"},
      {"Mr \u0141ukasz \u017B\u00F3\u0142w came. Zolw and Lukasz left", "Zolw|Lukasz"},
      {"Mr Bjo\u0308rklund came. Bj\u00F6rklund and Bjorklund left", "Bj\u00F6rklund|Bjorklund"},
      {"Ms M\u00FCller-\u00D6zt\u00FCrk came. Ozturk and Muller left", "Ozturk|Muller"},
      // Words that the accent alone tells from a name.
      {"Mr H\u00E4t came. They had a hat. She hat, h\u00E4t, H\u00E4t and Then", "h\u00E4t|H\u00E4t"},
      {"Mr M\u00F6ss came, moss on stones. M\u00F6ss left", "M\u00F6ss"},
      {"Mr R\u00FCbel came. Rubel left; rubel", "Rubel|rubel"},
      {"Mr R\u00FCbel came with a rubel. Rubel left; R\u00FCbel, rubel", "R\u00FCbel"},
  });
}

TEST(NameFollowing, FindsPiecesBesideWhatWasFound) {
  expect_followed({
      {"Mr Wolstenholme came. Wolstenholme-Smith left, Smith-Wolstenholme", "Wolstenholme|Wolstenholme"},
      {"Mr Polat came. Polat-Smith-Polat left", "Polat|Polat"},
  });
}

TEST(NameFollowing, FindsInitials) {
  expect_followed({
      {"Mr F.L. was seen. F. L. left; F. L.'s van, L. F. and F. then L.", "F. L.|F. L."},
      {"Mr Frank K. Lee asked. F. K. L. and F. L.", "F. K. L.|F. L."},
      {"Mr Frank Polat came. F.P. Polat and F. P. Polat left", "F.P. Polat|F. P. Polat"},
      {"Mr F.L. was seen. F.L. left; F.L.'s van", "F.L.|F.L."},
      {"Mr Frank K. Lee asked. F.K.L. and F.L., not K.L. or F.K.", "F.K.L.|F.L."},
      {"Dr A.B. Smith said so; A.B. knew", "A.B."},
      {"Mr F. Lee asked for vitamin F. Then", ""},
  });
}

TEST(NameFollowing, FindsLoneInitials) {
  expect_followed({
      {"Mr Tamer Polat came. T Polat left; T. Polat", "T Polat|T. Polat"},
      {"Mr Tamer Stone came. They saw T Stone; a T stone", "T Stone"},
      // Another letter is somebody else's, or a word.
      {"Mr Tamer Polat came. A Polat left, vitamin T and T", "Polat"},
      // Within a name.
      {"Mr Codey Ross came. Codey M Ross left", "Codey M"},
      {"Mr Dyan Gijn came. Then Dyan van der Gijn and Dyan van left", "Dyan van der Gijn|Dyan"},
  });
}

TEST(NameFollowing, LeavesWordsThatAreNoNameThere) {
  expect_followed({
      // In small letters, where a sentence begins, in names of things, behind articles.
      {"Mr Rose came. Then she rose. Roses are red. Rose to fame, the Rose, Hyde Rose Park", ""},
      {"Mr Will came. Will you? You will.", ""},
      {"Ms May came on a day in May. May I?", ""},
      {"Mr Stone said that stones and a stone fell", ""},
      {"Mr President came. The President left, President", ""},
      // Where it is the name.
      {"Mr Rose came. They saw Rose leave, and Rose's van. Rose was late.", "Rose|Rose|Rose"},
      {"Ms Amy May came. Then Amy May left; amy", "May|amy"},
      {"Mr Will came. Will's van. Will said so.", "Will|Will"},
      // What the record has as a word is one, whatever no list knows of it.
      {"Mr Zarf came. He lifted the zarf. Zarf on the table. Then Zarf left", "Zarf"},
  });
}

TEST(NameFollowing, FindsOrganisationsWholeAndByTheirKind) {
  expect_followed(
      {
          {"the Ministry of Foreign Affairs said. The ministry of foreign affairs, the Ministry and the Ministry's",
           "ministry of foreign affairs|Ministry|Ministry"},
          {"the Ministry of Justice and the Ministry of State", ""},
          {"the Ministry met", ""},
          // Of two it is neither, of one with more and fewer words the one.
          {"the Ministry of Justice wrote to the Ministry of Defence. The Ministry and the Ministry's", ""},
          {"the Federal Ministry of Justice of Austria, the Ministry of Justice, the Ministry", "Ministry"},
          // In small letters where it was one of something, and unless that of another thing is meant.
          {"the Ministry of Justice said. Then the ministry paid, a ministry, the ministry of health", "ministry"},
          {"at Queen's Hospital. He went to the hospital", ""},
          {"the Ministry of Justice and the Ministry of Defence. The ministry", ""},
          {"at Mayo-Walters Ltd. now. MAYO-WALTERS pays; Mayo-Walters' van", "MAYO-WALTERS|Mayo-Walters"},
          {"Norton Baxter Ltd came. Norton Baxter paid.", "Norton Baxter"},
          {"at St. Mary's Hospital; st mary's hospital; the Hospital closed; a Hospital",
           "st mary's hospital|Hospital"},
          {"She works at Zonability. zonability's boss", "zonability"},
          {"the BBC, bbc", ""},
      },
      EntityType::kOrganisation);
  expect_followed({{"She lives in Tjaereborg. TJAEREBORG is nice", "TJAEREBORG"}, {"in the US, us too", ""}},
                  EntityType::kPlace);
}

TEST(NameFollowing, KnowsNamesByTheirUse) {
  expect_followed({
      {"Rolf Disch is an architect. Disch built it.", "Rolf Disch|Disch"},
      {"Esat Jekni\u0107 wrote. Yours, Esat Jekni\u0107", "Esat Jekni\u0107|Esat Jekni\u0107"},
      {"Jalen Cannon (born in Reading) plays. Cannon was selected; a cannon", "Jalen Cannon"},
      {"my name is borna jerkovi\u0107 but everyone calls me borna", "borna jerkovi\u0107|borna"},
      {"my name is sophie lang. sophie left", "sophie|sophie"},
      {"my name is chise t. horiguchi, chise", "chise|horiguchi|chise"},
      {"my name is dyan van gijn but dyan will do", "dyan van gijn|dyan"},
      {"my name is always wrong. The wrong one, always", ""},
      {"my name is spelled wrong, spelled like that", ""},
      {"my name is borna jerkovi\u0107", ""},
      {"my name is sophie", "sophie"},
      {"Rolf Disch is an architect.", ""},
      {"Valida spent a year as the assistant to Valida M. Ibragimov", "Valida|Valida M. Ibragimov"},
      {"Valida spent a year as the assistant to Valida M Ibragimov", "Valida|Valida M Ibragimov"},
      {"Kees van Gijn is an architect. Gijn built it.", "Kees van Gijn|Gijn"},
      {"Agatha \u00C1 Ottarsd\u00F3ttir wrote. Ottarsd\u00F3ttir had a house",
       "Agatha \u00C1 Ottarsd\u00F3ttir|Ottarsd\u00F3ttir"},
      {"Tilly Nicholsson wrote, and Nicholsson paid. Finally Zedd paid. Zedd", "Tilly Nicholsson|Nicholsson"},
      // The lists know one half.
      {"Fletcher Turcotte directed it, starring Turcotte", "Turcotte|Turcotte"},
      {"Cleofe was a huge Cleofe Mateo fan", "Cleofe|Cleofe"},
      {"Vide A. Anderson wrote. Yours, Vide A. Anderson", "Vide|Vide"},
      {"They frobnicate. Frobnicate Mateo, said Mateo", ""},
      {"in Frobnica Mateo, said Mateo", ""},
      {"Galaxy Nexus sells. Galaxy phones, the Galaxy", ""},
      {"in Valida Ibragimov Valida spent a year", ""},
      {"the Rolf Disch is open. Disch opens.", ""},
      {"in Rolf Disch, and Disch opens", ""},
      {"Rolf Disch is an architect. Disch built it, no disch", ""},
      {"Great Prize winners. Prize giving.", ""},
  });
}

TEST(NameFollowing, NameWords) {
  const std::string text = "Mr F.L. saw O'Hara's J.-P. b2b a_b, F.L and \u00D6Z";
  std::string all;
  for (const NameWord& word : name_words(text)) {
    all += text.substr(word.begin, word.end - word.begin);
    all += word.initials ? "i" : "";
    all += word.possessive ? "p" : "";
    all += word.written == WordCase::kSmall ? "0 " : word.written == WordCase::kTitle ? "1 " : "2 ";
  }
  EXPECT_EQ(all, "Mr1 F.L.i2 saw0 O'Harap1 J.-P.i2 F.Li2 and0 \u00D6Z2 ");
}

RC_GTEST_PROP(NameFollowing, StaysBetweenWhatWasFound, ()) {
  const std::string text = "Mr Polat " + *nasty_text(*rc::gen::arbitrary<bool>()) + " Polat " +
                           *nasty_text(*rc::gen::arbitrary<bool>()) + " Polat";
  const std::vector<Entity> found = recognize(text);
  std::size_t done = 0;
  for (const Entity& entity : follow_names(text, found, NameLists::own())) {
    RC_ASSERT(entity.begin >= done && entity.end > entity.begin && entity.end <= text.size());
    for (const Entity& one : found) RC_ASSERT(one.end <= entity.begin || entity.end <= one.begin);
    done = entity.end;
  }
}

TEST(NameFollowing, TakesLinearTime) {
  for (const char* piece : {"Mr Polat Polat ", "Foo Bar Bank, Foo Baz Bank, Foo ", "A.", "A-", "the Rose ",
                            "Xa Xb (born ", "Rose\u2019", "A Anderson Zedd van de ", "St. Mary's Hospital of the "}) {
    SCOPED_TRACE(piece);
    EXPECT_TRUE(takes_linear_time(
        piece, [&](const std::string& text) { follow_names(text, recognize(text), NameLists::own()); }));
  }
}

}  // namespace
}  // namespace residue::text
