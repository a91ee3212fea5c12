// Recognizers of text/recognizers.h that a word nearby or a check digit decides on: positives and negatives of each.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/identifiers/found.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(Identifiers, Phone) {
  expect_all(kPhone, {
                         {"+47 22 55 01 47.", "+47 22 55 01 47"},
                         {"+1 (212) 555-0134", "+1 (212) 555-0134"},
                         {"0044 20 7946 0134", "0044 20 7946 0134"},
                         {"(212) 555-0134", "(212) 555-0134"},
                         {"212-555-0134, or", "212-555-0134"},
                         {"212.555.0134", "212.555.0134"},
                         {"020 7946 0134", "020 7946 0134"},
                         {"01 99 00 27 45", "01 99 00 27 45"},
                         {"06.12.34.56.78", "06.12.34.56.78"},
                         {"030/23125772", "030/23125772"},
                         {"(030) 23125772", "(030) 23125772"},
                         {"tel. 976 555 014", "976 555 014"},
                         {"call her at 555-0134", "555-0134"},
                         {"+442079460134", "+442079460134"},
                         {"120/80", ""},
                         {"500 mg", ""},
                         {"+5 mg", ""},
                         {"2009-2015", ""},
                         {"120-1400", ""},
                         {"1234567890", ""},
                         {"0.123456789", ""},
                         {"on 01.02.2021 at", ""},
                         {"called on 12.03.2021", ""},
                         {"150 000 inhabitants", ""},
                         {"version 212.555", ""},
                         {"x+442079460134", ""},
                         {"345-899-3560x4587", "345-899-3560x4587"},
                         {"(212) 555-0134 ext. 12 now", "(212) 555-0134 ext. 12"},
                         {"+46 (0)8 928 571 38", "+46 (0)8 928 571 38"},
                         {"Phone:\n60-56-85-91\n", "60-56-85-91"},
                         {"781 1704 office", "781 1704"},
                         {"(64) 3591-3246?", "(64) 3591-3246"},
                         {"a parcel of 781 1704", ""},
                         {"(12) of 345", ""},
                         {"a call for 300 patients", ""},
                     });
}

TEST(Identifiers, TitledName) {
  expect_all(kName, {
                        {"Dr. Ana Ruiz referred", "Dr. Ana Ruiz"},
                        {"Mrs Smith is", "Mrs Smith"},
                        {"Prof. de la Cruz asked", "Prof. de la Cruz"},
                        {"Dr. Okonkwo's practice", "Dr. Okonkwo"},
                        {"Mr. O'Shea, then", "Mr. O'Shea"},
                        {"Ms. Fatou N\u2019Diaye", "Ms. Fatou N\u2019Diaye"},
                        {"Prof. Dr. Hoffmann.", "Prof. Dr. Hoffmann"},
                        {"Dr Söderberg in", "Dr Söderberg"},
                        {"Dr. Nováková will", "Dr. Nováková"},
                        {"Dr. J. R. Smith-Jones She", "Dr. J. R. Smith-Jones She"},
                        {"Mr. van Dijk, asked", "Mr. van Dijk"},
                        {"Frau Müller", "Frau Müller"},
                        {"Captain Ångström of", "Captain Ångström"},
                        {"by Mr F.L. and", "Mr F.L."},
                        {"by Mr F.L and", "Mr F.L"},
                        {"by Mr F.L. She left", "Mr F.L."},
                        {"Dr A.B. Smith said", "Dr A.B. Smith"},
                        {"Ms E.-L. Kiiski,", "Ms E.-L. Kiiski"},
                        {"Miss X., a", ""},
                        {"the Dr. said", ""},
                        {"Drive on", ""},
                        {"I miss Xanthippa", ""},
                        {"MS Patients", ""},
                        {"Miss, please", ""},
                        {"Mr. 45", ""},
                        {"Dr. de la casa", ""},
                        {"Prof.Xanthos", ""},
                        {"ADr. Xanthos", ""},
                        {"Mrs.", ""},
                        {"Sir, Xanthippa came", ""},
                    });
}

