// Numbers of cases, files and accounts, and identifiers with signs that are not ASCII.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/identifiers/found.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(FileNumbers, OfCases) {
  expect_all(kFile, {{"an application (no. 18403/91) against", "18403/91"},
                     {"nos. 1234/05 and 5678/06.", "1234/05|5678/06"},
                     {"nos. 1234/05, 77/06, and 5678/06", "1234/05|77/06|5678/06"},
                     {"Case No. AB-12/345", "AB-12/345"},
                     {"file no. AB-12/345;", "AB-12/345"},
                     {"docket no. 1:20-cv-01234", "1:20-cv-01234"},
                     {"Aktenzeichen: 3-StR-123/05", "3-StR-123/05"},
                     {"Aktenzeichen: 123/05", "123/05"},
                     {"the case no. 1996/302)", "1996/302"},
                     {"no 1234/05 patients", ""},
                     {"No 1234/05", "1234/05"},
                     {"Law no. 2330/1980 and Decree no. 12/1995", ""},
                     {"Regulation (EC) No 1612/68", ""},
                     {"Protocol No. 11", ""},
                     {"Rule 44 and no. 12", ""},
                     {"nos. 260-268", ""},
                     {"18403/91", ""},
                     {"120/80 and 1234/05", ""}});
}

TEST(FileNumbers, OfPatientsAndAccounts) {
  expect_all(kFile, {{"MRN: 00-123-456", "00-123-456"},
                     {"MRN 40718823", "40718823"},
                     {"Acct # 998877", "998877"},
                     {"account no. 4711-22", "4711-22"},
                     {"registration no. 1057.", "1057"},
                     {"in case 500 mg", ""},
                     {"in this case 120/80", ""},
                     {"the case of 2021", ""}});
}

TEST(OtherSigns, InNumbers) {
  for (const std::string dash : {"\u2010", "\u2011", "\u2012", "\u2013", "\u2212"}) {
    SCOPED_TRACE(dash);
    const auto with = [&](std::string text) {
      for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) text.replace(at, 1, dash);
      return text;
    };
    EXPECT_EQ(found(with("is 123-45-6789."), kSsn), with("123-45-6789"));
    EXPECT_EQ(found(with("212-555-0134"), kPhone), with("212-555-0134"));
    EXPECT_EQ(found(with("4111-1111-1111-1111"), kCard), with("4111-1111-1111-1111"));
    EXPECT_EQ(found(with("DE89-3704-0044-0532-0130-00"), kIban), with("DE89-3704-0044-0532-0130-00"));
  }
  for (const std::string space : {"\u00A0", "\u202F", "\u2009", "\u2007"}) {
    SCOPED_TRACE(space);
    const auto with = [&](std::string text) {
      for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at))
        text.replace(at, 1, space);
      return text;
    };
    EXPECT_EQ(found("x " + with("+47 22 55 01 47"), kPhone), with("+47 22 55 01 47"));
    EXPECT_EQ(found(with("4111 1111 1111 1111"), kCard), with("4111 1111 1111 1111"));
    EXPECT_EQ(found(with("DE89 3704 0044 0532 0130 00"), kIban), with("DE89 3704 0044 0532 0130 00"));
    EXPECT_EQ(found(with("SSN 123 45 6789"), kSsn), with("123 45 6789"));
  }
  EXPECT_EQ(found("4111\u200B1111\u00AD11111111", kCard), "4111\u200B1111\u00AD11111111");
  EXPECT_EQ(found("\u202A+47 22 55 01 47\u202C", kPhone), "+47 22 55 01 47");
}

TEST(OtherSigns, InAddresses) {
  expect_all(kMac, {{"001A.2B3C.4D5E.", "001A.2B3C.4D5E"},
                    {"00-1A-2B-3C-4D-5E", "00-1A-2B-3C-4D-5E"},
                    {"MAC: 001A2B3C4D5E", "001A2B3C4D5E"},
                    {"001A2B3C4D5E", ""},
                    {"1234.5678.9012", ""},
                    {"001A.2B3C.4D5E.6F70", ""}});
  expect_all(kEmail, {{"\"john doe\"@example.com", "\"john doe\"@example.com"},
                      {"\"a\\\"b\"@x.org", "\"a\\\"b\"@x.org"},
                      {"say \"john\" @example.com", ""},
                      {"o'brien@example.com", "o'brien@example.com"},
                      {"'bob@example.com'", "bob@example.com"},
                      {"bob@m\u00FCnchen.de", "bob@m\u00FCnchen.de"},
                      {"bob@\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444",
                       "bob@\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444"},
                      {"bob@xn--e1afmkfd.xn--p1ai", "bob@xn--e1afmkfd.xn--p1ai"},
                      {"bob@\u4F8B\u5B50.\u4E2D\u56FD", "bob@\u4F8B\u5B50.\u4E2D\u56FD"},
                      {"\u8054\u7CFBbob@x.com\u8C22\u8C22", "bob@x.com"},
                      {"someone@[192.0.2.1]", "someone@[192.0.2.1]"},
                      {"\uFF42\uFF4F\uFF42\uFF20x.com", "\uFF42\uFF4F\uFF42\uFF20x.com"}});
  expect_all(kIp, {{"fe80::1%eth0 up", "fe80::1%eth0"},
                   {"::192.0.2.1", "::192.0.2.1"},
                   {"64:ff9b::192.0.2.33", "64:ff9b::192.0.2.33"},
                   {"5% of 10%", ""}});
  expect_all(kUrl, {{"www2.example.com/a", "www2.example.com/a"},
                    {"WWW.EXAMPLE.COM", "WWW.EXAMPLE.COM"},
                    {"sftp://host.example/x", "sftp://host.example/x"},
                    {"www.m\u00FCnchen.de", "www.m\u00FCnchen.de"},
                    {"a://b", ""}});
}

}  // namespace
}  // namespace residue::text
