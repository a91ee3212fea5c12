#include "ingest/surrogates/surrogates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/mask/scrub.h"
#include "ingest/surrogates/shifted_dates.h"
#include "ingest/surrogates/written_names.h"
#include "tests/ingest/surrogates/seeded_draws.h"
#include "tests/text/linear_time.h"
#include "text/characters/unicode.h"
#include "text/following/name_words.h"
#include "text/identifiers/name_lists.h"

namespace residue::ingest {
namespace {

using enum text::EntityType;

Surrogates record_of(std::uint64_t seed, std::string_view key) {
  return Surrogates(seeded_draws(seed)->of({key, {}}), Consistency::kRecord);
}

std::string surrogate(text::EntityType type, std::string_view original, std::uint64_t seed = 1,
                      std::string_view key = "r-1") {
  return record_of(seed, key).of(type, original);
}

// The dates were computed by hand; 2020 has a 29 February.
TEST(ShiftedDates, KeepTheirForm) {
  struct Case {
    const char* date;
    int days;
    const char* moved;
  };
  for (const Case& c : std::vector<Case>{{"2021-03-03", 1, "2021-03-04"},
                                         {"2020-02-28", 1, "2020-02-29"},
                                         {"31.12.1999", 1, "01.01.2000"},
                                         {"31.12.99", 1, "01.01.00"},
                                         {"3/25/2021", 7, "4/1/2021"},
                                         {"25/3/2021", 7, "1/4/2021"},
                                         {"3 March 2021", -3, "28 February 2021"},
                                         {"March 3rd, 2021", -2, "March 1st, 2021"},
                                         {"the 2nd of March, 2021", 1, "the 3rd of March, 2021"},
                                         {"Dec 31, 2021", 1, "Jan 1, 2022"},
                                         {"12-Sep-1960", 20, "2-Oct-1960"},
                                         {"03/2020", 31, "04/2020"},
                                         {"May 2021", 365, "May 2022"},
                                         {"1977", 366, "1978"},
                                         {"1977", -400, "1976"},
                                         {"Friday", 3, "Monday"},
                                         {"SUNDAY", -1, "SATURDAY"},
                                         {"5-7 March 2010", 1, "6-8 March 2010"},
                                         {"28-30 March 2010", 5, "2-4 April 2010"},
                                         {"5\u20138 March 2010", 25, "28\u201331 March 2010"},
                                         {"5. Januar 1980", 31, "5. Februar 1980"},
                                         {"1er janvier 1999", 1, "2 janvier 1999"},
                                         {"5 de enero de 1980", 31, "5 de febrero de 1980"},
                                         {"3 ao\u00FBt 2010", 31, "3 septembre 2010"},
                                         {"D\u00C9CEMBRE 2010", 31, "JANVIER 2011"},
                                         {"5 march 1980", 31, "5 april 1980"},
                                         {"5-Jan-80", 366, "5-Jan-81"},
                                         {"Jan. 5, '20", 31, "Feb. 5, '20"},
                                         {"29 February", 1, "1 March"},
                                         {"2021\u201103\u201103", 1, "2021\u201103\u201104"},
                                         {"20210303T101500Z", 1, "20210304T101500Z"},
                                         // Days and months that there are not.
                                         {"31/02/2021", 5, "5/03/2021"},
                                         {"30 February 2019", 366, "29 February 2020"},
                                         {"31 June 2018", 1, "1 July 2018"},
                                         {"2017-02-29", 1, "2017-03-01"},
                                         {"31.04.2015", 1, "01.05.2015"},
                                         {"Feb 30, 2013", 1, "Mar 1, 2013"},
                                         {"99/99/2014", 1, "1/1/2015"},
                                         {"13/13/2012", 31, "13/1/2013"},
                                         {"1990-00-00", 366, "1991-01-02"},
                                         {"30 February", 1, "1 March"},
                                         {"1-31 March 2010", 340, "1-28 February 2011"},
                                         {"soon", 5, ""}}) {
    SCOPED_TRACE(c.date);
    EXPECT_EQ(shifted_date(c.date, c.days), c.moved);
  }
}

TEST(ShiftedDates, NeverKeepTheYear) {
  for (const std::string original :
       {"30 February 2019", "31 June 2019", "2019-02-29", "31/02/2019", "31.04.2019", "Feb 30, 2019", "99/99/2019",
        "13/13/2019", "1-31 February 2019", "30/02/2019 14:05", "February 30th, 2019", "2019", "February 2019"}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      // The date that it is taken for is there too, so that two want one surrogate.
      Surrogates record = record_of(seed, "r-1");
      const std::string real = record.of(kDate, "28 February 2019");
      const std::string made = record.of(original == "2019" ? kYear : kDate, original);
      SCOPED_TRACE(original + " -> " + made);
      EXPECT_EQ(made.find("2019"), std::string::npos);
      EXPECT_FALSE(made.starts_with('['));
      if (original == "30 February 2019") {
        EXPECT_EQ(made.substr(made.size() - 4), real.substr(real.size() - 4));
      }
    }
  }
  EXPECT_EQ(with_other_years("week 5 of 2019", -800), "week 5 of 2017");
}

TEST(ShiftedDates, MovePeriodsByYearsAndDecades) {
  EXPECT_EQ(shifted_date("Q3 2008", 800), "Q3 2010");
  EXPECT_EQ(shifted_date("2008-Q4", -400), "2007-Q4");
  EXPECT_EQ(shifted_date("Winter of 1999/00", 400), "Winter of 2000/01");
  EXPECT_EQ(shifted_date("mid-1990s", 400), "mid-2000s");
  EXPECT_EQ(shifted_years("1990s", -1500), "1970s");
  EXPECT_EQ(shifted_years("00s", -400), "90s");
  EXPECT_EQ(shifted_years("2006/07", 400), "2007/08");
}

TEST(ShiftedDates, MoveRangesOfYears) {
  EXPECT_EQ(shifted_years("1990-1995", 730), "1992-1997");
  EXPECT_EQ(shifted_years("1990\u201395", 365), "1991\u201396");
  EXPECT_EQ(shifted_years("1998-99", 365), "1999-2000");  // not 1999-00
  EXPECT_EQ(shifted_years("1990", 365), "1991");
}

TEST(ShiftedDates, TakeTheTimeOfDayWithThem) {
  const std::string moved = shifted_date("2021-03-03 10:15:30", 400);
  EXPECT_EQ(moved.substr(0, 11), "2022-04-07 ");
  EXPECT_EQ(moved.size(), 19U);
  EXPECT_NE(moved.substr(11, 5), "10:15");
  EXPECT_EQ(moved.substr(16), ":30");
}

TEST(ShiftedTimes, KeepTheirForm) {
  for (const std::string time :
       {"14:05", "9:30 am", "09:30", "10 p.m.", "5 o'clock", "23:59:59", "1.30 p.m.", "14:05 UTC", "14:05 PST"}) {
    for (int minutes = 0; minutes < 719; minutes += 7) {
      const std::string moved = shifted_time(time, minutes);
      SCOPED_TRACE(time + " " + moved);
      EXPECT_NE(moved, time);
      const auto found = text::recognize("at " + moved);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].type, kTime);
    }
  }
}

