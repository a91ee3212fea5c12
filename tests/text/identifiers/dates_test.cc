// Dates in the forms that people write them in, of text/recognizers.h and text/calendar.h.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/identifiers/found.h"
#include "text/identifiers/calendar.h"

namespace residue::text {
namespace {

using enum EntityType;

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

}  // namespace
}  // namespace residue::text
