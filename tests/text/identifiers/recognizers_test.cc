#include "text/identifiers/recognizers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/text/identifiers/found.h"
#include "tests/text/linear_time.h"
#include "tests/text/nasty_text.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(Recognizers, FindWhatMarkdownEmphasizes) {
  for (const std::string said : {"a@b.com", "123-45-6789", "5 May 1980", "555-123-4567", "4111 1111 1111 1111",
                                 "10.0.0.1", "DE89370400440532013000", "$5.50", "Ann Smith", "http://a.org/b"}) {
    for (const char* line : {"_", "__", "*", ""}) {
      SCOPED_TRACE(line + said);
      const std::string text = std::string("x ") + line + said + line + " y";
      const auto spans = recognize(text);
      ASSERT_EQ(spans.size(), 1U);
      EXPECT_EQ(text.substr(spans[0].begin, spans[0].end - spans[0].begin), said);
    }
  }
}

TEST(Recognizers, Email) {
  expect_all(kEmail, {
                         {"write to ana.ruiz@example.org.", "ana.ruiz@example.org"},
                         {"<bob+lists@mail.example.co.uk>", "bob+lists@mail.example.co.uk"},
                         {"mailto:x_y@a-b.de", "x_y@a-b.de"},
                         {"(a@b.io)", "a@b.io"},
                         {"A@B.COM, c%d@e.fr", "A@B.COM|c%d@e.fr"},
                         {"josé@correo.example.es", "josé@correo.example.es"},
                         {"ana/bob@x.com", "bob@x.com"},
                         {"1234567@students.example.edu", "1234567@students.example.edu"},
                         {"联系bob@x.com谢谢", "bob@x.com"},
                         {"follow @handle", ""},
                         {"user@", ""},
                         {"a@b", ""},
                         {"5 mg @ 8.am", ""},
                         {"x@1.2", ""},
                         {"foo@bar..com", ""},
                         {"a.@b.com", ""},
                         {"rate@100.0", ""},
                         {"@example.org", ""},
                     });
}

TEST(Recognizers, Url) {
  expect_all(kUrl, {
                       {"see https://example.org/u/40213.", "https://example.org/u/40213"},
                       {"(http://a.b/c(d)e)", "http://a.b/c(d)e"},
                       {"HTTP://X.Y", "HTTP://X.Y"},
                       {"ftp://files.example.net/a,b", "ftp://files.example.net/a,b"},
                       {"www.example.nl, then", "www.example.nl"},
                       {"www.example.nl/a?b=c#d!", "www.example.nl/a?b=c#d"},
                       {"clinic.example.org/p/12", "clinic.example.org/p/12"},
                       {"\"https://x.example/ü\"", "https://x.example/ü"},
                       {"http://localhost:8080/x", "http://localhost:8080/x"},
                       {"http is a protocol", ""},
                       {"https://", ""},
                       {"www", ""},
                       {"www. then", ""},
                       {"fever and/or cough", ""},
                       {"e.g./i.e.", ""},
                       {"tab.bid/prn", ""},
                       {"He left.She/he stayed", ""},
                       {"b.i.d. and 24/7", ""},
                   });
}

TEST(Recognizers, Ip) {
  expect_all(kIp, {
                      {"from 203.0.113.44 to", "203.0.113.44"},
                      {"(10.0.0.1)", "10.0.0.1"},
                      {"192.0.2.255.", "192.0.2.255"},
                      {"host 0.0.0.0:80", "0.0.0.0"},
                      {"2001:db8::1", "2001:db8::1"},
                      {"::1 is local", "::1"},
                      {"fe80::1ff:fe23:4567:890a,", "fe80::1ff:fe23:4567:890a"},
                      {"2001:0db8:0000:0000:0000:ff00:0042:8329", "2001:0db8:0000:0000:0000:ff00:0042:8329"},
                      {"::ffff:192.0.2.1", "::ffff:192.0.2.1"},
                      {"256.1.1.1", ""},
                      {"1.2.3", ""},
                      {"1.2.3.4.5", ""},
                      {"01.02.03.04", ""},
                      {"version 1.2.3.4", ""},
                      {"v1.2.3.4", ""},
                      {"at 12:30:45", ""},
                      {"00:1A:2B:3C:4D:5E", ""},
                      {"std::string", ""},
                      {"::", ""},
                      {"ratio 1:2:3:4", ""},
                  });
}

TEST(Recognizers, Card) {
  expect_all(kCard, {
                        {"4111 1111 1111 1111", "4111 1111 1111 1111"},
                        {"4111111111111111", "4111111111111111"},
                        {"5500-0000-0000-0004.", "5500-0000-0000-0004"},
                        {"3400 000000 00009", "3400 000000 00009"},
                        {"378282246310005", "378282246310005"},
                        {"6011 0009 9013 9424", "6011 0009 9013 9424"},
                        {"card:4222222222222", "4222222222222"},
                        {"2223 0031 2200 3222", "2223 0031 2200 3222"},
                        {"4111 1111 1111 1112", ""},
                        {"4111111111111112", ""},
                        {"0000 0000 0000 0000", ""},
                        {"9111111111111111", ""},
                        {"411 111 111 111 111 1", ""},
                        {"4111 1111-1111 1111", ""},
                        {"a4111111111111111", ""},
                        {"4111111111111111.5", ""},
                        {"411111111111", ""},
                        {"6304 2737 3398", "6304 2737 3398"},
                        {"630427373397", ""},
                        {"180016070420458", "180016070420458"},
                        {"1900160704204582", ""},
                    });
}