TEST(Surrogates, AreOfTheSameTypeAndNeverThemselves) {
  struct Case {
    text::EntityType type;
    const char* original;
  };
  const std::vector<Case> cases{{kEmail, "ana.ruiz@clinic.example"},
                                {kUrl, "https://www.clinic.example/p/12"},
                                {kIp, "10.1.2.3"},
                                {kIp, "fe80::1"},
                                {kMac, "00:1A:2B:3C:4D:5E"},
                                {kIban, "DE89 3704 0044 0532 0130 00"},
                                {kCard, "4111 1111 1111 1111"},
                                {kSsn, "123-45-6789"},
                                {kNino, "AB 12 34 56 C"},
                                {kNir, "2 55 08 14 168 025 38"},
                                {kDni, "12345678Z"},
                                {kCodiceFiscale, "RSSMRA85T10A562S"},
                                {kPersonnummer, "811228-9874"},
                                {kAadhaar, "2341 2341 2346"},
                                {kPan, "ABCPE1234F"},
                                {kCpf, "529.982.247-25"},
                                {kDate, "3 March 2021"},
                                {kAge, "45-year-old"},
                                {kPhone, "+47 22 55 01 47"},
                                {kMoney, "$1,200.50"},
                                {kUsername, "@ana_ruiz"},
                                {kStreet, "14 Crown Street"},
                                {kPostcode, "SW1A 1AA"},
                                {kName, "Dr. Ana Ruiz"},
                                {kPlace, "Norway"},
                                {kOrganisation, "Mayo-Walters Ltd"},
                                {kNumber, "40718823"}};
  for (const Case& c : cases) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::string made = surrogate(c.type, c.original, seed);
      SCOPED_TRACE(std::string(c.original) + " -> " + made);
      EXPECT_NE(text::lower(made), text::lower(c.original));
      const auto& row = text::recognizer(c.type);
      EXPECT_TRUE(row.valid == nullptr || row.valid(made));
      // MAC addresses of random letters are none, and a name may be one that is no list's.
      if (c.type == kMac) continue;
      const auto found = text::recognize(made);
      ASSERT_FALSE(found.empty());
      EXPECT_EQ(text::recognizer(found[0].type).name, row.name);
    }
  }
}