TEST(Identifiers, Mac) {
  expect_all(kMac, {
                       {"from 00:1A:2B:3C:4D:5E.", "00:1A:2B:3C:4D:5E"},
                       {"00-1a-2b-3c-4d-5e", "00-1a-2b-3c-4d-5e"},
                       {"00:1A:2B:3C:4D", ""},
                       {"00:1A:2B:3C:4D:5E:6F", ""},
                       {"00:1A-2B:3C:4D:5E", ""},
                       {"at 12:30:45", ""},
                   });
}

TEST(Identifiers, Year) {
  expect_all(kYear, {
                        {"in 2021.", "2021"},
                        {"founded (1977)", "1977"},
                        {"since 2004, he", "2004"},
                        {"a 1979 film", "1979"},
                        {"the Act of 2011", "2011"},
                        {"in 2021 patients", ""},
                        {"in 2500", ""},
                        {"room 2021", ""},
                        {"of 2000 mg", ""},
                        {"in 2021.5", ""},
                        {"a 2000", ""},
                    });
}

TEST(Identifiers, Time) {
  expect_all(kTime, {
                        {"at 14:05.", "14:05"},
                        {"9:30 am and 10 p.m.", "9:30 am|10 p.m."},
                        {"at 9:30", "9:30"},
                        {"5 o'clock", "5 o'clock"},
                        {"12:30:45", "12:30:45"},
                        {"John 3:16", ""},
                        {"25:00", ""},
                        {"14:65", ""},
                        {"1:2:3:4", ""},
                        {"13 am", ""},
                        {"5 ampere", ""},
                    });
}

TEST(Identifiers, Money) {
  expect_all(kMoney, {
                         {"paid $1,200.50 for", "$1,200.50"},
                         {"\u20AC 300 and \u00A320k", "\u20AC 300|\u00A320k"},
                         {"USD 300; 300 EUR", "USD 300|300 EUR"},
                         {"5 million dollars", "5 million dollars"},
                         {"1.200,50 \u20AC", "1.200,50 \u20AC"},
                         {"300 mg", ""},
                         {"$HOME", ""},
                         {"EUROPE 300", ""},
                         {"300 dollarydoos", ""},
                     });
}

TEST(Identifiers, Username) {
  expect_all(kUsername, {
                            {"follow @ana_ruiz!", "@ana_ruiz"},
                            {"username: bob77, then", "bob77"},
                            {"my user name is kitty-cat.", "kitty-cat"},
                            {"login: root1", "root1"},
                            {"User: Hello there", ""},
                            {"the user is away", ""},
                            {"@ home", ""},
                            {"a@b", ""},
                            {"rate @5", ""},
                            {"user friendly", ""},
                        });
}

TEST(Identifiers, Street) {
  expect_all(kStreet, {
                          {"at 14 Crown Street.", "14 Crown Street"},
                          {"1668 Glyn St, Apt. 4", "1668 Glyn St, Apt. 4"},
                          {"221B Baker Street", "221B Baker Street"},
                          {"5 East 42nd Street", "5 East 42nd Street"},
                          {"Hauptstra\u00DFe 12a", "Hauptstra\u00DFe 12a"},
                          {"in Puruntie 82", "Puruntie 82"},
                          {"Via Franscini 71", "Via Franscini 71"},
                          {"12 rue de Gafsa", "12 rue de Gafsa"},
                          {"PO Box 12, Suite 501", "PO Box 12, Suite 501"},
                          {"1072 Pohlstrasse 9", "1072 Pohlstrasse 9"},
                          {"14 patients on Main Street", ""},
                          {"5 Dr. Smith", ""},
                          {"the street 12", ""},
                          {"Unit costs", ""},
                          {"a suite 5", ""},
                      });
}