TEST(Recognizers, Iban) {
  expect_all(kIban, {
                        {"DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"},
                        {"GB82WEST12345698765432,", "GB82WEST12345698765432"},
                        {"FR14 2004 1010 0505 0001 3M02 606", "FR14 2004 1010 0505 0001 3M02 606"},
                        {"NL91ABNA0417164300.", "NL91ABNA0417164300"},
                        {"es91 2100 0418 4502 0005 1332", "es91 2100 0418 4502 0005 1332"},
                        {"NO93 8601 1117 947", "NO93 8601 1117 947"},
                        {"(CH93 0076 2011 6238 5295 7)", "CH93 0076 2011 6238 5295 7"},
                        {"MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001S"},
                        {"DE88 3704 0044 0532 0130 00", ""},
                        {"GB82WEST12345698765433", ""},
                        {"XX89370400440532013000", ""},
                        {"DE8937040044053201300", ""},
                        {"DE893704004405320130000", ""},
                        {"IT is 12 o'clock", ""},
                        {"NO12", ""},
                        {"ADE89370400440532013000", ""},
                    });
}

TEST(Recognizers, Date) {
  expect_all(kDate, {
                        {"on 2021-03-03.", "2021-03-03"},
                        {"at 2021-03-03T10:15:00Z it", "2021-03-03T10:15:00Z"},
                        {"3/3/2021 and 31.12.99", "3/3/2021|31.12.99"},
                        {"14/09/2021", "14/09/2021"},
                        {"21.02.2023,", "21.02.2023"},
                        {"3 March 2021", "3 March 2021"},
                        {"the 3rd of March, 2021", "3rd of March, 2021"},
                        {"March 3rd, 2021", "March 3rd, 2021"},
                        {"Nov 23, 2022", "Nov 23, 2022"},
                        {"2 Oct. 2022", "2 Oct. 2022"},
                        {"in May 2021 or 03/2020", "May 2021|03/2020"},
                        {"On August 19 she", "August 19"},
                        {"born 12-Sep-1960", "12-Sep-1960"},
                        {"pressure 120/80", ""},
                        {"24/7", ""},
                        {"strength 5/5/5", ""},
                        {"May I have 3", ""},
                        {"a march of 30 km", ""},
                        {"3 may follow", ""},
                        {"13/13/2021", "13/13/2021"},
                        {"99.99.2021", "99.99.2021"},
                        {"on 00/00/2021", "00/00/2021"},
                        {"32/01/2021", "32/01/2021"},
                        {"2021-00-00", "2021-00-00"},
                        {"13/13/21", ""},
                        {"13/13/1234", ""},
                        {"13-13-2021", ""},
                        {"32/1/2021", ""},
                        {"2021-13-01", ""},
                        {"2021-0-1", ""},
                        {"version 10.12.15", ""},
                        {"2021-13-45", ""},
                        {"10.5.1", ""},
                        {"in 2021", ""},
                        {"on 2021-03-03 10:15:00 it", "2021-03-03 10:15:00"},
                        {"on 2021-03-03 and", "2021-03-03"},
                        {"every Friday, or Sundays", "Friday"},
                        {"friday and FRIDAYS", ""},
                        {"9/10 of them", ""},
                        {"March 30 km north", ""},
                        {"1/2/2021/4", ""},
                    });
}

TEST(Recognizers, Age) {
  expect_all(kAge, {
                       {"A 45-year-old nurse", "45-year-old"},
                       {"a 45 year old", "45 year old"},
                       {"is 45 years old.", "45 years old"},
                       {"38 years of age", "38 years of age"},
                       {"52 y/o teacher", "52 y/o"},
                       {"45yo man, 3 yo", "45yo|3 yo"},
                       {"Tomasz, aged 34, works", "aged 34"},
                       {"Age: 61", "Age: 61"},
                       {"at the age of 11", "at the age of 11"},
                       {"a three-year-old boy", "three-year-old"},
                       {"forty-five-year-old", "forty-five-year-old"},
                       {"5-week-old, 18 months old", "5-week-old|18 months old"},
                       {"aged 45-60", "aged 45-60"},
                       {"45 years ago", ""},
                       {"for 45 years", ""},
                       {"aged cheese", ""},
                       {"age of consent", ""},
                       {"a 2-year history", ""},
                       {"5-year survival", ""},
                       {"aged 450", ""},
                       {"45 yoga classes", ""},
                       {"30 years older", ""},
                       {"voltage 12", ""},
                       {"one year later", ""},
                       {"three days oldest", ""},
                       {"he just turned 53.", "53"},
                       {"written when she was 64.", "64"},
                       {"I'll turn 81", "81"},
                       {"the dial turned 90 degrees", ""},
                       {"turned 50% of them", ""},
                       {"the dose was 64", ""},
                       {"when he was 5 miles away", ""},
                   });
}