TEST(Surrogates, AreTheSameForTheSameWordsOfARecord) {
  Surrogates record = record_of(7, "r-1");
  const std::string full = record.of(kName, "Anna Smith");
  EXPECT_EQ(record.of(kName, "Anna Smith"), full);
  EXPECT_EQ(record.of(kName, "Smith"), full.substr(full.rfind(' ') + 1));
  EXPECT_EQ(record.of(kName, "Mr. Smith"), "Mr. " + full.substr(full.rfind(' ') + 1));
  EXPECT_EQ(text::lower(record.of(kName, "ANNA SMITH")), text::lower(full));
  EXPECT_NE(record.of(kName, "Bob Jones"), full);
  // With and without an accent it is two, or nobody could put them back.
  EXPECT_NE(record.of(kName, "Nunez"), record.of(kName, "Nu\u00F1ez"));
  Surrogates all(seeded_draws(7, "surrogates", Consistency::kDataset)->of({"r-1", {}}), Consistency::kDataset);
  EXPECT_EQ(all.of(kName, "Nunez"), all.of(kName, "Nu\u00F1ez"));
  EXPECT_EQ(record_of(7, "r-1").of(kName, "Anna Smith"), full);
  int same = 0;
  for (int i = 0; i < 20; ++i) {
    same += surrogate(kNumber, "40718823", 1, std::to_string(i)) == surrogate(kNumber, "40718823", 1, "x") ? 1 : 0;
    same += surrogate(kNumber, "40718823", static_cast<std::uint64_t>(i + 2)) == surrogate(kNumber, "40718823") ? 1 : 0;
  }
  EXPECT_EQ(same, 0);
}

// Words of names, in small letters and without accents.
std::set<std::string> name_words_of(std::string_view text) {
  std::set<std::string> words;
  text::each_name_word(text, [&](const text::NameWord& word) {
    const std::string known = known_as(text.substr(word.begin, word.end - word.begin));
    if (word.written != text::WordCase::kSmall && known.size() > 2) words.insert(known);
  });
  return words;
}

TEST(Surrogates, AreNoNamesOfTheRecord) {
  const auto firsts = text::own_names(text::NameBits::kFirst), lasts = text::own_names(text::NameBits::kLast),
             places = text::own_names(text::NameBits::kPlace);
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    std::string record;
    for (std::size_t n = 0; n < 12; ++n) {
      const std::size_t at = i * 12 + n;
      record += fmt::format("Mr {} {} went to {}. ", firsts[at * 37 % firsts.size()], lasts[at * 53 % lasts.size()],
                            places[at * 71 % places.size()]);
    }
    ScrubOptions options;
    options.surrogates = seeded_draws(i);
    const SanitizeOutput output = scrub({std::to_string(i), record}, options);
    const std::set<std::string> real = name_words_of(record);
    for (const Replacement& one : output.spans) {
      const std::set<std::string> own = name_words_of(record.substr(one.begin, one.end - one.begin));
      for (const std::string& word : name_words_of(one.with)) {
        ++replaced;
        EXPECT_TRUE(!real.contains(word) || own.contains(word)) << record << "\n" << word;
      }
    }
  }
  EXPECT_GT(replaced, 4'000U);
}

TEST(Surrogates, AreNoNamesThatOnlySmallLettersSay) {
  // Of the four Norwegian cities the lists know, the record has three.
  const std::string record = "She lives in Oslo, Norway, not in Bergen; Trondheim";
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Surrogates made(seeded_draws(seed)->of({"r-1", {}}), Consistency::kRecord, record);
    const std::string city = made.of(kPlace, "Oslo");
    EXPECT_TRUE(city != "Bergen" && city != "Trondheim") << city;
    made.expect(kName, "smith");
    EXPECT_EQ(made.of(kName, "Jones").find("Smith"), std::string::npos);
  }
}

