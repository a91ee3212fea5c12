// Texts that recognizers and what builds on them must survive: fragments that they care about, glued without mercy.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

// `valid`: UTF-8 as ingest admits it; else also pieces of code points.
inline rc::Gen<std::string> nasty_text(bool valid = true) {
  static constexpr auto kPieces = std::to_array<std::string_view>({"a@b.org",
                                                                   "@",
                                                                   ".",
                                                                   ",",
                                                                   " ",
                                                                   " ",
                                                                   " ",
                                                                   "-",
                                                                   "/",
                                                                   ":",
                                                                   "::",
                                                                   "+",
                                                                   "(",
                                                                   ")",
                                                                   "[",
                                                                   "]",
                                                                   "_",
                                                                   "\"",
                                                                   "'",
                                                                   "'s",
                                                                   "#",
                                                                   "$",
                                                                   "%",
                                                                   "\n",
                                                                   "12",
                                                                   "03",
                                                                   "0",
                                                                   "80",
                                                                   "2021",
                                                                   "1990",
                                                                   "12345678",
                                                                   "1/05",
                                                                   "18403/91",
                                                                   "123-45-6789",
                                                                   "4111111111111111",
                                                                   "DE89370400440532013000",
                                                                   "14:05",
                                                                   "192.0.2.1",
                                                                   "fe80::1",
                                                                   "001A.2B3C.4D5E",
                                                                   "1:20-cv-01234",
                                                                   "March",
                                                                   "may ",
                                                                   "May ",
                                                                   " january ",
                                                                   "M\u00E4rz ",
                                                                   " de ",
                                                                   "and ",
                                                                   "3 March 2021",
                                                                   "T10:15:00+01:00",
                                                                   "Dr. ",
                                                                   "Ana",
                                                                   "Anna",
                                                                   "Smith ",
                                                                   "Smith",
                                                                   "Will ",
                                                                   "de ",
                                                                   "aged ",
                                                                   "45-year-old",
                                                                   " years old",
                                                                   "forty",
                                                                   "www.",
                                                                   "www.a.org",
                                                                   "http://",
                                                                   "https://x.y/",
                                                                   "x",
                                                                   "A",
                                                                   "\u00E9",
                                                                   "e\u0301",
                                                                   "\u00A0",
                                                                   "\u202F",
                                                                   "\u2011",
                                                                   "\u2013",
                                                                   "\u2212",
                                                                   "\u00AD",
                                                                   "\u200B",
                                                                   "\u202E",
                                                                   "\uFF11",
                                                                   "\u0663",
                                                                   "\u65E5\u672C",
                                                                   "\u2019",
                                                                   "tel ",
                                                                   "mg",
                                                                   "Oslo ",
                                                                   "Oslo",
                                                                   "Reading",
                                                                   "Ltd.",
                                                                   "Street ",
                                                                   "University of ",
                                                                   "in ",
                                                                   "lives in ",
                                                                   "passport ",
                                                                   "zip ",
                                                                   "MRN ",
                                                                   "no. ",
                                                                   "Nos. ",
                                                                   "case ",
                                                                   "law ",
                                                                   "[NAME_1]",
                                                                   "[EMAIL_1]",
                                                                   "[PERSON]"});
  static constexpr auto kBroken = std::to_array<std::string_view>({"\xFF", "\xC3", "\x80", "\xE2\x80", "\xF0\x9F"});
  const std::size_t all = kPieces.size() + (valid ? 0 : kBroken.size());
  return rc::gen::map(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, all)),
                      [](const std::vector<std::size_t>& picks) {
                        std::string text;
                        for (const std::size_t pick : picks)
                          text += pick < kPieces.size() ? kPieces[pick] : kBroken[pick - kPieces.size()];
                        return text;
                      });
}

}  // namespace residue::text
