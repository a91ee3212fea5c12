// Dates in the forms that people write them in, of text/recognizers.h and text/calendar.h.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/identifiers/found.h"
#include "text/identifiers/calendar.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(Dates, JoinedAndSpaced) {
  expect_all(EntityType::kDate, {{"seen 4MAR2019 and 04Mar19, not 40MAR2019 nor 4MARS", "4MAR2019|04Mar19"},
                                 {"born 3. 5. 1975 in", "3. 5. 1975"},
                                 {"points 3. 5. 7", ""},
                                 {"rule 3. 14. 1975", ""}});
  expect_all(EntityType::kYear, {{"built c. 1998, ca. 1999", "1998|1999"}});
}

TEST(Calendar, NamesMonthsInSevenLanguages) {
  using enum Calendar;
  for (const Calendar calendar : {kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch}) {
    for (int month = 1; month <= 12; ++month) {
      for (const bool cut : {false, true}) {
        const auto named = month_named(month_name(calendar, month, cut), calendar);
        SCOPED_TRACE(month_name(calendar, month, cut));
        ASSERT_TRUE(named);
        EXPECT_EQ(named->month, month);
        EXPECT_EQ(month_named(month_name(calendar, month, cut))->month, month);
      }
    }
  }
  EXPECT_EQ(month_named("M\u00C4RZ")->month, 3);
  EXPECT_EQ(month_named("D\u00E9cembre")->calendar, kFrench);
  EXPECT_EQ(month_named("Sept")->calendar, kEnglish);
  EXPECT_TRUE(month_named("may")->word);
  for (const char* none : {"", "ma", "marchs", "m\u00E4r z", "\xC3", "Jan."}) EXPECT_FALSE(month_named(none)) << none;
}

TEST(Dates, WithMonthsInSmallLetters) {
  expect_all(kDate, {{"born 5 january 1980.", "5 january 1980"},
                     {"on january 5, 1980 or january 5", "january 5, 1980|january 5"},
                     {"5 may 1980, may 5, 1980", "5 may 1980|may 5, 1980"},
                     {"on the 5th of march", "5th of march"},
                     {"on the 5th of March", "5th of March"},
                     {"in june 2010", "june 2010"},
                     {"he may 5 times", ""},
                     {"they march 5 km", ""},
                     {"in august 5 people", ""},
                     {"3 may follow", ""},
                     {"of 5 mar", ""},
                     {"2 out of 10", ""}});
}

TEST(Dates, InOtherLanguages) {
  expect_all(kDate, {{"am 5. Januar 1980 und 7. M\u00E4rz.", "5. Januar 1980|7. M\u00E4rz"},
                     {"1. Mai, 5.M\u00E4rz 2010", "1. Mai|5.M\u00E4rz 2010"},
                     {"le 1er janvier 1999 et le 3 ao\u00FBt", "1er janvier 1999|3 ao\u00FBt"},
                     {"el 5 de enero de 1980", "5 de enero de 1980"},
                     {"5 de mar\u00E7o de 2001", "5 de mar\u00E7o de 2001"},
                     {"il 1\u00BA luglio 1977, 12 MAGGIO", "1\u00BA luglio 1977|12 MAGGIO"},
                     {"op 3 maart 2001 en 4 mei", "3 maart 2001|4 mei"},
                     {"en mars 2020, im Mai 2010", "mars 2020|Mai 2010"},
                     {"d\u00E9cembre de 2010", "d\u00E9cembre de 2010"},
                     {"Mars 2020 landed", ""},
                     {"5 Mars bars", ""},
                     {"Julio 5", ""},
                     {"12 set 5", ""}});
}