TEST(Recognizers, Number) {
  expect_all(kNumber, {
                          {"code 40718823", "40718823"},
                          {"51-220-874", "51-220-874"},
                          {"number HH-2289017.", "HH-2289017"},
                          {"AB123456", "AB123456"},
                          {"NHS 943 176 5919", "943 176 5919"},
                          {"2022-118-4471", "2022-118-4471"},
                          {"7731 0092 41", "7731 0092 41"},
                          {"12345678901234567890123456789012345678901234567890",
                           "12345678901234567890123456789012345678901234567890"},
                          {"4111111111111112", "4111111111111112"},
                          {"12345", ""},
                          {"0.123456", ""},
                          {"3.1415926", ""},
                          {"1,100 ml", ""},
                          {"150,000", ""},
                          {"150000/mm3", ""},
                          {"200000 units", ""},
                          {"2009-2015", ""},
                          {"120-140", ""},
                          {"1200-1400", ""},
                          {"150 000", ""},
                          {"123456abc", ""},
                          {"12 15 18 20 22", ""},
                      });
}

TEST(Recognizers, ChecksumsFollowTheStandards) {
  EXPECT_TRUE(luhn_valid("4111 1111 1111 1111"));
  EXPECT_FALSE(luhn_valid("4111 1111 1111 1121"));
  EXPECT_FALSE(luhn_valid(""));
  EXPECT_TRUE(iban_valid("GB82 WEST 1234 5698 7654 32"));
  EXPECT_FALSE(iban_valid("GB82 WEST 1234 5698 7654 23"));
  EXPECT_FALSE(iban_valid("GB82"));
}

TEST(Recognizers, TheTableIsNamedAndComplete) {
  ASSERT_EQ(recognizers().size(), kEntityTypes);
  for (const Recognizer& row : recognizers()) {
    EXPECT_EQ(&recognizer(row.type), &row);
    EXPECT_EQ(entity_type(row.name), row.type);
  }
  EXPECT_FALSE(entity_type("emails").has_value());
}

TEST(Recognizers, AskingForFewerTypesChangesNoOthers) {
  EntitySet numbers;
  numbers.insert(kNumber);
  EXPECT_TRUE(recognize("tel. 976 555 014", numbers).empty());
  EXPECT_EQ(recognize("tel. 976 555 014, code 1234567", numbers).size(), 1U);
}

TEST(Recognizers, TagsArePassedOver) {
  EXPECT_TRUE(recognize("[NAME_1] [OSLO] [4111111111111111]").size() == 1U);
  EXPECT_EQ(found("[OSLO", kPlace), "OSLO");
}

TEST(Recognizers, TakesLinearTimeOnHostileTexts) {
  for (const char* piece :
       {"1",         "1 ",   "@",     "a@",     "Anna ",  "Xyz ",      "A",          "A. ",      "University of ",
        "1-",        "12:",  "a.",    "[",      "'s ",    "12 Crown ", "passport ",  "+1 ",      "\u00C9",
        "Ltd, ",     "$1,",  ".",     "A ",     "\"",     "\"a@",      "no. 1/05, ", "1/0512, ", "1990 and ",
        "5 and ",    "may ", "5-",    "\u200B", "\u2011", "\u65E5",    "\u65E5@",    "1:20-cv-", "a'",
        "www.",      "x.y@", "x.yy@", "a://",   "::",     "1::",       "00.",        "aaaa.",    "5 de ",
        "from 1990-"}) {
    SCOPED_TRACE(piece);
    EXPECT_TRUE(takes_linear_time(piece, [](const std::string& text) { static_cast<void>(recognize(text)); }));
  }
}

RC_GTEST_PROP(Recognizers, SpansAreSortedDisjointAndOnCodePoints, ()) {
  const std::string text = *nasty_text(false);
  std::size_t last = 0;
  for (const Entity& entity : recognize(text)) {
    RC_ASSERT(entity.begin >= last);
    RC_ASSERT(entity.end > entity.begin);
    RC_ASSERT(entity.end <= text.size());
    RC_ASSERT((static_cast<unsigned char>(text[entity.begin]) & 0xC0U) != 0x80U);
    RC_ASSERT(entity.end == text.size() || (static_cast<unsigned char>(text[entity.end]) & 0xC0U) != 0x80U);
    last = entity.end;
  }
}

RC_GTEST_PROP(Recognizers, BrokenChecksumsAreNeitherCardsNorAccounts, ()) {
  std::string card = "4";
  for (int i = 0; i < 15; ++i) card += static_cast<char>('0' + *rc::gen::inRange(0, 10));
  RC_ASSERT((found(card, kCard) == card) == luhn_valid(card));
  std::string iban = "DE";
  for (int i = 0; i < 20; ++i) iban += static_cast<char>('0' + *rc::gen::inRange(0, 10));
  RC_ASSERT((found(iban, kIban) == iban) == iban_valid(iban));
  if (!luhn_valid(card)) RC_ASSERT(found(card, kNumber) == card);
}

}  // namespace
}  // namespace residue::text
