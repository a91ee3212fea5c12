// A replacement may not be another hidden name of the record.
#include "ingest/method/hidden_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/linear_time.h"

namespace residue::ingest {
namespace {

const std::string kText =
    "Mr Jan Kowalczyk and Dr O'Brien met Ann Lee at the Hospital of Graz, room 407188, in need of help.";

std::vector<MaskedSpan> spans_of(const std::vector<std::pair<std::string, std::string>>& hidden) {
  std::vector<MaskedSpan> spans;
  for (const auto& [words, type] : hidden) {
    const std::size_t at = kText.find(words);
    spans.push_back({at, at + words.size(), type, std::nullopt});
  }
  return spans;
}

const std::vector<MaskedSpan>& all() {
  static const std::vector<MaskedSpan> spans = spans_of({{"Mr Jan Kowalczyk", "name"},
                                                         {"Dr O'Brien", "name"},
                                                         {"Ann Lee", "name"},
                                                         {"Hospital of Graz", "organisation"},
                                                         {"407188", "number"},
                                                         {"in need of help", "health"}});
  return spans;
}

TEST(HiddenWords, AreSaidHoweverTheyAreWritten) {
  const HiddenWords hidden(kText, all());
  for (const char* phrase : {"Kowalczyk",
                             "KOWALCZYK",
                             "a kowalczyk man",
                             "Kow\u00E1lczyk",
                             "K o w a l c z y k",
                             "Ko-wal-czyk",
                             "Kowalcz",
                             "owalczyk",
                             "Kowalczykowa",
                             "K\u043Ew\u0430lczyk",
                             "Kowal\u200Bczyk",
                             "\uFF2Bowalczyk",
                             "Jan",
                             "OBrien",
                             "o'brien",
                             "O\u2019Brien",
                             "Lee",
                             "ann",
                             "Graz",
                             "Grazer",
                             "407188",
                             "no. 7188",
                             "K o w a l"})
    EXPECT_TRUE(hidden.said_in(phrase)) << phrase;
}

TEST(HiddenWords, AreNotOtherWords) {
  const HiddenWords hidden(kText, all());
  for (const char* phrase : {"a person", "", "[NAME_1]", "a hospital", "the leeward side", "annual", "in need of help",
                             "Mr Smith", "Dr", "a region", "January", "12", "grace"})
    EXPECT_FALSE(hidden.said_in(phrase)) << phrase;
}

TEST(HiddenWords, TakeReplacementsThatSayThem) {
  std::vector<MaskedSpan> spans = all();
  spans[0].with = "Peter Graz";
  spans[1].with = "a doctor";
  EXPECT_EQ(without_hidden_words(kText, spans), 1U);
  EXPECT_FALSE(spans[0].with);
  EXPECT_TRUE(spans[1].with);
}

TEST(HiddenWords, TakeLinearTime) {
  const HiddenWords hidden(kText, all());
  for (const char* unit : {"kowa", "K o ", "Kowalczy "})
    EXPECT_TRUE(text::takes_linear_time(unit, [&](const std::string& phrase) { (void)hidden.said_in(phrase); }));
}

}  // namespace
}  // namespace residue::ingest
