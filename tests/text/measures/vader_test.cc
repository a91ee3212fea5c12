#include "text/measures/vader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/error.h"
#include "tests/text/parity.h"

namespace residue::text {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A lexicon whose sums are easily done: "fine" and "dull" are worth 2 and -2.
Vader small() {
  return Vader("fine\t2.0\ndull\t-2.0\nno\t-1.2\t0.5\t[]\n:)\t2\n\nleast\t1\n", "😀\tfine grin\n☹\tdull\n");
}

double compound(double sum) { return std::round(1e4 * sum / std::sqrt(sum * sum + 15)) / 1e4; }

double compound_of(const std::string& text) {
  static const Vader vader = small();
  return vader.sentiment(text).compound;
}

TEST(Vader, EqualsTheReference) {
  const auto cases = parity_cases("vader.jsonl");
  const std::filesystem::path resources = RESIDUE_SOURCE_DIR "/../shared/resources";
  const std::string lexicon = contents(resources / "vader_lexicon.txt");
  if (cases.empty() || lexicon.empty()) GTEST_SKIP() << "no parity/vader.jsonl or no lexicon: set RESIDUE_PARITY";
  const Vader vader(lexicon, contents(resources / "emoji_utf8_lexicon.txt"));
  for (const auto& row : cases) {
    SCOPED_TRACE(row.at("id").dump());
    const Sentiment ours = vader.sentiment(row.at("text").get<std::string>());
    EXPECT_EQ(ours.negative, row.at("neg").get<double>());
    EXPECT_EQ(ours.neutral, row.at("neu").get<double>());
    EXPECT_EQ(ours.positive, row.at("pos").get<double>());
    EXPECT_EQ(ours.compound, row.at("compound").get<double>());
  }
}

TEST(Vader, IsWhatAHandComputes) {
  // Shares: 2 + 1 for the one, 2 neutral words.
  EXPECT_EQ(small().sentiment("It is fine."), (Sentiment{0, 0.4, 0.6, compound(2)}));
  EXPECT_EQ(small().sentiment("dull fine"), (Sentiment{0.5, 0, 0.5, 0}));
  EXPECT_EQ(small().sentiment(" \n"), Sentiment{});
  EXPECT_EQ(small().sentiment("Ordinary words"), (Sentiment{0, 1, 0, 0}));
}

TEST(Vader, FollowsItsRules) {
  struct Case {
    const char* text;
    double sum;
  };
  const Case cases[] = {
      {"very fine", 2 + 0.293},
      {"very x dull", -2 - 0.293 * 0.95},
      {"barely x y fine", 2 - 0.293 * 0.9},
      {"VERY fine", 2 + 0.293 + 0.733},
      {"it is FINE", 2 + 0.733},
      {"IT IS FINE", 2},  // all are capitals: none stands out
      {"not fine", 2 * -0.74},
      {"isn't x fine", 2 * -0.74},
      {"rarely x y fine", 2 * -0.74},
      {"not x y z fine", 2},  // too far away
      {"never so fine", (2 + 0.293) * 1.25},
      {"without doubt fine", 2},
      {"no fine", 2 * -0.74},
      {"no", -1.2},
      {"fine but dull", 2 * 0.5 - 2 * 1.5},
      {"fine!!", 2 + 2 * 0.292},
      {"fine!!!!!!", 2 + 4 * 0.292},
      {"dull??", -2 - 2 * 0.18},
      {"dull?????", -2 - 0.96},
      {"fine?", 2},
      {"(fine)", 2},
      {":)", 2},  // at most two characters left: kept whole
      {"a b the fine", 2},
      {"x y kind of fine", 2 - 0.293},
      {"x😀", 2},
      {"😀😀", 4},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.text);
    EXPECT_EQ(compound_of(one.text), compound(one.sum));
  }
}

TEST(Vader, KeepsShortTokensWholeByTheirCharacters) {
  const Vader vader("日\t2\n日日日\t2\n", "");
  EXPECT_EQ(vader.sentiment("(日)").compound, 0);
  EXPECT_EQ(vader.sentiment("(日日日)").compound, compound(2));
}

TEST(Vader, ChangesTheFirstOfEqualsAroundBut) {
  // In turn: the first 2 is halved, the second 2 is now the first; behind "but" the third is the first 2 left.
  EXPECT_EQ(compound_of("fine fine but fine"), compound(1 + 1 + 3));
  // The 1 of the first equals no other; but halving 2 makes a 1 that is found before the real one.
  const Vader vader("two\t2\none\t1\n", "");
  EXPECT_EQ(vader.sentiment("two x x x x but one").compound, compound(0.5 + 1));
}

TEST(Vader, LabelsBeyondTheThreshold) {
  EXPECT_EQ(sentiment_label({.compound = 0.05}), SentimentLabel::kNeutral);
  EXPECT_EQ(sentiment_label({.compound = -0.05}), SentimentLabel::kNeutral);
  EXPECT_EQ(sentiment_label({.compound = 0.0501}), SentimentLabel::kPositive);
  EXPECT_EQ(sentiment_label({.compound = -0.0501}), SentimentLabel::kNegative);
}

TEST(Vader, RefusesAFileThatIsNoLexicon) {
  for (const char* text : {"", "\n\n", "fine 2.0\n", "fine\tnice\n", "fine\t2\n\tnan\n", "fine\tnan\n"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(Vader(text, ""), Error);
  }
  EXPECT_THROW(Vader("fine\t2\n", "no tab\n"), Error);
}

}  // namespace
}  // namespace residue::text