TEST(Surrogates, LeaveNoWordOfAName) {
  struct Case {
    text::EntityType type;
    const char* original;
    std::vector<const char*> words;
  };
  for (const Case& c : std::vector<Case>{{kName, "m\u00FCller-\u00F6zt\u00FCrk", {"m\u00FCller", "\u00F6zt\u00FCrk"}},
                                         {kName, "zola-\u010Dapek", {"zola", "\u010Dapek"}},
                                         {kName, "M\u00FCller-oakden", {"m\u00FCller", "oakden"}},
                                         {kName, "cengiz polat", {"cengiz", "polat"}},
                                         {kName, "\u00F6zil d'arc", {"\u00F6zil", "arc"}},
                                         {kName, "Ms Agathe Hill", {"agathe", "hill"}},
                                         {kName, "Mr Church", {"church"}},
                                         {kName, "Mr Lord-west", {"lord", "west"}},
                                         {kOrganisation, "Mayo-walters Ltd", {"mayo", "walters"}},
                                         {kOrganisation, "Norton baxter Ltd", {"norton", "baxter"}},
                                         {kStreet, "14 M\u00FCller-polat Street", {"m\u00FCller", "polat"}}}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::string made = surrogate(c.type, c.original, seed);
      SCOPED_TRACE(std::string(c.original) + " -> " + made);
      EXPECT_FALSE(made.starts_with('['));
      for (const char* word : c.words) EXPECT_EQ(text::lower(made).find(word), std::string::npos) << word;
    }
  }
  // Particles stay, and so does the case.
  EXPECT_NE(surrogate(kName, "Ludwig van der Berg").find(" van der "), std::string::npos);
  Surrogates record = record_of(7, "r-1");
  const std::string full = record.of(kName, "Cengiz Polat");
  EXPECT_EQ(record.of(kName, "cengiz polat"), text::lower(full));
}

TEST(Surrogates, OfAnOrganisationAreTheSameInEveryForm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const bool legal_first : {false, true}) {
      Surrogates record = record_of(seed, "r-1");
      if (legal_first) record.of(kOrganisation, "SIEMENS AG");
      const std::string plain = record.of(kOrganisation, "Siemens");
      SCOPED_TRACE(plain);
      EXPECT_FALSE(plain.starts_with('['));
      EXPECT_EQ(record.of(kOrganisation, "Siemens AG"), plain + " AG");
      EXPECT_EQ(text::lower(record.of(kOrganisation, "SIEMENS")), text::lower(plain));
      EXPECT_EQ(record.of(kOrganisation, "siemens"), text::lower(plain));
      const std::string firm = record.of(kOrganisation, "Norton Baxter & Co., Ltd.");
      EXPECT_EQ(record.of(kOrganisation, "Norton Baxter") + " & Co., Ltd.", firm);
      EXPECT_NE(record.of(kOrganisation, "Norton Baxter"), plain);
    }
  }
  EXPECT_NE(surrogate(kOrganisation, "Company"), "Company");
}

// The gender that the lists know of a surrogate, of the first name in it.
text::Gender gender_in(const std::string& name) {
  std::string_view rest = name;
  if (rest.starts_with("Mr ") || rest.starts_with("Ms ")) rest.remove_prefix(3);
  return text::gender_of(rest.substr(0, rest.find(' ')));
}

TEST(Surrogates, KeepTheGenderOfAFirstName) {
  std::set<text::Gender> any;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EXPECT_EQ(gender_in(surrogate(kName, "Anna Smith", seed)), text::Gender::kFemale);
    EXPECT_EQ(gender_in(surrogate(kName, "Thomas Smith", seed)), text::Gender::kMale);
    // Where no list knows, the title says it, for the name without it too.
    Surrogates titled = record_of(seed, "r-1");
    const std::string robin = titled.of(kName, "Ms Robin Carter");
    EXPECT_EQ(gender_in(robin), text::Gender::kFemale) << robin;
    EXPECT_EQ("Ms " + titled.of(kName, "Robin Carter"), robin);
    EXPECT_EQ(gender_in(surrogate(kName, "Mr Robin Carter", seed)), text::Gender::kMale);
    EXPECT_EQ(gender_in(surrogate(kName, "Mr Zarfo Carter", seed)), text::Gender::kMale);
    EXPECT_EQ(gender_in(surrogate(kName, "Ms Zarfo Carter", seed)), text::Gender::kFemale);
    // What a list knows goes before a title.
    EXPECT_EQ(gender_in(surrogate(kName, "Mr Anna Smith", seed)), text::Gender::kFemale);
    any.insert(gender_in(surrogate(kName, "Robin Carter", seed)));
    // Across records a title of one of them says nothing.
    Surrogates shared(seeded_draws(seed)->of({"r-1", {}}), Consistency::kDataset);
    Surrogates other(seeded_draws(seed)->of({"r-1", {}}), Consistency::kDataset);
    EXPECT_EQ(shared.of(kName, "Mr Robin Carter"), "Mr " + other.of(kName, "Robin Carter"));
  }
  EXPECT_TRUE(any.contains(text::Gender::kFemale) && any.contains(text::Gender::kMale));
}