TEST(Dates, WithShortYearsRangesAndZones) {
  expect_all(kDate, {{"on 5-Jan-80, 05/Jan/1980", "5-Jan-80|05/Jan/1980"},
                     {"Jan. 5, '20 and 5 Jan \u201980", "Jan. 5, '20|5 Jan \u201980"},
                     {"5-7 March 2010", "5-7 March 2010"},
                     {"5\u20137 March 2010", "5\u20137 March 2010"},
                     {"5 to 7 March, 5th and 6th May", "5 to 7 March|5th and 6th May"},
                     {"March 5-7, 2010", "March 5-7, 2010"},
                     {"vom 5. bis 7. Mai 2010", "5. bis 7. Mai 2010"},
                     {"2021-03-03T10:15:00+01:00", "2021-03-03T10:15:00+01:00"},
                     {"2021-03-03 10:15 UTC,", "2021-03-03 10:15 UTC"},
                     {"2021-03-03T10:15:00.123Z.", "2021-03-03T10:15:00.123Z"},
                     {"20210303T101500Z", "20210303T101500Z"},
                     {"[05/Jan/1980:10:15:00 +0100]", "05/Jan/1980:10:15:00 +0100"},
                     {"2021\u201103\u201103", "2021\u201103\u201103"},
                     {"5-7 patients", ""},
                     {"20211303T101500Z", ""},
                     {"5-Jan", "5-Jan"},
                     {"5-jan", ""}});
  expect_all(kTime, {{"at 1.30 p.m. or 18.45", "1.30 p.m."}, {"14:05 GMT", "14:05 GMT"}, {"9:30 +5", ""}});
}

TEST(Dates, YearsInPairs) {
  expect_all(kYear, {{"in 1990-1995", "1990-1995"},
                     {"from 1990\u201395", "1990\u201395"},
                     {"between 1990 and 1995", "1990|1995"},
                     {"from 1990 to 1995 or 1996", "1990|1995"},
                     {"in 1995-1990", ""},
                     {"in 1990-1995-2000", ""},
                     {"room 1990 and 1995", ""},
                     {"under the 1990 Act", ""},
                     {"in 1990-80", ""}});
}

TEST(Dates, QuartersSeasonsAndParts) {
  expect_all(kDate,
             {{"in Q3 2008, Q1/2009, Q2 of 2010, 2008 Q3 and 2008-Q4", "Q3 2008|Q1/2009|Q2 of 2010|2008 Q3|2008-Q4"},
              {"the summer of 1998, Winter 2005/06, fall 2001", "summer of 1998|Winter 2005/06|fall 2001"},
              {"mid-2007, mid 2007, in the mid-1990s and late-1990s", "mid-2007|mid 2007|mid-1990s|late-1990s"},
              {"Q5 2008, Q3 20085, EQ3 2008, Q3", ""},
              {"the fall of 300 men, spring water 2000 ml, Summer 1998x, fall 2001 people", ""},
              {"summer of 98, midsummer 1998, mid, early 5", ""},
              {"in early 2007", ""}});
}

TEST(Dates, DecadesAndSchoolYears) {
  expect_all(kYear, {{"the 1990s, the '80s, 1980's", "1990s|80s|1980's"},
                     {"in 2006/07 and the 2006/2007 season", "2006/07|2006/2007"},
                     {"1995s, 1990sq, in her 90s, 80s", ""},
                     {"in 2006/08, 2006/07/08, ratio 2006/07", ""}});
}

TEST(Dates, OfLawsAreNobodys) {
  for (const char* law : {"Law no. 5190 of 16 June 2004, then", "the Law of June 17, 2004", "an Act of 3 May 1990 says",
                          "Regulation (EC) no. 44/2001 of 22 December 2000", "the Convention of 4 November 1950",
                          "in the Official Gazette on 30 June 2004", "Official Journal no. 5 of 3 May 2001"}) {
    SCOPED_TRACE(law);
    EXPECT_EQ(found(law, kDate), "");
    EXPECT_EQ(found(law, kYear), "");
  }
  expect_all(kDate, {{"a judgment of 16 June 2004", "16 June 2004"},
                     {"an act of 3 May 2001", "3 May 2001"},
                     {"His Decree of 3 May 2001", "3 May 2001"},
                     {"the Journal of 3 May 2001, the Code on 4 May 2001", "3 May 2001|4 May 2001"},
                     {"a Lawn of 3 May 2001, no. 5 of 4 May 2001", "3 May 2001|4 May 2001"}});
  expect_all(kYear, {{"under the 1980 Hague Convention", ""}, {"in 1980 Hague met", "1980"}});
  expect_all(kOrganisation, {{"the Treaty on European Union", ""}, {"on European Union money", "European Union"}});
  expect_all(kPlace, {{"the Treaty of Rome", ""}, {"a treaty of Rome", "Rome"}});
  expect_all(kPlace, {{"the Geneva Conventions, the Berlin Treaty", ""}, {"a Berlin convention", "Berlin"}});
}

}  // namespace
}  // namespace residue::text
