// Most words are refused by a question that is asked before a matcher is called: none may be that the matcher takes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/text/identifiers/found.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(FirstQuestions, LetSmallWordsThroughThatAreDatesAndAges) {
  expect_all(kDate, {{"nel enero de 1980 era", "enero de 1980"},
                     {"the summer of 1998 was", "summer of 1998"},
                     {"in march 2021 and", "march 2021"},
                     {"since mid 1990s or", "mid 1990s"}});
  expect_all(kAge, {{"is three years old now", "three years old"},
                    {"is eleven months old now", "eleven months old"},
                    {"is two weeks old now", "two weeks old"},
                    {"is five days old now", "five days old"},
                    {"now aged ten and", "aged ten"},
                    {"was at the age of nine when", "at the age of nine"}});
}

TEST(FirstQuestions, LetNamesOfUsersThrough) {
  expect_all(kUsername, {{"my user name: kittycat and", "kittycat"},
                         {"username is kittycat and", "kittycat"},
                         {"login=kittycat and", "kittycat"},
                         {"login: kittycat", "kittycat"}});
}

TEST(FirstQuestions, LetEveryTitleThrough) {
  for (const std::string_view title :
       {"Dr",       "Mr",      "Mrs",    "Ms",      "Mx",      "Miss",     "Prof",      "Professor", "Doctor",
        "Dame",     "Rev",     "Capt",   "Herr",    "Frau",    "Hr",       "Mme",       "Mlle",      "Monsieur",
        "Madame",   "Sr",      "Sra",    "Srta",    "Señor",   "Señora",   "Signor",    "Doña",      "Dra",
        "DR",       "MR",      "MRS",    "Mister",  "Senhor",  "Sgt",      "Lt",        "Judge",     "Justice",
        "Lord",     "Lady",    "Sir",    "General", "Colonel", "Captain",  "Major",     "Inspector", "Detective",
        "Officer",  "Senator", "Bishop", "Rabbi",   "Imam",    "Nurse",    "Attorney",  "Don",       "Pani",
        "Sergeant", "Mayor",   "Father", "Sister",  "Brother", "Minister", "President", "Governor"}) {
    const std::string name = std::string(title) + " Qwertov";
    EXPECT_EQ(found("We saw " + name + " there", kName), name);
  }
}

TEST(FirstQuestions, LetEveryUnitOfAHouseThrough) {
  for (const std::string_view unit :
       {"Apartment", "Apt.", "Suite", "Unit", "Flat", "Room", "P.O. Box", "PO Box", "Postbox", "Box", "Floor", "CMR"}) {
    const std::string written = std::string(unit) + " 595";
    EXPECT_EQ(found("See " + written + ", please", kStreet), written);
  }
}

TEST(FirstQuestions, LetEveryCurrencyThrough) {
  for (const std::string_view money :
       {"$20",      "US$20",  "A$20",     "C$20",    "€20",    "£20",    "¥20",    "₹20",        "₽20",
        "₺20",      "USD 20", "EUR 20",   "GBP 20",  "CHF 20", "JPY 20", "SEK 20", "PLN 20",     "HUF 20",
        "INR 20",   "BRL 20", "MXN 20",   "ZAR 20",  "RUB 20", "TRY 20", "KRW 20", "20 dollars", "20 euros",
        "20 bucks", "20 yen", "20 pesos", "20 quid", "20 €",   "20 USD", "20 CZK"}) {
    EXPECT_EQ(found("It was " + std::string(money) + ", please", kMoney), money);
  }
}

}  // namespace
}  // namespace residue::text