bool in_country(const std::string& place, std::string_view country) {
  const text::PlacesOfCountry* row = text::row_of_place(place);
  return row != nullptr && row == text::row_of_country(country, row->cities);
}

TEST(Surrogates, KeepTheCountryOfAPlace) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EXPECT_TRUE(in_country(surrogate(kPlace, "Lyon", seed), "France"));
    EXPECT_TRUE(in_country(surrogate(kPlace, "Texas", seed), "US")) << surrogate(kPlace, "Texas", seed);
    // Its country is replaced too: it goes with it.
    Surrogates both = record_of(seed, "r-1");
    both.expect(kPlace, "France");
    both.expect(kName, "Poland");
    const std::string city = both.of(kPlace, "Lyon");
    const std::string country = both.of(kPlace, "France");
    EXPECT_TRUE(in_country(city, country)) << city << ", " << country;
    EXPECT_NE(country, "France");
    EXPECT_TRUE(in_country(both.of(kPlace, "Warsaw"), "Poland"));
    const std::string kingdom = surrogate(kPlace, "UK", seed);
    EXPECT_TRUE(kingdom != "ENGLAND" && kingdom != "SCOTLAND");
  }
  // More cities than the list has of a country.
  Surrogates many = record_of(1, "r-1");
  std::set<std::string> made;
  for (const char* city : {"Kyoto", "Nagoya", "Osaka", "Tokyo", "KYOTO", "OSAKA"}) made.insert(many.of(kPlace, city));
  EXPECT_EQ(made.size(), 6U);
  for (const std::string& place : made) EXPECT_FALSE(place.starts_with('[')) << place;
}

TEST(Surrogates, OfACityGoWithItsCountryOnlyWhereThatIsReplaced) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ScrubOptions options;
    options.surrogates = seeded_draws(seed);
    const SanitizeOutput out = scrub("She flew to Lyon, France.", options);
    ASSERT_EQ(out.spans.size(), 2U);
    EXPECT_TRUE(in_country(out.spans[0].with, out.spans[1].with)) << *out.text;
  }
}

// Of one digit there are nine others: a draw hits the original often.
TEST(Surrogates, OfFewPossibleOnesAreStillOthers) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_NE(surrogate(kNumber, "7", seed), "7");
    EXPECT_NE(surrogate(kYear, "1977", seed), "1977");
  }
}

TEST(Surrogates, MoveAllDatesOfARecordByTheSame) {
  Surrogates record = record_of(3, "r-9");
  const std::string first = record.of(kDate, "2021-03-03"), second = record.of(kDate, "2021-03-04");
  EXPECT_EQ(shifted_date(first, 1), second);
}

TEST(Surrogates, OfManyWordsAreAllDifferent) {
  Surrogates record = record_of(3, "r-9");
  std::set<std::string> made;
  for (int i = 0; i < 200; ++i) made.insert(record.of(kAge, fmt::format("aged {}", i % 100)));
  EXPECT_EQ(made.size(), 100U);
}

// Each digit is drawn from what was hashed once.
TEST(Surrogates, OfALongNumberTakeLinearTime) {
  EXPECT_TRUE(text::takes_linear_time(
      "7", [](const std::string& number) { EXPECT_EQ(surrogate(kNumber, number).size(), number.size()); }));
}

TEST(Surrogates, StandForTheirWordsInTheSpanTable) {
  ScrubOptions options;
  options.surrogates = seeded_draws(5);
  const std::string text = "Anna Smith, born 1970-02-03, mail anna@clinic.example. Anna Smith lives in Oslo.";
  const SanitizeOutput output = scrub({"r-1", text}, options);
  ASSERT_EQ(output.spans.size(), 5U);
  EXPECT_EQ(output.spans[0].with, output.spans[3].with);
  for (const Replacement& span : output.spans) {
    EXPECT_TRUE(span.stands);
    EXPECT_EQ(output.text->find(text.substr(span.begin, span.end - span.begin)), std::string::npos);
  }
  EXPECT_EQ(scrub({"r-1", text}, options).text, output.text);
  EXPECT_NE(scrub({"r-2", text}, options).text, output.text);
}

}  // namespace
}  // namespace residue::ingest
