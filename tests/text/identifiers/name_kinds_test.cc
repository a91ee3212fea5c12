#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::text {
namespace {

TEST(NameKinds, AreOfNamesThatTheListsKnow) {
  std::set<std::string> seen;
  for (const Gender gender : {Gender::kFemale, Gender::kMale}) {
    EXPECT_GT(first_names_of(gender).size(), 300U);
    for (const std::string& name : first_names_of(gender)) {
      EXPECT_TRUE(NameLists::own().bits_of(name).has(NameBits::kFirst)) << name;
      EXPECT_TRUE(seen.insert(lower(name)).second) << name;
      EXPECT_EQ(gender_of(name), gender);
    }
  }
  std::set<std::string> places;
  for (const PlacesOfCountry& row : places_of_countries()) {
    ASSERT_FALSE(row.country.empty());
    for (const std::string& country : row.country)
      EXPECT_TRUE(NameLists::own().bits_of(country).has(NameBits::kCountry)) << country;
    EXPECT_GT(row.places.size(), row.cities ? 1U : 0U);
    for (const std::string& place : row.places) {
      EXPECT_TRUE(NameLists::own().bits_of(place).has(NameBits::kPlace)) << place;
      EXPECT_TRUE(places.insert(lower(place)).second) << place;
      EXPECT_EQ(row_of_place(place), &row);
    }
  }
}

TEST(NameLists, FindWhatSomebodyWasBornAs) {
  const auto found = [](std::string_view text) {
    std::string all;
    for (const Entity& entity : recognize(text))
      all.append(text.substr(entity.begin, entity.end - entity.begin)).append("|");
    return all;
  };
  EXPECT_EQ(found("her maiden name, \u201CTanbay\u201D, and"), "Tanbay|");
  EXPECT_EQ(found("Tanbay, n\u00E9e Yonbay"), "Yonbay|");
  EXPECT_EQ(found("the same, \u201CTanbay\u201D"), "");
}

TEST(NameKinds, KnowWhoAndWhere) {
  EXPECT_EQ(gender_of("ANNA"), Gender::kFemale);
  EXPECT_EQ(gender_of("Robin"), Gender::kUnknown);
  EXPECT_EQ(gender_of_title("Mrs"), Gender::kFemale);
  EXPECT_EQ(gender_of_title("Herr"), Gender::kMale);
  EXPECT_EQ(gender_of_title("Dr"), Gender::kUnknown);
  EXPECT_EQ(row_of_place("munich"), row_of_country("Germany", true));
  EXPECT_EQ(row_of_place("London"), row_of_country("UK", true));
  EXPECT_EQ(row_of_place("Bavaria"), row_of_country("Germany", false));
  EXPECT_EQ(row_of_place("Georgia"), nullptr);
  EXPECT_EQ(row_of_country("Chad", true), nullptr);
}

}  // namespace
}  // namespace residue::text
