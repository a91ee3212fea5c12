// A surrogate is of the kind and form of what it stands for: found again, it is the same at the same place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/mask/scrub.h"
#include "tests/ingest/surrogates/seeded_draws.h"
#include "text/characters/folding.h"

namespace residue::ingest {
namespace {

using enum text::EntityType;

// '#' is a digit, '?' a capital, '*' a small letter, '^' a hexadecimal digit, '{a|b}' one of
// several.
std::string drawn(std::string_view pattern, std::mt19937& random) {
  std::string made;
  const auto any = [&](std::string_view of) { return of[random() % of.size()]; };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    switch (pattern[i]) {
      case '#':
        made += any("0123456789");
        break;
      case '?':
        made += any("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        break;
      case '*':
        made += any("abcdefghijklmnopqrstuvwxyz");
        break;
      case '^':
        made += any("0123456789ABCDEF");
        break;
      case '{': {
        std::vector<std::string> of(1);
        for (++i; pattern[i] != '}'; ++i) pattern[i] == '|' ? of.emplace_back() : of.back() += pattern[i];
        made += drawn(of[random() % of.size()], random);
        break;
      }
      default:
        made += pattern[i];
    }
  }
  return made;
}

struct Form {
  text::EntityType type;
  std::string before, pattern, after;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {kEmail, "mail ", "*****.***@clinic.{example|de}", " now"},
      {kEmail, "mail ", "\"*** ***\"@clinic.example", "."},
      {kEmail, "mail ", "***@m\u00FCnchen.de", ""},
      {kUrl, "see ", "{http|https|ftp}://***.example/***", "."},
      {kUrl, "see ", "{www|www2}.*****.{org|net}", ", then"},
      {kUrl, "see ", "*****.com/***", " and"},
      {kIp, "from ", "11.21.31.##", " at"},
      {kIp, "from ", "fe80::^^1:1^^", " at"},
      {kIp, "from ", "fe80::1^{%eth0|}", " at"},
      {kMac, "card ", "^^:^^:^^:^^:^^:^^", "."},
      {kMac, "card ", "^^-^^-^^-^^-^^-^^", "."},
      {kMac, "card ", "^^^^.^^^^.A^^^", "."},
      {kMac, "card ", "a0\u2011^^\u2011^^\u2011^^\u2011^^\u2011^^", "."},
      {kIban, "to ", "{NO## #### #### ###|BE## #### #### ####}", "."},
      {kCard, "card ", "4### #### #### ####", "."},
      {kCard, "card ", "4###\u2011####\u2011####\u2011####", "."},
      {kCard, "card ", "{6304|5018} #### ####", "."},
      {kSsn, "SSN ", "1##-##-####", "."},
      {kSsn, "SSN ", "1##\u201312\u2013####", "."},
      {kSsn, "SSN ", "1## ## ####", "."},
      {kItin, "as ", "9##-{7|8}#-####", "."},
      {kNhs, "nhs number ", "1## ### ####", "."},
      {kNino, "as ", "A{B|C|E} ## ## ## {A|B}", "."},
      {kSteuerId, "Steuer-ID ", "1# ### ### ###", "."},
      {kNir, "as ", "{1|2} ## 0{1|2|3} ## ### ### ##", "."},
      {kDni, "as ", "########?", "."},
      {kCodiceFiscale, "as ", "??????##{A|B|C}1#{H|F}###?", "."},
      {kBsn, "BSN ", "1########", "."},
      {kPesel, "PESEL ", "##0112#####", "."},
      {kPersonnummer, "as ", "##0{1|2|3}1#-####", "."},
      {kAadhaar, "as ", "{2|3|4}### #### ####", "."},
      {kPan, "PAN ", "???P?####?", "."},
      {kTfn, "TFN ", "1## ### ###", "."},
      {kMedicare, "Medicare ", "{2|3}### ##### #", "."},
      {kSin, "SIN ", "{1|2}## ### ###", "."},
      {kCpf, "as ", "###.###.###-##", "."},
      {kDate, "on ", "20{19|20|21}-{01|12|08}-{01|28|31}{|T10:15:00+01:00| 10:15 UTC}", "."},
      {kDate, "on ", "{1|28|30|31} {January|march|Sept|ao\u00FBt|enero|giugno} 19##", "."},
      {kDate, "on ", "{1|28|31}-{Jan|Mar|Dec}-{80|99|05}", "."},
      {kDate, "on ", "{March|January} {1|9}{|st}, 20##", "."},
      {kDate, "on ", "{Jan.|Dec.} {1|31}, '{20|01}", "."},
      {kDate, "on ", "{1|5|27}{-|\u2013| to }{28|30} March{ 2010| 1999|}", "."},
      {kDate, "on ", "{1|9}/{1|12}/20##", "."},
      {kDate, "on ", "{Friday|Sunday|29 February|3/2010|20210303T101500Z|05/Jan/1980:10:15:00 +0100}", " then"},
      {kDate, "am ", "{1|31}. {Mai|M\u00E4rz|Januar} 19##", "."},
      {kYear, "in ", "19##", " he"},
      {kDate, "in ", "{Q1|Q4} 20##", " he"},
      {kDate, "in ", "{summer of|Winter|mid} {1998|1999|2000/01}", " he"},
      {kDate, "in the ", "{mid|late}-1990s", " he"},
      {kYear, "in ", "{1990s|1980's|1999/00|2006/2007}", " he"},
      {kYear, "in ", "{1990-1995|1990\u201395|1998-99}", " he"},
      {kTime, "at ", "{9:30|14:05|23:59:59|10 p.m.|1.30 p.m.|5 o'clock|14:05 UTC|9:30 pm}", " then"},
      {kAge, "a ", "{##|1}-year-old", " one"},
      {kAge, "a ", "{forty-five|three|Nineteen|eighty}-year-old", " one"},
      {kAge, "is ", "aged {34|7|101|45-60|twenty-one}", "."},
      {kAge, "he turned ", "{53|10|99}", "."},
      {kAge, "a ", "1# {months old|y/o|years of age}", "."},
      {kPhone, "or ", "+47 ## ## ## ##", "."},
      {kPhone, "or ", "212-555-01##{| ext. ##|x###}", "."},
      {kPhone, "or ", "(212)\u00A0555\u20110{1|2}##", "."},
      {kPhone, "tel. ", "555-01##", "."},
      {kPhone, "or ", "020 7946 01##", "."},
      {kMoney, "paid ", "{$|\u20AC|US$}1,###.##", "."},
      {kMoney, "paid ", "{EUR ### |USD ##k|1## euros|5 million dollars|1.###,## \u20AC}", "."},
      {kUsername, "by ", "@***_##", " again"},
      {kUsername, "username: ", "***##", " again"},
      {kStreet, "at ", "1# {Crown|Baker} Street", "."},
      {kStreet, "at ", "{Hauptstrasse|Nybyv\u00E4gen|Skogstien|Harjukuja|Via Franscini} 1#", "."},
      {kStreet, "at ", "1# {Crown|Baker} {Ct|Crescent|Hill|Quay}", "."},
      {kStreet, "at ", "{Corso Italia|Rue Gafsa} 1#", "."},
      {kStreet, "at ", "{Apt. |PO Box }1##", "."},
      {kPostcode, "in ", "SW1A #??", " now"},
      {kPostcode, "zip ", "#####", " now"},
      {kPostcode, "Denver, CO ", "8####", " now"},
      {kPassport, "passport number ", "{C|AB|}1######", "."},
      {kLicence, "driver's license ", "F1###########", "."},
      {kFile, "(no. ", "1####/0#", ") and"},
      {kFile, "docket no. ", "1:2#-cv-0####", " and"},
      {kFile, "MRN ", "1#######", "."},
      {kFile, "MRN: ", "00-1##-###", "."},
      {kName, "by ", "{Dr. Ana Ruiz|Anna Smith|Will Smith|Mr. van Dijk|J. Smith|ANNA SMITH|Mr \u00C7. Y\u00FCksel}",
       " and"},
      {kName, "My name is ", "{Rubija Oto|Xanthippa}", "."},
      {kOrganisation, "at ",
       "{Mayo-Walters Ltd|University of Oslo|St. Mary's Hospital|Google|Ruiz Trust|Deutsche Bank|International Law "
       "Department|Ministry of Education|Smith "
       "and Jones Co.|Embassy of France}",
       " now"},
      {kOrganisation, "she works at ", "{Zonability|Citigroup}", " now"},
      {kPlace, "from ", "{Norway|Oslo|New York City|France}", " came"},
      {kPlace, "she lives in ", "{Tjaereborg|Reading}", " now"},
      {kNumber, "code ", "1#######", "."},
      {kNumber, "number ", "HH-1######", "."},
      {kNumber, "code ", "#############", "."},
  };
  return all;
}

bool found_at(const std::string& text, text::EntityType type, std::size_t begin, std::size_t size) {
  const auto found = text::recognize(text);
  return std::ranges::find(found, text::Entity{begin, begin + size, type}) != found.end();
}

// Digits, letters and signs as classes: what a form looks like.
std::string shape(std::string_view words) {
  std::string made;
  for (const char c : words) made += c >= '0' && c <= '9' ? '0' : c;
  return made;
}

TEST(SurrogateKinds, AreFoundAgainAsTheSameAtTheSamePlace) {
  std::mt19937 random(20);
  std::map<text::EntityType, int> tried;
  for (const Form& form : forms()) {
    int made = 0;
    for (int attempt = 0; attempt < 20'000 && made < 12; ++attempt) {
      const std::string words = drawn(form.pattern, random);
      const std::string text = form.before + words + form.after;
      if (!found_at(text, form.type, form.before.size(), words.size())) continue;  // its check digits
      ++made;
      ScrubOptions options;
      options.surrogates = seeded_draws(random() % 1'000);
      const SanitizeOutput output = scrub({"r-1", text}, options);
      SCOPED_TRACE(fmt::format("{}: {} -> {}", text::recognizer(form.type).name, text, *output.text));
      const auto span = std::ranges::find(output.spans, form.before.size(), &Replacement::begin);
      ASSERT_NE(span, output.spans.end());
      const std::string& with = span->with;
      EXPECT_NE(with, words);
      EXPECT_NE(with[0], '[');
      // Another one may stand in front: "Denver, CO 80202".
      const std::size_t at = output.text->size() - (text.size() - span->end) - with.size();
      EXPECT_TRUE(found_at(*output.text, form.type, at, with.size()));
      const bool keeps = form.type == kMoney || form.type == kPhone;
      if (keeps) {
        EXPECT_EQ(shape(text::folded(with)), shape(text::folded(words)));
      }
      if (keeps || form.type == kMac || form.type == kCard || form.type == kSsn) {
        EXPECT_EQ(with.size(), words.size());
      }
      ++tried[form.type];
    }
    EXPECT_GE(made, 1) << form.before << form.pattern;
  }
  EXPECT_EQ(tried.size(), text::kEntityTypes);
}

}  // namespace
}  // namespace residue::ingest