TEST(Identifiers, Postcode) {
  expect_all(kPostcode, {
                            {"Denver, CO 80202", "80202"},
                            {"TX 78701-1234.", "78701-1234"},
                            {"SW1A 1AA", "SW1A 1AA"},
                            {"K1A 0B1", "K1A 0B1"},
                            {"ZIP: 7412 SL", "7412 SL"},
                            {"zip code is 880", "880"},
                            {"PLZ 10115", "10115"},
                            {"80202", ""},
                            {"XX 80202", ""},
                            {"B12 3MG", "B12 3MG"},
                            {"12 345 people", ""},
                        });
}

// Numbers that need to be announced: with a word, and without one.
TEST(Identifiers, AnnouncedNumbers) {
  expect_all(kPassport, {{"passport no. C01X00T47", ""},
                         {"passport number is 123456789", "123456789"},
                         {"Reisepass C1234567", "C1234567"},
                         {"C1234567", ""},
                         {"passport? 123456789", ""},
                         {"passport 4711 or 123456789", ""},
                         {"passport 123", ""}});
  expect_all(kLicence, {{"driver's license number is F162823540116", "F162823540116"},
                        {"driving licence: MORGA-657054-SM9", "MORGA-657054-SM9"},
                        {"license of 5 mg", ""},
                        {"F162823540116", ""}});
  expect_all(kFile, {{"MRN 40718823", "40718823"},
                     {"policy HH-2289017.", "HH-2289017"},
                     {"Case no. 2022-118", "2022-118"},
                     {"account number 4711-22", "4711-22"},
                     {"in case 500 mg", ""},
                     {"in this case 120/80", ""},
                     {"the case of 2021", ""},
                     {"40718823", ""}});
}

// Computed with the published tables of the dihedral group and of the permutation.
TEST(Identifiers, VerhoeffFollowsItsTables) {
  for (const char* number : {"499118665246", "987654321012", "142857142856", "2363", "0"}) {
    EXPECT_TRUE(verhoeff_valid(number)) << number;
  }
  for (const char* number : {"499118665247", "987654321021", "142857412856", "2633", ""}) {
    EXPECT_FALSE(verhoeff_valid(number)) << number;
  }
}

struct IdCase {
  EntityType type;
  const char* text;
  const char* id;     // found in `text`
  const char* wrong;  // the same with a wrong check, a wrong part or no announcement: not found
};

// The check digits were computed by hand from the rules in text/checksums.h.
TEST(Identifiers, NationalIds) {
  const std::vector<IdCase> cases{
      {kSsn, "SSN 123-45-6789.", "123-45-6789", "SSN 000-45-6789 666-45-6789 123-00-6789 123-45-0000"},
      {kSsn, "social security number is 123 45 6789", "123 45 6789", "123 45 6789"},
      {kItin, "912-70-1234", "912-70-1234", "912-69-1234 912-89-1234"},
      {kNhs, "NHS number 943 476 5919", "943 476 5919", "NHS number 943 476 5918"},
      {kNhs, "NHS 9434765919", "9434765919", "code 9434765919"},
      {kNino, "AB 12 34 56 C", "AB 12 34 56 C", "DB123456C BO123456A GB123456A AB123456E"},
      {kSteuerId, "Steuer-ID 86 095 742 719", "86 095 742 719", "Steuer-ID 86 095 742 718"},
      {kSteuerId, "IdNr. 86095742719", "86095742719", "Nr. 86095742719"},
      {kNir, "2 55 08 14 168 025 38", "2 55 08 14 168 025 38", "2 55 08 14 168 025 39"},
      {kNir, "155082A16802550", "155082A16802550", "155082A16802538 155132A16802550"},
      {kDni, "DNI 12345678Z,", "12345678Z", "12345678A"},
      {kDni, "X1234567L", "X1234567L", "X1234567A W1234567L"},
      {kCodiceFiscale, "RSSMRA85T10A562S", "RSSMRA85T10A562S", "RSSMRA85T10A562T"},
      {kBsn, "BSN 111222333", "111222333", "BSN 111222334"},
      {kBsn, "burgerservicenummer: 1112.22.333", "1112.22.333", "order 111222333"},
      {kPesel, "PESEL 44051401359", "44051401359", "PESEL 44051401358 PESEL 44131401359"},
      {kPersonnummer, "811228-9874", "811228-9874", "811228-9873 811328-9874"},
      {kPersonnummer, "19811228-9874", "19811228-9874", "17811228-9874"},
      {kAadhaar, "2341 2341 2346", "2341 2341 2346", "2341 2341 2345 1341 2341 2346"},
      {kPan, "PAN ABCPE1234F", "ABCPE1234F", "ABCXE1234F"},
      {kTfn, "TFN 123 456 782", "123 456 782", "TFN 123 456 783"},
      {kMedicare, "Medicare 2123 45670 1", "2123 45670 1", "Medicare 2123 45671 1"},
      {kSin, "SIN 130 692 544", "130 692 544", "SIN 130 692 545"},
      {kCpf, "529.982.247-25", "529.982.247-25", "529.982.247-24 111.111.111-11"},
      {kCpf, "CPF 52998224725", "52998224725", "nr 52998224725"},
  };
  for (const IdCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(found(c.text, c.type), c.id);
    EXPECT_EQ(found(c.wrong, c.type), "");
  }
}

TEST(Identifiers, NamesPlacesAndOrganisations) {
  expect_all(kName, {{"Anna left.", "Anna"},
                     {"by Sara K. Schwarz-Weber.", "Sara K. Schwarz-Weber"},
                     {"Will Smith will", "Will Smith"},
                     {"J. Smith came", "J. Smith"},
                     {"A.B. Smith came", "A.B. Smith"},
                     {"the U.S. Ford plants", ""},
                     {"My name is Rubija Oto.", "Rubija Oto"},
                     {"Name: Leigha", "Leigha"},
                     {"Dear Rubija,", "Rubija"},
                     {"May I come?", ""},
                     {"Grace is a virtue", ""},
                     {"Mark this", ""},
                     {"The White House", ""},
                     {"a name is given", ""}});
  expect_all(kPlace, {{"from New York City to Oslo.", "New York City|Oslo"},
                      {"LONDON", "LONDON"},
                      {"the US and us", "US"},
                      {"she lives in Tjaereborg now", "Tjaereborg"},
                      {"in Reading", "Reading"},
                      {"Reading books", ""},
                      {"Nice work in Friday", ""},
                      {"she lives in a house", ""}});
  expect_all(kOrganisation, {{"at Mayo-Walters Ltd. now", "Mayo-Walters Ltd."},
                             {"St. Mary's Hospital", "St. Mary's Hospital"},
                             {"University of Oslo", "University of Oslo"},
                             {"the Ministry of Foreign Affairs said", "Ministry of Foreign Affairs"},
                             {"Department of Lands and Surveys of the", "Department of Lands and Surveys"},
                             {"University of Oslo Prof. Berg", "University of Oslo"},
                             {"Oslo University's Dean", "Oslo University"},
                             {"Oslo Museum and Bergen", "Oslo Museum"},
                             {"the Academy Award for Best Actor", ""},
                             {"she works at Zonability", "Zonability"},
                             {"Google said", "Google"},
                             {"in Denver, CO 80202", ""},
                             {"by Denver, Co.", "Denver, Co"},
                             {"Anna Smith Inc.", "Anna Smith Inc"},
                             // A full stop that may be the sentence's stays.
                             {"at Smith Ltd. She left; Smith Inc.\nThen", "Smith Ltd|Smith Inc"},
                             {"at Smith Ltd., at Smith Ltd. of old (Smith Ltd.)", "Smith Ltd.|Smith Ltd.|Smith Ltd."},
                             {"by Anna Smith Inc now", "Anna Smith Inc"},
                             {"The hospital", ""},
                             {"Our Hospital", ""},
                             {"in School", ""}});
}

}  // namespace
}  // namespace residue::text
